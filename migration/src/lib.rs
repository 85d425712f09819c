//! The schema. One step a release; a step that has shipped is never edited.
//!
//! Conventions: ids are UUIDs, moments are unix milliseconds in `BIGINT` columns that end in `_ms`,
//! so SQLite and PostgreSQL store and compare the same values.

pub use sea_orm_migration::prelude::*;

mod m0001_accounts;
mod m0002_jobs;

pub struct Migrator;

impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![Box::new(m0001_accounts::Migration), Box::new(m0002_jobs::Migration)]
    }
}
