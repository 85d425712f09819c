//! Batches, their lines, and the jobs that lines became.

use crate::steps_31_to_40::m0035_row_level_security;
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

/// `read_lines` and `read_bytes`: how far its input was checked. `finished_lines`: those that have ended, each of which has its number among
/// them. `closing`: why no more lines are begun. `step_after_ms`: when somebody is to go on with it; none once it has ended. `remove_after_ms`:
/// when its rows go.
const BATCHES: &str = "CREATE TABLE batches (id UUID NOT NULL PRIMARY KEY, tenant_id UUID NOT NULL, project_id UUID NOT NULL, \
     user_id UUID NOT NULL, api_key_id UUID NULL, idempotency_key TEXT NULL, endpoint TEXT NOT NULL, model TEXT NULL, input_file_id UUID NOT NULL, retry_of UUID NULL, \
     is_dry_run BOOLEAN NOT NULL, completion_window TEXT NOT NULL, window_ms BIGINT NOT NULL, metadata TEXT NULL, \
     output_expires_after_ms BIGINT NULL, output_file_id UUID NULL, error_file_id UUID NULL, status TEXT NOT NULL, closing TEXT NULL, \
     waiting_for TEXT NULL, waiting_text TEXT NULL, read_lines INTEGER NOT NULL, read_bytes BIGINT NOT NULL, lines INTEGER NOT NULL, \
     invalid_lines INTEGER NOT NULL, finished_lines INTEGER NOT NULL, completed_lines INTEGER NOT NULL, failed_lines INTEGER NOT NULL, \
     quoted_ms BIGINT NOT NULL, charged_ms BIGINT NOT NULL, created_at_ms BIGINT NOT NULL, expires_at_ms BIGINT NOT NULL, \
     in_progress_at_ms BIGINT NULL, finalizing_at_ms BIGINT NULL, cancelling_at_ms BIGINT NULL, ended_at_ms BIGINT NULL, \
     step_after_ms BIGINT NULL, remove_after_ms BIGINT NULL)";

/// `byte_offset` and `byte_length`: where it stands in the input file.
const LINES: &str = "CREATE TABLE batch_lines (batch_id UUID NOT NULL, line INTEGER NOT NULL, tenant_id UUID NOT NULL, custom_id TEXT NULL, \
     byte_offset BIGINT NOT NULL, byte_length INTEGER NOT NULL, state TEXT NOT NULL, job_id UUID NULL, billed_ms BIGINT NOT NULL, \
     error_code TEXT NULL, error_text TEXT NULL, error_param TEXT NULL, finished_number INTEGER NULL, PRIMARY KEY (batch_id, line))";

const STATEMENTS: [&str; 13] = [
    BATCHES,
    "CREATE INDEX batches_of_tenant ON batches (tenant_id, id, lines)",
    "CREATE INDEX batches_by_step ON batches (step_after_ms) WHERE step_after_ms IS NOT NULL",
    "CREATE INDEX batches_open_of_tenant ON batches (tenant_id, input_file_id) WHERE ended_at_ms IS NULL",
    "CREATE INDEX batches_to_remove ON batches (remove_after_ms) WHERE remove_after_ms IS NOT NULL",
    "CREATE INDEX batches_by_user ON batches (user_id)",
    "CREATE UNIQUE INDEX batches_by_idempotency_key ON batches (tenant_id, idempotency_key) WHERE idempotency_key IS NOT NULL",
    LINES,
    "CREATE UNIQUE INDEX batch_lines_by_custom_id ON batch_lines (batch_id, custom_id) WHERE custom_id IS NOT NULL AND state <> 'invalid'",
    "CREATE INDEX batch_lines_by_state ON batch_lines (batch_id, state, line, billed_ms)",
    "CREATE UNIQUE INDEX batch_lines_by_number ON batch_lines (batch_id, finished_number) WHERE finished_number IS NOT NULL",
    "ALTER TABLE jobs ADD COLUMN batch_id UUID NULL",
    "ALTER TABLE jobs ADD COLUMN batch_line INTEGER NULL",
];
/// A line becomes one job, whatever happens.
const ONE_JOB: &str = "CREATE UNIQUE INDEX jobs_by_batch_line ON jobs (batch_id, batch_line) WHERE batch_id IS NOT NULL";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for statement in STATEMENTS.into_iter().chain([ONE_JOB]) {
            manager.get_connection().execute_unprepared(statement).await?;
        }
        for table in ["batches", "batch_lines"] {
            m0035_row_level_security::protect(manager, table, "tenant_id").await?;
        }
        Ok(())
    }
}
