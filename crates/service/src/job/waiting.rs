//! What a tenant has waiting, and taking all of it back.

use crate::{AccessError, Services};
use domain::{Actor, Permission};
use std::time::Duration;
use store::Waiting;
use store::clock::Instant;

/// In one transaction: others that write have their turn in between.
const AT_ONCE: u64 = 50;
/// For one request; what is left then can be cancelled by the next.
const TIME_AT_MOST: Duration = Duration::from_secs(4);

impl Services {
    /// How many jobs wait for their first step, and what they would be billed: exact while these are few. Lines of batches are left out.
    ///
    /// # Errors
    /// [`AccessError`] when `actor` may not see them, or the database does not answer.
    pub async fn waiting(&self, actor: Actor) -> Result<Waiting, AccessError> {
        let tenant = actor.require_membership(Permission::ReadJobs)?.tenant;
        let store = self.store.clone();
        Ok(self.waiting.get(tenant, || async move { store.tenant(tenant).jobs().waiting().await }).await?)
    }

    /// Cancels the jobs that wait for their first step, the newest first, as many as there is time for; those a worker
    /// has begun go on, and so do lines of batches. Says how many these were.
    ///
    /// # Errors
    /// [`AccessError`] when `actor` may not cancel them, or the database does not answer; what was cancelled until then stays so.
    pub async fn cancel_waiting(&self, actor: Actor) -> Result<u64, AccessError> {
        let tenant = actor.require_membership(Permission::CancelJobs)?.tenant;
        let (mut cancelled, until) = (0, Instant::now() + TIME_AT_MOST);
        while Instant::now() < until {
            let more = self.store.tenant(tenant).jobs().cancel_waiting(AT_ONCE).await?;
            self.waiting.forget(&tenant);
            cancelled += more;
            if more == 0 {
                break;
            }
        }
        Ok(cancelled)
    }
}
