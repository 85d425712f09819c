//! The library lists what was asked for singly apart from lines of batches, of which there may be many beside few others.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

/// Of singles, what is not deleted is in order below `deleted_at_ms`, which no other index has: whatever PostgreSQL reckons, it has nothing else to
/// read a page from in that order. Of a batch the tenant is in the index as well, or PostgreSQL reckons that hardly a line is the tenant's.
const STATEMENTS: [&str; 2] = [
    "CREATE INDEX jobs_alone ON jobs (tenant_id, deleted_at_ms, id) WHERE batch_id IS NULL",
    "CREATE INDEX jobs_of_batch ON jobs (tenant_id, batch_id, batch_line) WHERE batch_id IS NOT NULL",
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for statement in STATEMENTS {
            manager.get_connection().execute_unprepared(statement).await?;
        }
        Ok(())
    }
}
