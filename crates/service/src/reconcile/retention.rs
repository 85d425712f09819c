//! Videos are kept as long as their tenant's plan says: those that ended before are deleted.

use crate::{AccessError, Services};
use domain::{Actor, Permission, TenantId, Timestamp, retention::kept_since};

const TENANTS_AT_ONCE: u64 = 100;
/// In one transaction.
const JOBS_AT_ONCE: u64 = 200;

impl Services {
    /// Deletes what no plan keeps any more; says how many jobs these were.
    ///
    /// # Errors
    /// [`AccessError`] when this is not `actor`'s work, or the database does not answer; what is deleted by then stays deleted.
    pub async fn delete_expired(&self, actor: Actor) -> Result<u64, AccessError> {
        actor.require(Permission::Maintain)?;
        let now = self.store.now().await?;
        let mut deleted = 0;
        for plan in self.store.plans().list().await? {
            let Some(days) = plan.retention_days else { continue };
            deleted += self.delete_expired_of(&plan.id, kept_since(now, days)).await?;
        }
        if deleted > 0 {
            tracing::info!(jobs = deleted, "{deleted} videos were deleted that their plans keep no longer");
        }
        Ok(deleted)
    }

    async fn delete_expired_of(&self, plan: &str, ended_before: Timestamp) -> Result<u64, AccessError> {
        let (mut deleted, mut after) = (0, None);
        loop {
            let tenants = self.store.retention().tenants_of(plan, after, TENANTS_AT_ONCE).await?;
            let Some(last) = tenants.last() else { return Ok(deleted) };
            after = Some(*last);
            for tenant in tenants {
                deleted += self.delete_ended(tenant, plan, ended_before).await?;
            }
        }
    }

    /// Takes SQLite's one writer only where there is something to do.
    async fn delete_ended(&self, tenant: TenantId, plan: &str, ended_before: Timestamp) -> Result<u64, AccessError> {
        let (retention, mut deleted) = (self.store.retention(), 0);
        while retention.has_ended(tenant, ended_before).await? {
            let some = retention.delete_ended(tenant, plan, JOBS_AT_ONCE).await?;
            deleted += some;
            // Somebody else is at the others, or they are kept by now.
            if some == 0 {
                break;
            }
        }
        Ok(deleted)
    }
}
