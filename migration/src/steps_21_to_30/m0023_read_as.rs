//! What a model gets in place of a job's prompt, where names stand in it for words that the model does not know. Of others it is
//! null, as of jobs of before.
//!
//! A worker of before leaves those words out, so while versions are mixed a job may be drawn without what was guessed.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.get_connection().execute_unprepared("ALTER TABLE jobs ADD COLUMN read_as TEXT").await?;
        Ok(())
    }
}
