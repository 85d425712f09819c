//! The reconciler of the tenants' running totals: what differs from the sum over the jobs is mended.

use super::{BEGUN_ANEW_AFTER, REPAIR_TOTALS};
use crate::Services;
use domain::TenantId;
use std::time::Duration;
use store::{Store, StoreError, within};

/// A few tenants at a time, so that no run is felt; a thousand tenants are looked through in an hour.
const EVERY: Duration = Duration::from_secs(60);
const TENANTS_AT_ONCE: u32 = 20;

/// Goes round all tenants; runs until dropped.
pub(super) async fn repair(services: Services) {
    let mut after = None;
    loop {
        let next = within(BEGUN_ANEW_AFTER, repair_some(&services.store, after)).await;
        services.metrics.note_run(REPAIR_TOTALS, next.is_ok());
        after = next.unwrap_or_else(|error| {
            tracing::warn!(error = &error as &dyn std::error::Error, "the open work of tenants could not be compared");
            after
        });
        tokio::time::sleep(EVERY).await;
    }
}

async fn repair_some(store: &Store, after: Option<TenantId>) -> Result<Option<TenantId>, StoreError> {
    let (repaired, next) = store.open_work().repair(after, TENANTS_AT_ONCE).await?;
    for wrong in repaired {
        tracing::error!(
            tenant.id = %wrong.tenant,
            was_ms = wrong.was_ms,
            is_ms = wrong.is_ms,
            "the total of a tenant's open work was wrong and is mended"
        );
    }
    Ok(next)
}
