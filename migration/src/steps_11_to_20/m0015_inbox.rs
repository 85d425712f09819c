//! What others have told us already, so that it is taken in once however often they tell it.

use sea_orm_migration::{prelude::*, schema::*};

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let inbox = Table::create()
            .table("inbox")
            .col(text("source"))
            .col(text("name"))
            .col(big_integer("received_at_ms"))
            .primary_key(Index::create().col("source").col("name"))
            .take();
        manager.create_table(inbox).await?;
        let by_age = "CREATE INDEX inbox_by_age ON inbox (received_at_ms)";
        manager.get_connection().execute_unprepared(by_age).await.map(drop)
    }
}
