//! Projects, and what a key of one may do. The first project of each tenant has the tenant's id, and all that there was belongs to it.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

/// `scopes`: names with spaces between them. `replaced_by`: the key that it was rotated to. `spender_id`: the first of the
/// keys that were rotated to this one, whose spending limit it shares; null where it is the first.
const STATEMENTS: [&str; 15] = [
    "CREATE TABLE projects (id UUID NOT NULL PRIMARY KEY, tenant_id UUID NOT NULL, name TEXT NOT NULL, created_at_ms BIGINT NOT NULL, \
     archived_at_ms BIGINT NULL)",
    "CREATE INDEX projects_by_tenant ON projects (tenant_id, created_at_ms)",
    "INSERT INTO projects SELECT id, id, 'Default', created_at_ms, NULL FROM tenants",
    "ALTER TABLE api_keys ADD COLUMN project_id UUID NULL",
    "ALTER TABLE api_keys ADD COLUMN scopes TEXT NOT NULL DEFAULT 'all'",
    "ALTER TABLE api_keys ADD COLUMN expires_at_ms BIGINT NULL",
    "ALTER TABLE api_keys ADD COLUMN requests_per_minute INTEGER NULL",
    "ALTER TABLE api_keys ADD COLUMN replaced_by UUID NULL",
    "ALTER TABLE api_keys ADD COLUMN spender_id UUID NULL",
    "UPDATE api_keys SET project_id = tenant_id",
    // Null is the first project too: servers of the version before take jobs in until they are stopped.
    "ALTER TABLE jobs ADD COLUMN project_id UUID NULL",
    "UPDATE jobs SET project_id = tenant_id",
    // The project belongs to what a row is found by.
    "CREATE TABLE usage_of_days (tenant_id UUID NOT NULL, day INTEGER NOT NULL, model TEXT NOT NULL, project_id UUID NOT NULL, \
     api_key_id UUID NOT NULL, user_id UUID NOT NULL, lane TEXT NOT NULL, currency TEXT NOT NULL, succeeded BIGINT NOT NULL, \
     failed BIGINT NOT NULL, cancelled BIGINT NOT NULL, charged_ms BIGINT NOT NULL, cost_thousandths BIGINT NOT NULL, \
     PRIMARY KEY (tenant_id, day, model, project_id, api_key_id, user_id, lane, currency))",
    "INSERT INTO usage_of_days SELECT tenant_id, day, model, tenant_id, api_key_id, user_id, lane, currency, succeeded, failed, cancelled, \
     charged_ms, cost_thousandths FROM usage_days",
    "DROP TABLE usage_days",
];

const RENAME: &str = "ALTER TABLE usage_of_days RENAME TO usage_days";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for statement in STATEMENTS.into_iter().chain([RENAME]) {
            manager.get_connection().execute_unprepared(statement).await?;
        }
        Ok(())
    }
}
