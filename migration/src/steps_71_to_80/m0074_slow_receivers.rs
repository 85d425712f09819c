//! Which receivers are slow, and which deliveries are tests.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

/// `is_slow`: its last answer took long.
const STATEMENTS: [&str; 6] = [
    "ALTER TABLE webhook_endpoints ADD COLUMN is_slow BOOLEAN NOT NULL DEFAULT FALSE",
    "DROP INDEX webhook_endpoints_due",
    "DROP INDEX webhook_endpoints_due_failing",
    "CREATE INDEX webhook_endpoints_due ON webhook_endpoints (next_at_ms) \
     WHERE next_at_ms IS NOT NULL AND failing_since_ms IS NULL AND NOT is_slow",
    "CREATE INDEX webhook_endpoints_due_failing ON webhook_endpoints (next_at_ms) \
     WHERE next_at_ms IS NOT NULL AND (failing_since_ms IS NOT NULL OR is_slow)",
    "CREATE INDEX webhook_deliveries_tests ON webhook_deliveries (endpoint_id, created_at_ms, id) WHERE is_test",
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
