//! What became of alerts: when each fired and was resolved, with what was measured, and who silenced what.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

const STATEMENTS: [&str; 2] = [
    "CREATE TABLE alert_history (id TEXT NOT NULL PRIMARY KEY, rule_id TEXT NULL, name TEXT NOT NULL, severity TEXT NOT NULL, what TEXT NOT NULL, \
     at_ms BIGINT NOT NULL, value DOUBLE PRECISION NULL, note TEXT NOT NULL)",
    "CREATE INDEX alert_history_by_time ON alert_history (at_ms)",
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
