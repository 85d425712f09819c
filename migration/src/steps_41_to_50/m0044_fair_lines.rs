//! Jobs wait in lines, one for each lane and model, in the order of their virtual finish.
//!
//! Those that wait already are laid end to end for each tenant, as if their plans weighed the same. What the limits of a plan keep outside of the
//! queue is `throttled`.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

#[derive(DeriveMigrationName)]
pub struct Migration;

const STATEMENTS: [&str; 16] = [
    "ALTER TABLE jobs ADD COLUMN start_tag BIGINT NOT NULL DEFAULT 0",
    "ALTER TABLE jobs ADD COLUMN finish_tag BIGINT NOT NULL DEFAULT 0",
    "UPDATE jobs SET lane = 'interactive' WHERE lane IS NULL AND ended_at_ms IS NULL",
    "UPDATE jobs SET start_tag = laid.finish_tag - jobs.billed_ms * 1000, finish_tag = laid.finish_tag FROM (\
     SELECT id, CAST(SUM(billed_ms) OVER (PARTITION BY tenant_id, lane, model ORDER BY created_at_ms, id) * 1000 AS BIGINT) AS finish_tag \
     FROM jobs WHERE ended_at_ms IS NULL) AS laid WHERE laid.id = jobs.id",
    "DROP INDEX jobs_by_queue",
    "DROP INDEX jobs_by_queue_and_model",
    // `steps` so that the work in front of a job is added up without a look at the rows
    "CREATE INDEX jobs_by_line ON jobs (waits_for, model, lane, finish_tag, id, steps) WHERE waits_for IS NOT NULL",
    "CREATE INDEX jobs_taken_by_line ON jobs (model, lane, finish_tag) WHERE lease_worker IS NOT NULL",
    "CREATE INDEX jobs_in_queue_by_tenant ON jobs (tenant_id, model, lane, finish_tag) WHERE ended_at_ms IS NULL AND state <> 'throttled'",
    "CREATE INDEX jobs_throttled ON jobs (tenant_id, created_at_ms, id, billed_ms) WHERE state = 'throttled'",
    "DROP INDEX jobs_waiting_by_tenant",
    "CREATE INDEX jobs_waiting_by_tenant ON jobs (tenant_id, created_at_ms, id, billed_ms, step, state, deleted_at_ms) \
     WHERE step = 0 AND deleted_at_ms IS NULL AND state IN ('throttled', 'ready', 'retry_sampling', 'retry_decoding')",
    // the last job that entered the queue, and when the next one may
    "ALTER TABLE tenants ADD COLUMN released_at_ms BIGINT NOT NULL DEFAULT 0",
    "ALTER TABLE tenants ADD COLUMN released_work_ms BIGINT NOT NULL DEFAULT 0",
    "ALTER TABLE tenants ADD COLUMN next_release_ms BIGINT NULL",
    "CREATE INDEX tenants_by_release ON tenants (next_release_ms) WHERE next_release_ms IS NOT NULL",
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        if manager.get_database_backend() == DbBackend::Postgres {
            // Whosever rows they are, until this transaction ends.
            manager.get_connection().execute_unprepared("SELECT set_config('reelmill.system', 'on', true)").await?;
        }
        for statement in STATEMENTS {
            manager.get_connection().execute_unprepared(statement).await?;
        }
        Ok(())
    }
}
