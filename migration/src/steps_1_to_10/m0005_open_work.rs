//! The open work of each tenant as a running total, so that taking a job in does not add up all that wait.

use sea_orm_migration::{prelude::*, schema::*};

#[derive(DeriveMigrationName)]
pub struct Migration;

/// Beside jobs that are taken in or end meanwhile this could count wrongly: the programs of the version before
/// keep no total. `store::OpenWork::repair` mends that.
const BACKFILL: &str = "UPDATE tenants SET open_ms = COALESCE((SELECT CAST(SUM(billed_ms) AS BIGINT) FROM jobs \
     WHERE jobs.tenant_id = tenants.id AND jobs.ended_at_ms IS NULL AND jobs.deleted_at_ms IS NULL), 0)";

/// SQLite walks an index for `IS NOT NULL` only when the index holds nothing else. Without this, looking for deleted
/// jobs read all jobs there are.
const DELETED_ALONE: [&str; 2] =
    ["DROP INDEX jobs_by_deletion", "CREATE INDEX jobs_by_deletion ON jobs (deleted_at_ms) WHERE deleted_at_ms IS NOT NULL"];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.alter_table(Table::alter().table("tenants").add_column(big_integer("open_ms").default(0)).take()).await?;
        for sql in [BACKFILL].iter().chain(&DELETED_ALONE) {
            manager.get_connection().execute_unprepared(sql).await?;
        }
        Ok(())
    }
}
