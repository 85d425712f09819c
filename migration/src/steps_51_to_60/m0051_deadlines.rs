//! By when jobs are to have begun and to have ended.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

const STATEMENTS: [&str; 4] = [
    "ALTER TABLE jobs ADD COLUMN start_by_ms BIGINT NULL",
    "ALTER TABLE jobs ADD COLUMN finish_by_ms BIGINT NULL",
    "CREATE INDEX jobs_by_start_by ON jobs (start_by_ms) \
     WHERE start_by_ms IS NOT NULL AND started_at_ms IS NULL AND ended_at_ms IS NULL",
    "CREATE INDEX jobs_by_finish_by ON jobs (finish_by_ms) WHERE finish_by_ms IS NOT NULL AND ended_at_ms IS NULL",
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
