//! The end of a job in a late one of the futures that it was followed into, when its time was told.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.get_connection().execute_unprepared("ALTER TABLE jobs ADD COLUMN forecast_late_ms BIGINT NULL").await.map(drop)
    }
}
