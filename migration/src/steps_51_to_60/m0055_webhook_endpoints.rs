//! Where tenants want to be told of events.

use crate::steps_31_to_40::m0035_row_level_security::protect;
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

/// `event_types`: names with spaces between them. `next_at_ms`: when the next of its deliveries may be begun; null where none waits, or
/// none is to be begun. `pending`: deliveries that wait.
const STATEMENTS: [&str; 4] = [
    "CREATE TABLE webhook_endpoints (id UUID NOT NULL PRIMARY KEY, tenant_id UUID NOT NULL, name TEXT NOT NULL, url TEXT NOT NULL, \
     event_types TEXT NOT NULL, sealed_secret TEXT NOT NULL, secret_hint TEXT NOT NULL, old_sealed_secret TEXT NULL, \
     old_secret_until_ms BIGINT NULL, created_at_ms BIGINT NOT NULL, updated_at_ms BIGINT NOT NULL, disabled_at_ms BIGINT NULL, \
     disabled_reason TEXT NULL, deleted_at_ms BIGINT NULL, failing_since_ms BIGINT NULL, pending BIGINT NOT NULL DEFAULT 0, \
     next_at_ms BIGINT NULL)",
    "CREATE INDEX webhook_endpoints_by_tenant ON webhook_endpoints (tenant_id, created_at_ms, id)",
    "CREATE INDEX webhook_endpoints_due ON webhook_endpoints (next_at_ms) WHERE next_at_ms IS NOT NULL AND failing_since_ms IS NULL",
    "CREATE INDEX webhook_endpoints_due_failing ON webhook_endpoints (next_at_ms) WHERE next_at_ms IS NOT NULL AND failing_since_ms IS NOT NULL",
];

const DELETED: &str = "CREATE INDEX webhook_endpoints_deleted ON webhook_endpoints (deleted_at_ms) WHERE deleted_at_ms IS NOT NULL";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for statement in STATEMENTS.into_iter().chain([DELETED]) {
            manager.get_connection().execute_unprepared(statement).await?;
        }
        protect(manager, "webhook_endpoints", "tenant_id").await
    }
}
