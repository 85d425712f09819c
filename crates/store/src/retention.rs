//! What plans keep no longer.

use crate::{Store, StoreError, billing, rows::ended};
use domain::{TenantId, Timestamp, retention::kept_since};
use sea_orm::{ConnectionTrait, DbBackend, FromQueryResult, Statement};
use uuid::Uuid;

/// A tenant, and whether it has any job that ended before a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TenantOfPlan {
    pub id: TenantId,
    pub has_ended: bool,
}

#[derive(FromQueryResult)]
struct Row {
    id: Uuid,
    ended: i64,
}

/// All are asked about at once: most have nothing that ends.
const TENANTS: &str = "SELECT id, CAST(CASE WHEN EXISTS (SELECT 1 FROM jobs WHERE jobs.tenant_id = tenants.id AND jobs.ended_at_ms < $1 \
     AND jobs.deleted_at_ms IS NULL) THEN 1 ELSE 0 END AS BIGINT) AS ended FROM tenants \
     WHERE plan = $2 AND deleted_at_ms IS NULL AND kept_until_ms <= $3 AND id > $4 ORDER BY id LIMIT $5";

fn tenants_of(
    backend: DbBackend,
    plan: &str,
    (ended_before, now): (Timestamp, Timestamp),
    after: Option<TenantId>,
    limit: u64,
) -> Statement {
    let (after, limit) = (after.map_or(Uuid::nil(), TenantId::uuid), i64::try_from(limit).unwrap_or(i64::MAX));
    let values = [ended_before.ms().into(), plan.into(), now.ms().into(), after.into(), limit.into()];
    Statement::from_sql_and_values(backend, TENANTS, values)
}

#[derive(Clone, Copy)]
pub struct Retention<'a> {
    store: &'a Store,
}

impl<'a> Retention<'a> {
    pub(crate) const fn new(store: &'a Store) -> Self {
        Self { store }
    }

    /// The next tenants that have this plan, and whose videos are not kept for another reason, at most `limit`, in the order of their ids.
    pub async fn tenants_of(
        self,
        plan: &str,
        ended_before: Timestamp,
        after: Option<TenantId>,
        limit: u64,
    ) -> Result<Vec<TenantOfPlan>, StoreError> {
        let statement = tenants_of(self.store.db.get_database_backend(), plan, (ended_before, self.store.now().await?), after, limit);
        let rows = Row::find_by_statement(statement).all(&self.store.db).await?;
        Ok(rows.into_iter().map(|row| TenantOfPlan { id: TenantId::from_uuid(row.id), has_ended: row.ended > 0 }).collect())
    }

    /// Deletes the jobs of a tenant that ended before `plan` keeps them, the oldest first and at most `limit`; says how many these were. Their
    /// objects and rows go with the next [`crate::Queue::garbage`]. Nothing where the tenant has another plan by now, or the plan keeps all.
    pub async fn delete_ended(self, tenant: TenantId, plan: &str, limit: u64) -> Result<u64, StoreError> {
        let mut write = self.store.write().await?;
        let row = billing::lock_tenant(&write.tx, tenant).await?;
        let days = billing::current_plan(&write.tx, &row.plan).await?.retention_days;
        let is_kept = row.plan != plan || row.kept_until_ms > write.now.ms();
        let Some(days) = days.filter(|_| !is_kept) else {
            write.abandon().await?;
            return Ok(0);
        };
        let ended_before = kept_since(write.now, days);
        let deleted = ended::delete(&mut write, tenant, ended_before, limit).await?;
        write.commit().await?;
        Ok(deleted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TempDatabase;

    #[tokio::test]
    async fn tenants_are_found_along_an_index_and_what_ended_of_each_too() {
        let database = TempDatabase::sqlite();
        let store = database.open().await.unwrap();
        let asked = tenants_of(DbBackend::Sqlite, "free", (Timestamp::from_ms(1), Timestamp::from_ms(2)), None, 10);
        let plan = Statement { sql: format!("EXPLAIN QUERY PLAN {}", asked.sql), ..asked };
        let plan = store.db.query_all_raw(plan).await.unwrap();
        let steps: Vec<String> = plan.iter().map(|row| row.try_get("", "detail").unwrap()).collect();
        let walks = |index: &str| steps.iter().any(|step| step.contains(index));
        assert!(
            walks("INDEX tenants_by_plan (plan=? AND id>?)") && walks("INDEX jobs_open_by_tenant (tenant_id=? AND ended_at_ms<?"),
            "{steps:?}"
        );
        assert!(!walks("TEMP B-TREE"), "{steps:?}");
    }
}
