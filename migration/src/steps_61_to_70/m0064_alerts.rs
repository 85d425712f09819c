//! Rules of which the operator is told, how each stands, where they are told to, and silences. Nothing of a tenant is in them.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

const STATEMENTS: [&str; 5] = [
    "CREATE TABLE alert_rules (id TEXT NOT NULL PRIMARY KEY, rule TEXT NOT NULL, is_enabled BOOLEAN NOT NULL, standing TEXT NOT NULL, \
     version BIGINT NOT NULL, changed_at_ms BIGINT NOT NULL)",
    "CREATE TABLE alert_addresses (id TEXT NOT NULL PRIMARY KEY, kind TEXT NOT NULL, target TEXT NOT NULL, sealed_secret TEXT NULL, \
     secret_hint TEXT NULL, made_at_ms BIGINT NOT NULL, last_at_ms BIGINT NULL, last_error TEXT NULL, UNIQUE (kind, target))",
    "CREATE TABLE alert_silences (id TEXT NOT NULL PRIMARY KEY, rule_id TEXT NULL, from_ms BIGINT NOT NULL, until_ms BIGINT NOT NULL, \
     reason TEXT NOT NULL, user_id TEXT NULL)",
    "CREATE INDEX alert_silences_by_end ON alert_silences (until_ms)",
    "CREATE INDEX users_operators ON users (id) WHERE is_operator",
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
