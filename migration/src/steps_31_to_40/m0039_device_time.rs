//! What devices do with their time, by day: for jobs, by tenant and model, and otherwise.

use super::m0035_row_level_security;
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

const STATEMENTS: [&str; 6] = [
    // Of the lease that runs, as its worker has told last.
    "ALTER TABLE jobs ADD COLUMN lease_device_ms BIGINT NOT NULL DEFAULT 0",
    "CREATE TABLE device_days (day INTEGER NOT NULL, device TEXT NOT NULL, present_ms BIGINT NOT NULL, idle_ms BIGINT NOT NULL, \
     loading_ms BIGINT NOT NULL, PRIMARY KEY (day, device))",
    "CREATE TABLE device_work_days (day INTEGER NOT NULL, tenant_id UUID NOT NULL, model TEXT NOT NULL, device TEXT NOT NULL, \
     done_ms BIGINT NOT NULL, failed_ms BIGINT NOT NULL, cancelled_ms BIGINT NOT NULL, PRIMARY KEY (day, tenant_id, model, device))",
    "CREATE INDEX usage_days_by_day ON usage_days (day)",
    // Of whom a body tells: it is forgotten with them.
    "ALTER TABLE inbox ADD COLUMN subject TEXT NULL",
    "CREATE INDEX inbox_by_subject ON inbox (subject) WHERE subject IS NOT NULL",
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for statement in STATEMENTS {
            manager.get_connection().execute_unprepared(statement).await?;
        }
        m0035_row_level_security::protect(manager, "device_work_days", "tenant_id").await
    }
}
