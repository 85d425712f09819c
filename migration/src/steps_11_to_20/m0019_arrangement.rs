//! Where things were put by whoever asked for a job, and where all of them are drawn now that it is finished, as JSON. Servers and
//! workers of before neither read nor write it: with them a job is made as if nothing had been put anywhere.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for sql in ["ALTER TABLE jobs ADD COLUMN arrangement TEXT", "ALTER TABLE jobs ADD COLUMN layout TEXT"] {
            manager.get_connection().execute_unprepared(sql).await?;
        }
        Ok(())
    }
}
