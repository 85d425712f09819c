//! Of which quote a batch is made.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let id = if manager.get_database_backend() == DbBackend::Sqlite { "uuid_text" } else { "UUID" };
        let statement = format!("ALTER TABLE batches ADD COLUMN quote_id {id} NULL");
        manager.get_connection().execute_unprepared(&statement).await?;
        Ok(())
    }
}
