//! The request that a job came with, so that the logs of server and workers can be read as one story.

use sea_orm_migration::{prelude::*, schema::*};

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let mut column = text_null("trace_id");
        manager.alter_table(Table::alter().table("jobs").add_column(&mut column).take()).await
    }
}
