//! How the parts of the installation fared, minute by minute in sums of a day; what the operator told everybody of trouble; and the trace that
//! a job belongs to.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

const STATEMENTS: [&str; 6] = [
    "CREATE TABLE status_parts (part TEXT NOT NULL PRIMARY KEY, state TEXT NOT NULL, since_ms BIGINT NOT NULL, seen_ms BIGINT NOT NULL)",
    "CREATE TABLE status_days (part TEXT NOT NULL, day INTEGER NOT NULL, works INTEGER NOT NULL, degraded INTEGER NOT NULL, \
     down INTEGER NOT NULL, PRIMARY KEY (part, day))",
    "CREATE TABLE status_incidents (id TEXT NOT NULL PRIMARY KEY, title TEXT NOT NULL, begun_at_ms BIGINT NOT NULL, ended_at_ms BIGINT NULL)",
    "CREATE INDEX status_incidents_by_time ON status_incidents (begun_at_ms)",
    "CREATE TABLE status_updates (incident_id TEXT NOT NULL, number INTEGER NOT NULL, at_ms BIGINT NOT NULL, state TEXT NOT NULL, \
     text TEXT NOT NULL, PRIMARY KEY (incident_id, number))",
    "ALTER TABLE jobs ADD COLUMN traceparent TEXT NULL",
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
