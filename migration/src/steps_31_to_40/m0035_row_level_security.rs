//! On PostgreSQL, rows of tenants are seen and written only by transactions that say whose rows they may touch.
//!
//! `reelmill.tenant` holds the id of one tenant, `reelmill.system` is `on` for what is done for all; both are set for a transaction alone. Without
//! either there are no rows. A superuser, and a role with BYPASSRLS, see everything all the same.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

#[derive(DeriveMigrationName)]
pub struct Migration;

/// With the column that holds the tenant.
const TABLES: [(&str, &str); 13] = [
    ("tenants", "id"),
    ("jobs", "tenant_id"),
    ("api_keys", "tenant_id"),
    ("memberships", "tenant_id"),
    ("invitations", "tenant_id"),
    ("idempotency_keys", "tenant_id"),
    ("unconfirmed_jobs", "tenant_id"),
    ("grants", "tenant_id"),
    ("ledger_entries", "tenant_id"),
    ("usage_days", "tenant_id"),
    ("audit_log", "tenant_id"),
    ("projects", "tenant_id"),
    ("spending_limits", "tenant_id"),
];
/// Whose rows hang on a job, and are seen by whoever sees that.
const OF_JOBS: [&str; 2] = ["artifacts", "previews"];

/// Asked once for each statement, not for each row.
const IS_SYSTEM: &str = "(SELECT current_setting('reelmill.system', true)) = 'on'";
const TENANT: &str = "(SELECT NULLIF(current_setting('reelmill.tenant', true), '')::uuid)";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for (table, column) in TABLES {
            protect(manager, table, column).await?;
        }
        for table in OF_JOBS {
            allow(manager, table, &format!("EXISTS (SELECT 1 FROM jobs WHERE jobs.id = {table}.job_id)")).await?;
        }
        Ok(())
    }
}

/// Of rows of this table those are seen and written whose `column` is the tenant that the transaction names.
pub(crate) async fn protect(manager: &SchemaManager<'_>, table: &str, column: &str) -> Result<(), DbErr> {
    allow(manager, table, &format!("{column} = {TENANT}")).await
}

async fn allow(manager: &SchemaManager<'_>, table: &str, is_own: &str) -> Result<(), DbErr> {
    if manager.get_database_backend() != DbBackend::Postgres {
        return Ok(());
    }
    let allowed = format!("{IS_SYSTEM} OR {is_own}");
    for sql in [
        format!("ALTER TABLE {table} ENABLE ROW LEVEL SECURITY"),
        // Also for the owner of the tables, which the server's role is.
        format!("ALTER TABLE {table} FORCE ROW LEVEL SECURITY"),
        format!("CREATE POLICY own_rows ON {table} USING ({allowed}) WITH CHECK ({allowed})"),
    ] {
        manager.get_connection().execute_unprepared(&sql).await?;
    }
    Ok(())
}
