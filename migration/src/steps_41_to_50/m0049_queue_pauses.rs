//! What the operator keeps from being begun: parts of the queue, and single jobs.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

/// `queue_pauses` is the operator's, whatever tenant a scope names; of each scope the last pause is kept. `quarantine_reason`: as the owner of the job is told.
const STATEMENTS: [&str; 6] = [
    "CREATE TABLE queue_pauses (scope TEXT NOT NULL PRIMARY KEY, reason TEXT NULL, since_ms BIGINT NOT NULL, resumed_ms BIGINT NULL)",
    "ALTER TABLE jobs ADD COLUMN quarantined_since_ms BIGINT NULL",
    "ALTER TABLE jobs ADD COLUMN quarantine_reason TEXT NULL",
    "CREATE INDEX jobs_in_quarantine ON jobs (quarantined_since_ms, id) WHERE quarantined_since_ms IS NOT NULL",
    "CREATE INDEX jobs_held_by_user ON jobs (tenant_id, user_id, id) WHERE quarantined_since_ms IS NOT NULL AND ended_at_ms IS NULL",
    "CREATE INDEX audit_log_of_queue ON audit_log (number) WHERE act IN ('queue_paused', 'queue_resumed', \
     'worker_drained', 'job_expedited', 'job_requeued', 'job_quarantined', 'quarantine_lifted')",
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
