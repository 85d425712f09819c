//! Events that nobody has tried to deliver yet: those among them that seem to be due later are found without a walk over all that wait
//! for another try.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let sql = "CREATE INDEX outbox_new_of_kind ON outbox (kind, due_at_ms, number) WHERE given_up_at_ms IS NULL AND NOT behind AND attempts = 0";
        manager.get_connection().execute_unprepared(sql).await?;
        Ok(())
    }
}
