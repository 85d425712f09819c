//! The tenants of a plan: whose videos end with what it keeps.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.get_connection().execute_unprepared("CREATE INDEX tenants_by_plan ON tenants (plan, id)").await.map(drop)
    }
}
