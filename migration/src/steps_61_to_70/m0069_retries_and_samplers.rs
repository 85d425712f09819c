//! Whether the client of a batch knows it, and how often it said that it had sent the request: by these a batch that is asked for again is told
//! from another one that is alike. And by which worker a job was sampled, so that those beside it are found.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

const STATEMENTS: [&str; 4] = [
    "ALTER TABLE batches ADD COLUMN retry_count INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE batches ADD COLUMN is_known BOOLEAN NOT NULL DEFAULT FALSE",
    "ALTER TABLE jobs ADD COLUMN sampled_by UUID NULL",
    "CREATE INDEX jobs_by_sampler ON jobs (sampled_by, sampled_at_ms) WHERE sampled_by IS NOT NULL",
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
