//! How many lines of a batch have a field that no request has.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

/// `unknown_line` and `unknown_field`: the first of these lines, and the first such field of it.
const STATEMENTS: [&str; 3] = [
    "ALTER TABLE batches ADD COLUMN unknown_lines INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE batches ADD COLUMN unknown_line INTEGER NULL",
    "ALTER TABLE batches ADD COLUMN unknown_field TEXT NULL",
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
