//! Videos are kept as long as their tenant's plan says: those that ended before are deleted.

use crate::{AccessError, Services};
use domain::{Actor, Permission, TenantId, Timestamp, retention::kept_since};
use std::error::Error;
use store::StoreError;

/// That are looked through by one question.
const TENANTS_AT_ONCE: u64 = 1000;
/// In one transaction.
const JOBS_AT_ONCE: u64 = 200;

impl Services {
    /// Deletes what no plan keeps any more; says how many jobs these were. A tenant whose jobs cannot be deleted keeps no other waiting.
    ///
    /// # Errors
    /// [`AccessError`] when this is not `actor`'s work, the database does not answer, or jobs could not be deleted; what is deleted by then
    /// stays deleted.
    pub async fn delete_expired(&self, actor: Actor) -> Result<u64, AccessError> {
        actor.require(Permission::Maintain)?;
        let now = self.store.now().await?;
        let (mut deleted, mut failed) = (0, None);
        for plan in self.store.plans().list().await? {
            let Some(days) = plan.retention_days else { continue };
            deleted += self.delete_expired_of(&plan.id, kept_since(now, days), &mut failed).await?;
        }
        if deleted > 0 {
            tracing::info!(jobs = deleted, "{deleted} videos were deleted that their plans keep no longer");
        }
        failed.map_or(Ok(deleted), |error: StoreError| Err(error.into()))
    }

    async fn delete_expired_of(&self, plan: &str, ended_before: Timestamp, failed: &mut Option<StoreError>) -> Result<u64, AccessError> {
        let (mut deleted, mut after) = (0, None);
        loop {
            let tenants = self.store.retention().tenants_of(plan, ended_before, after, TENANTS_AT_ONCE).await?;
            let Some(last) = tenants.last() else { return Ok(deleted) };
            after = Some(last.id);
            // SQLite's one writer is taken only where there is something to do.
            for tenant in tenants.iter().filter(|tenant| tenant.has_ended) {
                match self.delete_ended(tenant.id, plan).await {
                    Ok(jobs) => deleted += jobs,
                    Err(error) => {
                        tracing::warn!(tenant.id = %tenant.id, error = &error as &dyn Error, "videos stay that their plan keeps no longer");
                        failed.get_or_insert(error);
                    }
                }
            }
        }
    }

    async fn delete_ended(&self, tenant: TenantId, plan: &str) -> Result<u64, StoreError> {
        let mut deleted = 0;
        loop {
            let some = self.store.retention().delete_ended(tenant, plan, JOBS_AT_ONCE).await?;
            deleted += some;
            // Somebody else is at the others, or there are none.
            if some < JOBS_AT_ONCE {
                return Ok(deleted);
            }
        }
    }
}
