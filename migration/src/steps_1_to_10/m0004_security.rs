//! Tries at signing in, sessions and submissions that are remembered, objects that cannot be removed, rows that
//! cannot be read, and the few values that all processes share.

use sea_orm_migration::{prelude::*, schema::*};

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table("sign_in_failures").take()).await?;
        for table in [tries(), settings(), unreadable_rows()] {
            manager.create_table(table).await?;
        }
        for statement in [
            "CREATE INDEX tries_by_end ON tries (forgotten_at_ms)",
            // Their ids stood here in clear. A digest cannot be made of them in SQL on both engines, so all end.
            "DELETE FROM sessions",
            "ALTER TABLE artifacts ADD COLUMN removal_failures INTEGER NOT NULL DEFAULT 0",
            "ALTER TABLE artifacts ADD COLUMN remove_after_ms BIGINT NOT NULL DEFAULT 0",
            "DROP INDEX artifacts_unneeded",
            "CREATE INDEX artifacts_to_remove ON artifacts (remove_after_ms, unneeded_since_ms) WHERE unneeded_since_ms IS NOT NULL",
        ] {
            manager.get_connection().execute_unprepared(statement).await?;
        }
        free_idempotency_keys(manager).await
    }
}

/// A key outlives its job. SQLite cannot drop a foreign key, so the table is made anew.
async fn free_idempotency_keys(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager.create_table(idempotency_keys("idempotency_keys_new")).await?;
    for statement in [
        "INSERT INTO idempotency_keys_new (tenant_id, key, fingerprint, job_id, created_at_ms) \
         SELECT tenant_id, key, fingerprint, job_id, created_at_ms FROM idempotency_keys",
        "DROP TABLE idempotency_keys",
        "ALTER TABLE idempotency_keys_new RENAME TO idempotency_keys",
        "CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at_ms)",
    ] {
        manager.get_connection().execute_unprepared(statement).await?;
    }
    Ok(())
}

/// Failures by subject, a digest of whom they are counted against; see `domain::account::tries`.
fn tries() -> TableCreateStatement {
    Table::create()
        .table("tries")
        .col(text("subject").primary_key())
        .col(big_integer("last_at_ms"))
        .col(big_integer("forgotten_at_ms"))
        .take()
}

/// Values that are drawn once and shared by all processes, such as the id of the object store.
fn settings() -> TableCreateStatement {
    Table::create().table("settings").col(text("name").primary_key()).col(text("value")).take()
}

/// Rows that a process could not make sense of, for the operator.
fn unreadable_rows() -> TableCreateStatement {
    Table::create()
        .table("unreadable_rows")
        .col(text("table_name"))
        .col(text("row_id"))
        .col(text("column_name"))
        .col(text("reason"))
        .col(big_integer("first_seen_ms"))
        .col(big_integer("last_seen_ms"))
        .primary_key(Index::create().col("table_name").col("row_id"))
        .take()
}

/// Which job a client's key stands for; the job may be gone.
fn idempotency_keys(name: &'static str) -> TableCreateStatement {
    Table::create()
        .table(name)
        .col(uuid("tenant_id"))
        .col(text("key"))
        .col(text("fingerprint"))
        .col(uuid("job_id"))
        .col(big_integer("created_at_ms"))
        .primary_key(Index::create().col("tenant_id").col("key"))
        .take()
}
