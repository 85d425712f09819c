//! How much a tenant, a project or a key may use in a month, and what each that has such a limit has used.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

/// `kind`, `subject_id`: whose; see `domain::billing::Spender`. `held_ms`: for open jobs. `charged_ms`: from `from_day` up to and without
/// `until_day`, the month in which something was charged last. `told_from_day`: the month in which it was told last that `soft_ms` was reached.
const TABLE: &str = "CREATE TABLE spending_limits (tenant_id UUID NOT NULL, kind TEXT NOT NULL, subject_id UUID NOT NULL, \
     hard_ms BIGINT NULL, soft_ms BIGINT NULL, held_ms BIGINT NOT NULL CHECK (held_ms >= 0), charged_ms BIGINT NOT NULL, \
     from_day INTEGER NOT NULL, until_day INTEGER NOT NULL, told_from_day INTEGER NULL, PRIMARY KEY (tenant_id, kind, subject_id))";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for statement in [
            TABLE,
            // Whether there is any row of the tenant: those who have none are not looked for.
            "ALTER TABLE tenants ADD COLUMN has_spending_limits BOOLEAN NOT NULL DEFAULT FALSE",
        ] {
            manager.get_connection().execute_unprepared(statement).await?;
        }
        Ok(())
    }
}
