//! What of an invoice is for plans, and for which time: what subscriptions brought in is told from what was paid.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

/// Null until the invoice is fetched again.
const COLUMNS: [&str; 3] = ["plan_minor", "plan_starts_ms", "plan_ends_ms"];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for column in COLUMNS {
            manager.get_connection().execute_unprepared(&format!("ALTER TABLE invoices ADD COLUMN {column} BIGINT NULL")).await?;
        }
        Ok(())
    }
}
