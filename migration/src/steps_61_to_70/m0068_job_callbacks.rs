//! Jobs whose clients asked to be told of their course at an address, as clients of other services do.

use crate::steps_31_to_40::m0035_row_level_security::protect;
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

/// `style`: of which service the words are. `receiver`: what the address begins with, up to its port. `origin` and `api`: what the addresses in
/// what is told begin with. `logs_step`: that of which was told last. `end_told_ms`: the end of the job that was told.
const STATEMENTS: [&str; 6] = [
    "CREATE TABLE job_callbacks (job_id UUID NOT NULL PRIMARY KEY, tenant_id UUID NOT NULL, style TEXT NOT NULL, url TEXT NOT NULL, \
     receiver TEXT NOT NULL, event_types TEXT NOT NULL, origin TEXT NOT NULL, api TEXT NOT NULL, start_told BOOLEAN NOT NULL, \
     logs_step INTEGER NOT NULL, logs_told_ms BIGINT NULL, end_told_ms BIGINT NULL)",
    // An endpoint with a receiver is the line of all callbacks there, and no endpoint of its tenant's.
    "ALTER TABLE webhook_endpoints ADD COLUMN receiver TEXT NULL",
    "CREATE UNIQUE INDEX webhook_endpoints_by_receiver ON webhook_endpoints (tenant_id, receiver) WHERE receiver IS NOT NULL AND deleted_at_ms IS NULL",
    "CREATE INDEX webhook_endpoints_idle ON webhook_endpoints (updated_at_ms) WHERE receiver IS NOT NULL AND deleted_at_ms IS NULL",
    "ALTER TABLE webhook_deliveries ADD COLUMN job_id UUID NULL",
    "CREATE INDEX webhook_deliveries_by_job ON webhook_deliveries (job_id) WHERE job_id IS NOT NULL AND state = 'pending'",
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for statement in STATEMENTS {
            manager.get_connection().execute_unprepared(statement).await?;
        }
        protect(manager, "job_callbacks", "tenant_id").await
    }
}
