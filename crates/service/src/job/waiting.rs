//! What a tenant has waiting, and taking all of it back.

use crate::Services;
use domain::TenantId;
use store::{StoreError, Waiting};

/// In one transaction: others that write have their turn in between.
const AT_ONCE: u64 = 50;
/// For one request; what is left then can be cancelled by the next.
const AT_MOST: u64 = 10_000;

impl Services {
    /// How many jobs wait for their first step, and what they would be billed.
    ///
    /// # Errors
    /// [`StoreError`] when the database does not answer.
    pub async fn waiting(&self, tenant: TenantId) -> Result<Waiting, StoreError> {
        self.store.tenant(tenant).jobs().waiting().await
    }

    /// Cancels every job that waits for its first step; those a worker has begun go on. Says how many these were.
    ///
    /// # Errors
    /// [`StoreError`] when the database does not answer; what was cancelled until then stays so.
    pub async fn cancel_waiting(&self, tenant: TenantId) -> Result<u64, StoreError> {
        let mut cancelled = 0;
        while cancelled < AT_MOST {
            match self.store.tenant(tenant).jobs().cancel_waiting(AT_ONCE).await? {
                0 => break,
                more => cancelled += more,
            }
        }
        Ok(cancelled)
    }
}
