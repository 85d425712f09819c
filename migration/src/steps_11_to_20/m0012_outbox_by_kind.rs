//! Events that are due, by their kind: those of a kind that no process delivers are passed over without being read.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for statement in [
            "CREATE INDEX outbox_due_of_kind ON outbox (kind, due_at_ms, number) WHERE given_up_at_ms IS NULL AND NOT behind",
            "DROP INDEX outbox_due",
        ] {
            manager.get_connection().execute_unprepared(statement).await?;
        }
        Ok(())
    }
}
