//! What a model gets in place of a job's prompt, where that was made richer. Of others it is null, as of jobs of before.
//!
//! A worker of before gives the model the prompt as it was typed, so while versions are mixed a job may be drawn as if it had not
//! been asked for.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.get_connection().execute_unprepared("ALTER TABLE jobs ADD COLUMN expanded_prompt TEXT").await?;
        Ok(())
    }
}
