//! Changes of plans: one at a time, and a month of a plan is paid once.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

/// `plans`: those that were paid for in the period that runs, with commas between them. `plan_change_until_ms`: nobody else changes the plan until
/// then. `next_plan`: what follows on a subscription that ends.
const STATEMENTS: [&str; 4] = [
    "ALTER TABLE subscriptions ADD COLUMN plans TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE tenants ADD COLUMN plan_change_until_ms BIGINT NOT NULL DEFAULT 0",
    "ALTER TABLE tenants ADD COLUMN next_plan TEXT NULL",
    "CREATE INDEX grants_that_were_bought ON grants (created_at_ms) WHERE kind = 'purchase'",
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for statement in STATEMENTS {
            manager.get_connection().execute_unprepared(statement).await?;
        }
        Ok(())
    }
}
