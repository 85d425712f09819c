//! What a payment processor knows of tenants: who they are there, their subscriptions and invoices, and what was told it of their usage.

use super::m0035_row_level_security;
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

const STATEMENTS: [&str; 21] = [
    // What a plan gave and was left of it when another plan came: it is given again when that plan comes back in the same period.
    "ALTER TABLE grants ADD COLUMN ended_ms BIGINT NOT NULL DEFAULT 0",
    "ALTER TABLE tenants ADD COLUMN stripe_customer TEXT NULL",
    // The plan that was set because it is paid for; another one was set by the operator.
    "ALTER TABLE tenants ADD COLUMN paid_plan TEXT NULL",
    // When that plan ends, where its subscription was cancelled.
    "ALTER TABLE tenants ADD COLUMN paid_until_ms BIGINT NULL",
    // In a trial nothing is paid for afterwards.
    "ALTER TABLE tenants ADD COLUMN without_overage BOOLEAN NOT NULL DEFAULT FALSE",
    // Until then its videos are kept, however short its plan keeps them: another plan came that nobody gave it.
    "ALTER TABLE tenants ADD COLUMN kept_until_ms BIGINT NOT NULL DEFAULT 0",
    // Counts how often what is known was replaced, so that nothing older replaces something newer.
    "ALTER TABLE tenants ADD COLUMN payments_revision BIGINT NOT NULL DEFAULT 0",
    "CREATE UNIQUE INDEX tenants_by_stripe_customer ON tenants (stripe_customer) WHERE stripe_customer IS NOT NULL",
    "CREATE TABLE subscriptions (id TEXT NOT NULL PRIMARY KEY, tenant_id UUID NOT NULL, plan TEXT NULL, status TEXT NOT NULL, \
     began_at_ms BIGINT NOT NULL, period_starts_ms BIGINT NOT NULL, period_ends_ms BIGINT NOT NULL, anchor_ms BIGINT NOT NULL, \
     cancel_at_ms BIGINT NULL, trial_ends_ms BIGINT NULL, ended_at_ms BIGINT NULL, monthly_minor BIGINT NOT NULL, currency TEXT NOT NULL, \
     past_due_since_ms BIGINT NULL)",
    "CREATE INDEX subscriptions_of_tenant ON subscriptions (tenant_id, began_at_ms)",
    "CREATE INDEX subscriptions_by_beginning ON subscriptions (began_at_ms)",
    "CREATE INDEX subscriptions_that_run ON subscriptions (plan) WHERE ended_at_ms IS NULL",
    "CREATE INDEX subscriptions_past_due ON subscriptions (past_due_since_ms) WHERE past_due_since_ms IS NOT NULL",
    "CREATE TABLE invoices (id TEXT NOT NULL PRIMARY KEY, tenant_id UUID NOT NULL, number TEXT NULL, status TEXT NOT NULL, \
     total_minor BIGINT NOT NULL, paid_minor BIGINT NOT NULL, currency TEXT NOT NULL, created_at_ms BIGINT NOT NULL, url TEXT NULL, \
     next_attempt_ms BIGINT NULL)",
    "CREATE INDEX invoices_of_tenant ON invoices (tenant_id, created_at_ms)",
    "CREATE INDEX invoices_by_age ON invoices (created_at_ms)",
    // Captures that are paid for afterwards, by the id of their entry.
    "CREATE TABLE meter_events (entry_id UUID NOT NULL PRIMARY KEY, tenant_id UUID NOT NULL, amount_ms BIGINT NOT NULL, at_ms BIGINT NOT NULL, \
     reported_at_ms BIGINT NULL)",
    "CREATE INDEX meter_events_to_report ON meter_events (at_ms) WHERE reported_at_ms IS NULL",
    "CREATE INDEX meter_events_by_age ON meter_events (reported_at_ms) WHERE reported_at_ms IS NOT NULL",
    "CREATE INDEX meter_events_of_tenant ON meter_events (tenant_id, at_ms)",
    // What was told, byte for byte, as long as it is known that it was.
    "ALTER TABLE inbox ADD COLUMN body TEXT NULL",
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for statement in STATEMENTS {
            manager.get_connection().execute_unprepared(statement).await?;
        }
        for table in ["subscriptions", "invoices", "meter_events"] {
            m0035_row_level_security::protect(manager, table, "tenant_id").await?;
        }
        Ok(())
    }
}
