//! The library lists what was asked for singly apart from lines of batches, of which there may be many beside few others.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

/// What is not deleted is in order below `deleted_at_ms`, which no other index has: whatever PostgreSQL reckons, it has nothing else to
/// read a page from in that order.
const STATEMENT: &str = "CREATE INDEX jobs_alone ON jobs (tenant_id, deleted_at_ms, id) WHERE batch_id IS NULL";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.get_connection().execute_unprepared(STATEMENT).await?;
        Ok(())
    }
}
