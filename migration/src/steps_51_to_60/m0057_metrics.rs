//! What the phases of a job took, and what is added up of jobs that have ended, by minute, hour and day.

use crate::steps_31_to_40::m0035_row_level_security;
use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

#[derive(DeriveMigrationName)]
pub struct Migration;

/// `counted_at_ms`: when the job was added to the tallies. `device`: the kind of device that sampled it. `tenant_id` of a tally is nil for those of
/// all tenants together. `paid` and `failures` are maps in JSON, `times` the sketches of all phases.
const JOBS: [&str; 11] = [
    "ALTER TABLE jobs ADD COLUMN counted_at_ms BIGINT NULL",
    "ALTER TABLE jobs ADD COLUMN device TEXT NULL",
    "ALTER TABLE jobs ADD COLUMN sampled_at_ms BIGINT NULL",
    "ALTER TABLE jobs ADD COLUMN load_ms BIGINT NULL",
    "ALTER TABLE jobs ADD COLUMN encode_ms BIGINT NULL",
    "ALTER TABLE jobs ADD COLUMN latents_upload_ms BIGINT NULL",
    "ALTER TABLE jobs ADD COLUMN sampling_device_ms BIGINT NULL",
    "ALTER TABLE jobs ADD COLUMN upload_ms BIGINT NULL",
    "ALTER TABLE jobs ADD COLUMN decoding_device_ms BIGINT NULL",
    "CREATE INDEX jobs_uncounted ON jobs (counted_at_ms, ended_at_ms) WHERE counted_at_ms IS NULL AND ended_at_ms IS NOT NULL",
    "CREATE INDEX jobs_by_end ON jobs (ended_at_ms, id) WHERE ended_at_ms IS NOT NULL",
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let bytes = if manager.get_database_backend() == DbBackend::Postgres { "BYTEA" } else { "BLOB" };
        let tallies = format!(
            "CREATE TABLE job_tallies (tenant_id UUID NOT NULL, span TEXT NOT NULL, start_ms BIGINT NOT NULL, model TEXT NOT NULL, \
             lane TEXT NOT NULL, device TEXT NOT NULL, succeeded BIGINT NOT NULL, failed BIGINT NOT NULL, cancelled BIGINT NOT NULL, \
             cold BIGINT NOT NULL, made_ms BIGINT NOT NULL, charged_ms BIGINT NOT NULL, sampling_device_ms BIGINT NOT NULL, \
             decoding_device_ms BIGINT NOT NULL, paid TEXT NOT NULL, failures TEXT NOT NULL, times {bytes} NOT NULL, \
             PRIMARY KEY (tenant_id, span, start_ms, model, lane, device))"
        );
        let by_time = "CREATE INDEX job_tallies_by_time ON job_tallies (span, start_ms)";
        for statement in JOBS.into_iter().chain([tallies.as_str(), by_time]) {
            manager.get_connection().execute_unprepared(statement).await?;
        }
        m0035_row_level_security::protect(manager, "job_tallies", "tenant_id").await
    }
}
