//! Which model is in the memory of which worker, which should be and why, and what loading takes.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

const STATEMENTS: [&str; 6] = [
    // both in JSON; none: nobody has said
    "ALTER TABLE workers ADD COLUMN held_models TEXT NULL",
    "ALTER TABLE workers ADD COLUMN desired_models TEXT NULL",
    "CREATE TABLE model_costs (model TEXT NOT NULL, device TEXT NOT NULL, load_ms BIGINT NULL, unload_ms BIGINT NULL, \
     memory_bytes BIGINT NULL, loads BIGINT NOT NULL, PRIMARY KEY (model, device))",
    // no time to keep warm: it stays until its memory is needed
    "CREATE TABLE model_rules (model TEXT NOT NULL PRIMARY KEY, pinned_workers INTEGER NOT NULL, keep_warm_ms BIGINT NULL)",
    "CREATE TABLE placement_changes (id TEXT NOT NULL PRIMARY KEY, at_ms BIGINT NOT NULL, worker TEXT NOT NULL, device TEXT NOT NULL, \
     model TEXT NOT NULL, is_load BOOLEAN NOT NULL, reason TEXT NOT NULL)",
    "CREATE INDEX placement_changes_by_time ON placement_changes (at_ms)",
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
