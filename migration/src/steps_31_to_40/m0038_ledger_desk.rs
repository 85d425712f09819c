//! What the operator's work on the ledger needs: entries of all tenants by kind and time, refunds of a part, promo codes.

use super::m0035_row_level_security;
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

const STATEMENTS: [&str; 10] = [
    // Of refunds: names the one that it is part of. Another refund of the same job is another row.
    "ALTER TABLE ledger_entries ADD COLUMN cause TEXT NOT NULL DEFAULT ''",
    "DROP INDEX ledger_once_for_a_job",
    "CREATE UNIQUE INDEX ledger_once_for_a_job ON ledger_entries (job_id, kind, grant_id, cause) WHERE job_id IS NOT NULL",
    // All kinds of a page are read by these, each kind by itself.
    "CREATE INDEX ledger_by_kind ON ledger_entries (kind, at_ms, id)",
    "CREATE INDEX ledger_of_tenant_by_kind ON ledger_entries (tenant_id, kind, at_ms, id)",
    // From then on it may have been told.
    "ALTER TABLE meter_events ADD COLUMN begun_at_ms BIGINT NULL",
    // `audience`: as `domain::billing::Audience` is stored. `credit_days`: after how many days what it gave can be used no longer.
    "CREATE TABLE promo_codes (id UUID NOT NULL PRIMARY KEY, code TEXT NOT NULL UNIQUE, amount_ms BIGINT NOT NULL CHECK (amount_ms > 0), \
     credit_days INTEGER NULL, valid_until_ms BIGINT NULL, uses_max BIGINT NULL, uses BIGINT NOT NULL, audience TEXT NOT NULL, \
     created_by UUID NULL, created_at_ms BIGINT NOT NULL, archived_at_ms BIGINT NULL, CHECK (uses_max IS NULL OR uses <= uses_max))",
    // A tenant uses a code once.
    "CREATE TABLE promo_redemptions (tenant_id UUID NOT NULL, code_id UUID NOT NULL, at_ms BIGINT NOT NULL, PRIMARY KEY (tenant_id, code_id))",
    "CREATE INDEX promo_redemptions_of_code ON promo_redemptions (code_id, at_ms)",
    "UPDATE meter_events SET begun_at_ms = reported_at_ms",
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for statement in STATEMENTS {
            manager.get_connection().execute_unprepared(statement).await?;
        }
        m0035_row_level_security::protect(manager, "promo_redemptions", "tenant_id").await
    }
}
