//! Links, invitations and mails of somebody are found without looking through all there are, inside of transactions that keep others waiting.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for statement in [
            "CREATE INDEX one_time_tokens_by_user ON one_time_tokens (user_id) WHERE user_id IS NOT NULL",
            "CREATE INDEX invitations_by_email ON invitations (email)",
            // Those that were given up, too.
            "DROP INDEX outbox_by_subject",
            "CREATE INDEX outbox_by_subject ON outbox (subject, number)",
        ] {
            manager.get_connection().execute_unprepared(statement).await?;
        }
        Ok(())
    }
}
