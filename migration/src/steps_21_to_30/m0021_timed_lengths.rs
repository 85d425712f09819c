//! How long the video was that a stage was timed with. Servers of before leave it out, and so say nothing of it.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.get_connection().execute_unprepared("ALTER TABLE stage_timings ADD COLUMN duration_ms BIGINT").await?;
        Ok(())
    }
}
