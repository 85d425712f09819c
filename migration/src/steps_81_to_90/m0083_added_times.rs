//! Times of phases that a tally did not have at first.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

#[derive(DeriveMigrationName)]
pub struct Migration;

/// Versions of before neither read nor write them. `NULL`: nothing was counted since.
#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let bytes = if manager.get_database_backend() == DbBackend::Postgres { "BYTEA" } else { "BLOB" };
        manager.get_connection().execute_unprepared(&format!("ALTER TABLE job_tallies ADD COLUMN added_times {bytes} NULL")).await?;
        Ok(())
    }
}
