//! A first try of a request looks at those alone that overtook another, of all that are alike: of these there may be many.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

const STATEMENTS: [&str; 2] = [
    "DROP INDEX unconfirmed_jobs_by_fingerprint",
    "CREATE INDEX unconfirmed_jobs_by_fingerprint ON unconfirmed_jobs (tenant_id, fingerprint, retry_count_least)",
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
