//! Tenants and users that are deleted, until what refers to them is gone too.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for statement in [
            "ALTER TABLE tenants ADD COLUMN deleted_at_ms BIGINT",
            "ALTER TABLE users ADD COLUMN deleted_at_ms BIGINT",
            "CREATE INDEX tenants_deleted ON tenants (deleted_at_ms) WHERE deleted_at_ms IS NOT NULL",
            "CREATE INDEX users_deleted ON users (deleted_at_ms) WHERE deleted_at_ms IS NOT NULL",
        ] {
            manager.get_connection().execute_unprepared(statement).await?;
        }
        Ok(())
    }
}
