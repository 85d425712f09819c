//! What is kept of attempts that failed, and what a device must have for their job; the memory of devices.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

const STATEMENTS: [&str; 3] = [
    // a list in JSON, of limited length
    "ALTER TABLE jobs ADD COLUMN failed_attempts TEXT NULL",
    // of the stage that waits or runs
    "ALTER TABLE jobs ADD COLUMN needs_memory_bytes BIGINT NULL",
    "ALTER TABLE workers ADD COLUMN memory_bytes BIGINT NULL",
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
