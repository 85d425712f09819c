//! Jobs that wait for a device with more memory are found without a walk along all that wait.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

const INDEX: &str =
    "CREATE INDEX jobs_by_needed_memory ON jobs (needs_memory_bytes, id) WHERE needs_memory_bytes IS NOT NULL AND waits_for IS NOT NULL";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.get_connection().execute_unprepared(INDEX).await?;
        Ok(())
    }
}
