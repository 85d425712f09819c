//! Which models a worker has, and the line of each model: a worker that has other models passes over none of the rows in it.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

const STATEMENTS: [&str; 2] = [
    // A list in JSON. Nothing: a worker of the version before, taken for one that has them all.
    "ALTER TABLE workers ADD COLUMN models TEXT",
    "CREATE INDEX jobs_by_model ON jobs (waits_for, model, created_at_ms, id)",
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for sql in STATEMENTS {
            manager.get_connection().execute_unprepared(sql).await?;
        }
        Ok(())
    }
}
