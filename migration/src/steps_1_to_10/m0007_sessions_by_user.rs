//! Whose a session is, so that nobody keeps any number of them.

use sea_orm_migration::{prelude::*, schema::*};

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.alter_table(Table::alter().table("sessions").add_column(uuid_null("user_id")).take()).await?;
        let sql = "CREATE INDEX sessions_by_user ON sessions (user_id, expires_at_ms) WHERE user_id IS NOT NULL";
        manager.get_connection().execute_unprepared(sql).await.map(drop)
    }
}
