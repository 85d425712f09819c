//! What has ended in a state since when, and what is open in a state: both along one index, without a look at the rows.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

/// It begins with the column of `jobs_by_state` and takes its place. The columns behind `ended_at_ms` are those that are added up.
const STATEMENTS: [&str; 2] = [
    "CREATE INDEX jobs_by_state_and_end ON jobs (state, ended_at_ms, created_at_ms, started_at_ms, billed_ms)",
    "DROP INDEX jobs_by_state",
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
