//! One server at a time decides how many workers there are; what was decided, and which workers are to end.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

const STATEMENTS: [&str; 4] = [
    "CREATE TABLE leaders (name TEXT NOT NULL PRIMARY KEY, holder TEXT NOT NULL, until_ms BIGINT NOT NULL)",
    "CREATE TABLE scaling_decisions (id TEXT NOT NULL PRIMARY KEY, at_ms BIGINT NOT NULL, device TEXT NOT NULL, workers INTEGER NOT NULL, \
     wanted INTEGER NOT NULL, started INTEGER NOT NULL, drained INTEGER NOT NULL, reason TEXT NOT NULL)",
    "CREATE INDEX scaling_decisions_by_time ON scaling_decisions (at_ms)",
    "ALTER TABLE workers ADD COLUMN draining_since_ms BIGINT NULL",
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
