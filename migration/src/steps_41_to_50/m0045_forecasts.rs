//! What was told of a job's time when it was submitted, and what that was made of: slots of workers, devices of times, and the work of jobs.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

const STATEMENTS: [&str; 11] = [
    // what was forecast, what most of it goes to, and the interval that was made of it
    "ALTER TABLE jobs ADD COLUMN forecast_ms BIGINT NULL",
    "ALTER TABLE jobs ADD COLUMN eta_basis TEXT NULL",
    "ALTER TABLE jobs ADD COLUMN eta_p50_ms BIGINT NULL",
    "ALTER TABLE jobs ADD COLUMN eta_p90_ms BIGINT NULL",
    "ALTER TABLE workers ADD COLUMN sampling_slots INTEGER NULL",
    "ALTER TABLE workers ADD COLUMN interactive_slots INTEGER NULL",
    "ALTER TABLE workers ADD COLUMN decoding_slots INTEGER NULL",
    // the kind of device that took so long
    "ALTER TABLE stage_timings ADD COLUMN device TEXT NULL",
    "CREATE INDEX stage_timings_by_time ON stage_timings (measured_at_ms, id)",
    // by which shares of the queue count a job; none: what it is billed
    "ALTER TABLE jobs ADD COLUMN work_ms BIGINT NULL",
    "CREATE INDEX jobs_throttled_by_model ON jobs (state, model) WHERE state = 'throttled'",
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
