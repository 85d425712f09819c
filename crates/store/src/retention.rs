//! What plans keep no longer.

use crate::{Store, StoreError, billing, entity::tenant as table, rows::ended};
use domain::{TenantId, Timestamp, retention::kept_since};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};
use uuid::Uuid;

#[derive(Clone, Copy)]
pub struct Retention<'a> {
    store: &'a Store,
}

impl<'a> Retention<'a> {
    pub(crate) const fn new(store: &'a Store) -> Self {
        Self { store }
    }

    /// The next tenants that have this plan, and whose videos are not kept for another reason, at most `limit`, in the order of their ids.
    pub async fn tenants_of(self, plan: &str, after: Option<TenantId>, limit: u64) -> Result<Vec<TenantId>, StoreError> {
        let now = self.store.now().await?;
        let query = table::Entity::find().filter(table::Column::Plan.eq(plan)).filter(table::Column::DeletedAtMs.is_null());
        let query = query.filter(table::Column::KeptUntilMs.lte(now.ms()));
        let query = match after {
            Some(after) => query.filter(table::Column::Id.gt(after.uuid())),
            None => query,
        };
        let ids = query.select_only().column(table::Column::Id).order_by_asc(table::Column::Id).limit(limit);
        let ids: Vec<Uuid> = ids.into_tuple().all(&self.store.db).await?;
        Ok(ids.into_iter().map(TenantId::from_uuid).collect())
    }

    /// Whether a tenant has any job that ended before `ended_before`.
    pub async fn has_ended(self, tenant: TenantId, ended_before: Timestamp) -> Result<bool, StoreError> {
        let first: Option<Uuid> = ended::before(tenant, ended_before, 1).into_tuple().one(&self.store.db).await?;
        Ok(first.is_some())
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
