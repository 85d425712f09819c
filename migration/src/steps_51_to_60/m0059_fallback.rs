//! The other model by which a job may be made that its own cannot make, and what is held where the two prices differ.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

const STATEMENTS: [&str; 4] = [
    "ALTER TABLE jobs ADD COLUMN fallback TEXT NULL",
    "ALTER TABLE jobs ADD COLUMN fallback_texts TEXT NULL",
    "ALTER TABLE jobs ADD COLUMN requested_model TEXT NULL",
    "ALTER TABLE jobs ADD COLUMN price_ms BIGINT NULL",
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
