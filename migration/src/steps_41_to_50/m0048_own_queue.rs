//! Indexes by which one person's waiting jobs are found, in the order in which they are made.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

const STATEMENTS: [&str; 2] = [
    // what is behind the ids is added up without a look at the rows
    "CREATE INDEX jobs_waiting_by_user ON jobs (tenant_id, user_id, epoch, lane, model, finish_tag, id, step, billed_ms, waits_for) WHERE waits_for IS NOT NULL",
    "CREATE INDEX jobs_throttled_by_user ON jobs (tenant_id, user_id, created_at_ms, id, billed_ms, state) WHERE state = 'throttled'",
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
