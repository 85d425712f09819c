//! How much of a job is decoded while its frames are drawn.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // Nothing: its worker has not said, as those of the version before do not.
        manager.get_connection().execute_unprepared("ALTER TABLE jobs ADD COLUMN decoded_permille INTEGER").await?;
        Ok(())
    }
}
