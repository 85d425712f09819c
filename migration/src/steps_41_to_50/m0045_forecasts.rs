//! What was told of a job's time when it was submitted, and the throttled jobs of a model.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

const STATEMENTS: [&str; 5] = [
    // what was forecast, what most of it goes to, and the interval that was made of it
    "ALTER TABLE jobs ADD COLUMN forecast_ms BIGINT NULL",
    "ALTER TABLE jobs ADD COLUMN eta_basis TEXT NULL",
    "ALTER TABLE jobs ADD COLUMN eta_p50_ms BIGINT NULL",
    "ALTER TABLE jobs ADD COLUMN eta_p90_ms BIGINT NULL",
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
