//! What somebody made, and what is said of them, is found without looking through all there is: for the deletion of an account.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // A subject may be longer than what a tree of PostgreSQL holds, and is only ever asked for as a whole. Many say the same, but no address.
        let by_subject = match manager.get_database_backend() {
            DbBackend::Postgres => "CREATE INDEX audit_log_by_subject ON audit_log USING hash (subject) WHERE subject LIKE '%@%'",
            _ => "CREATE INDEX audit_log_by_subject ON audit_log (subject)",
        };
        for statement in [
            "CREATE INDEX jobs_by_user ON jobs (user_id, tenant_id)",
            "CREATE INDEX api_keys_by_user ON api_keys (user_id, tenant_id)",
            "CREATE INDEX usage_days_by_user ON usage_days (user_id, tenant_id)",
            by_subject,
        ] {
            manager.get_connection().execute_unprepared(statement).await?;
        }
        Ok(())
    }
}
