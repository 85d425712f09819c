//! How the prompt of a job was read when it was taken in, and which words mean something to a model, as JSON. Of models it is a
//! column of its own: servers of before refuse a manifest with an entry that they do not know.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for sql in ["ALTER TABLE jobs ADD COLUMN understanding TEXT", "ALTER TABLE models ADD COLUMN understands TEXT"] {
            manager.get_connection().execute_unprepared(sql).await?;
        }
        Ok(())
    }
}
