//! When a job came into the queue that was kept outside of it, or laid aside.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.get_connection().execute_unprepared("ALTER TABLE jobs ADD COLUMN queued_at_ms BIGINT NULL").await?;
        Ok(())
    }
}
