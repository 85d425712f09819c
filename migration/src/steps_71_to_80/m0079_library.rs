//! The library lists what was asked for singly apart from lines of batches: of either there may be many beside few of the other.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

/// A job stands in one of them. What is not deleted is in order below `deleted_at_ms`, which no other index has: whatever PostgreSQL
/// reckons, it has nothing else to read a page from in that order.
const STATEMENTS: [&str; 2] = [
    "CREATE INDEX jobs_alone ON jobs (tenant_id, deleted_at_ms, id) WHERE batch_id IS NULL",
    "CREATE INDEX jobs_of_batches ON jobs (tenant_id, deleted_at_ms, id) WHERE batch_id IS NOT NULL",
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
