//! Events on their way to endpoints, and what was answered to each try.

use crate::steps_31_to_40::m0035_row_level_security::protect;
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

/// `tries`: since it waits; `attempts`: since it was made. One that somebody sends is leased, and due when the lease ends.
const STATEMENTS: [&str; 7] = [
    "CREATE TABLE webhook_deliveries (id UUID NOT NULL PRIMARY KEY, tenant_id UUID NOT NULL, endpoint_id UUID NOT NULL, event_id TEXT NOT NULL, \
     event_type TEXT NOT NULL, body TEXT NOT NULL, is_test BOOLEAN NOT NULL, state TEXT NOT NULL, tries INTEGER NOT NULL, \
     attempts INTEGER NOT NULL, due_at_ms BIGINT NOT NULL, leased_until_ms BIGINT NULL, created_at_ms BIGINT NOT NULL, \
     ended_at_ms BIGINT NULL, last_at_ms BIGINT NULL, last_status INTEGER NULL, last_error TEXT NULL)",
    "CREATE UNIQUE INDEX webhook_deliveries_by_event ON webhook_deliveries (endpoint_id, event_id)",
    "CREATE INDEX webhook_deliveries_due ON webhook_deliveries (endpoint_id, due_at_ms) WHERE state = 'pending'",
    "CREATE INDEX webhook_deliveries_leased ON webhook_deliveries (endpoint_id, leased_until_ms) WHERE leased_until_ms IS NOT NULL",
    "CREATE INDEX webhook_deliveries_by_endpoint ON webhook_deliveries (endpoint_id, created_at_ms, id)",
    "CREATE INDEX webhook_deliveries_by_state ON webhook_deliveries (endpoint_id, state, created_at_ms, id)",
    "CREATE INDEX webhook_deliveries_by_time ON webhook_deliveries (created_at_ms)",
];

const ATTEMPTS: &str = "CREATE TABLE webhook_attempts (delivery_id UUID NOT NULL, number INTEGER NOT NULL, tenant_id UUID NOT NULL, \
     at_ms BIGINT NOT NULL, took_ms BIGINT NOT NULL, status INTEGER NULL, error TEXT NULL, headers TEXT NOT NULL, answer TEXT NOT NULL, \
     PRIMARY KEY (delivery_id, number))";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for statement in STATEMENTS.into_iter().chain([ATTEMPTS]) {
            manager.get_connection().execute_unprepared(statement).await?;
        }
        protect(manager, "webhook_deliveries", "tenant_id").await?;
        protect(manager, "webhook_attempts", "tenant_id").await
    }
}
