//! What a tenant has waiting, counted and cancelled without a look at its rows.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // SQLite looks at the row for a column of the condition that the index does not have.
        let sql = "CREATE INDEX jobs_waiting_by_tenant ON jobs (tenant_id, created_at_ms, id, billed_ms, step, state, deleted_at_ms) \
            WHERE step = 0 AND deleted_at_ms IS NULL AND state IN ('ready', 'retry_sampling', 'retry_decoding')";
        manager.get_connection().execute_unprepared(sql).await.map(drop)
    }
}
