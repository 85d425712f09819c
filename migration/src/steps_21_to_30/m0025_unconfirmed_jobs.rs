//! Jobs that were taken in from clients which send no idempotency key, but say how often they have sent a request before.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for statement in [
            "CREATE TABLE unconfirmed_jobs (job_id UUID NOT NULL PRIMARY KEY, tenant_id UUID NOT NULL, api_key_id UUID NULL, \
             fingerprint TEXT NOT NULL, retry_count INTEGER NOT NULL, retry_count_least INTEGER NOT NULL, created_at_ms BIGINT NOT NULL)",
            "CREATE INDEX unconfirmed_jobs_by_fingerprint ON unconfirmed_jobs (tenant_id, fingerprint)",
            "CREATE INDEX unconfirmed_jobs_by_age ON unconfirmed_jobs (created_at_ms)",
        ] {
            manager.get_connection().execute_unprepared(statement).await?;
        }
        Ok(())
    }
}
