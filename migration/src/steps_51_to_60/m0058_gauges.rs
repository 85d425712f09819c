//! What waits and who works, looked at again and again and added up by minute, hour and day; and since when each version serves.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

const STATEMENTS: [&str; 2] = [
    "CREATE TABLE gauges (span TEXT NOT NULL, start_ms BIGINT NOT NULL, gauge TEXT NOT NULL, model TEXT NOT NULL, lane TEXT NOT NULL, \
     device TEXT NOT NULL, total BIGINT NOT NULL, highest BIGINT NOT NULL, PRIMARY KEY (span, start_ms, gauge, model, lane, device))",
    "CREATE TABLE served_versions (version TEXT NOT NULL PRIMARY KEY, first_at_ms BIGINT NOT NULL)",
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
