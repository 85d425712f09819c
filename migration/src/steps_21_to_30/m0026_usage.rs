//! What each tenant has used on each day, added up when jobs end: it stays when they are deleted.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

#[derive(DeriveMigrationName)]
pub struct Migration;

/// `day`: since 1970-01-01, in UTC. `cost_thousandths`: of the minor unit of `currency`; both nothing where nothing has a price.
const TABLE: &str = "CREATE TABLE usage_days (tenant_id UUID NOT NULL, day INTEGER NOT NULL, model TEXT NOT NULL, api_key_id UUID NOT NULL, \
     user_id UUID NOT NULL, lane TEXT NOT NULL, currency TEXT NOT NULL, succeeded BIGINT NOT NULL, failed BIGINT NOT NULL, \
     cancelled BIGINT NOT NULL, charged_ms BIGINT NOT NULL, cost_thousandths BIGINT NOT NULL, \
     PRIMARY KEY (tenant_id, day, model, api_key_id, user_id, lane, currency))";

/// Before there were charges, a video that was made counts with its price. `{nil}`: no key.
const BACKFILL: &str = "INSERT INTO usage_days SELECT tenant_id, CAST(ended_at_ms / 86400000 AS INTEGER), model, COALESCE(api_key_id, {nil}), user_id, \
     COALESCE(lane, 'interactive'), '', SUM(CASE state WHEN 'succeeded' THEN 1 ELSE 0 END), SUM(CASE state WHEN 'failed' THEN 1 ELSE 0 END), \
     SUM(CASE state WHEN 'cancelled' THEN 1 ELSE 0 END), \
     SUM(COALESCE(charged_ms, CASE state WHEN 'succeeded' THEN billed_ms ELSE 0 END)), 0 \
     FROM jobs WHERE ended_at_ms IS NOT NULL GROUP BY 1, 2, 3, 4, 5, 6";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let nil = match manager.get_database_backend() {
            DbBackend::Sqlite => "zeroblob(16)",
            _ => "'00000000-0000-0000-0000-000000000000'::uuid",
        };
        for statement in [TABLE, &BACKFILL.replace("{nil}", nil)] {
            manager.get_connection().execute_unprepared(statement).await?;
        }
        Ok(())
    }
}
