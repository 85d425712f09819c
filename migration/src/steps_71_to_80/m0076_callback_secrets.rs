//! Which secret signs the webhooks of a tenant's predictions: the secrets are derived, so it is enough to count them.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

/// `callback_secret`: how often it was rotated. Until `old_callback_secret_until_ms` the one of before signs too.
const STATEMENTS: [&str; 2] = [
    "ALTER TABLE tenants ADD COLUMN callback_secret BIGINT NOT NULL DEFAULT 0",
    "ALTER TABLE tenants ADD COLUMN old_callback_secret_until_ms BIGINT NULL",
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
