//! Which models a worker has.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // A list in JSON. Nothing: a worker of the version before, taken for one that has them all.
        manager.get_connection().execute_unprepared("ALTER TABLE workers ADD COLUMN models TEXT").await?;
        Ok(())
    }
}
