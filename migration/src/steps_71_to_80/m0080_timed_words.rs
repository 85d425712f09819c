//! What a stage took goes by the words of its prompt as well: numbers by which they are told apart and not known again.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.get_connection().execute_unprepared("ALTER TABLE stage_timings ADD COLUMN words TEXT NULL").await?;
        Ok(())
    }
}
