//! Loops that make true what should be: idempotent, without input, safe to run in any number of processes.

use crate::Services;
use std::{
    future::Future,
    time::{Duration, Instant, SystemTime},
};
use store::{Store, StoreError};
use tokio::time::timeout;
use tower_sessions_core::ExpiredDeletion;

const EXPIRE_LEASES_EVERY: Duration = Duration::from_secs(1);
/// A database that takes longer to say that it is there was away.
const PATIENCE: Duration = Duration::from_secs(5);
const CLOCK_TOLERANCE: Duration = Duration::from_secs(2);
const HOLDERS_FIRST: Duration = Duration::from_secs(5);
const REMOVE_GARBAGE_EVERY: Duration = Duration::from_secs(20);
const TIDY_EVERY: Duration = Duration::from_secs(300);
/// A worker that lost its lease may still be uploading for so long.
const GARBAGE_GRACE_MS: i64 = 120_000;
const GARBAGE_AT_ONCE: u64 = 200;

/// All reconcilers of a server; runs until dropped.
pub async fn reconcile(services: Services) {
    let tidy = || async {
        services.store.timings().trim().await?;
        services.store.accounts().forget_ended_windows().await?;
        services.store.sessions().delete_expired().await.unwrap_or_else(|error| tracing::warn!(%error, "old sessions stay"));
        Ok(())
    };
    tokio::join!(
        expire_leases(services.store.clone()),
        every(REMOVE_GARBAGE_EVERY, "remove garbage", || services.remove_garbage(GARBAGE_GRACE_MS)),
        every(TIDY_EVERY, "tidy up", tidy),
    );
}

/// Requeues jobs whose worker fell silent. Servers and workers all run it, so that any one of them is enough.
///
/// After a time in which nobody could renew a lease, the database being away or the machine asleep, their
/// holders come first.
pub async fn expire_leases(store: Store) {
    let mut hours = Hours::new();
    loop {
        let answer = timeout(PATIENCE, store.ping()).await;
        if hours.may_expire(matches!(answer, Ok(Ok(())))) {
            match store.queue().expire_leases().await {
                Ok(0) => {}
                Ok(jobs) => tracing::warn!(jobs, "{jobs} jobs lost their worker and were requeued or failed"),
                Err(error) => tracing::warn!(error = &error as &dyn std::error::Error, "leases could not be looked through"),
            }
        }
        tokio::time::sleep(EXPIRE_LEASES_EVERY).await;
    }
}

/// When leases may be taken for expired: not while the clock of the leases may have run without their holders.
struct Hours {
    looked: (Instant, SystemTime),
    not_before: Instant,
}

impl Hours {
    fn new() -> Self {
        Self { looked: (Instant::now(), SystemTime::now()), not_before: Instant::now() }
    }

    fn may_expire(&mut self, database_answers: bool) -> bool {
        let (now, clock) = (Instant::now(), SystemTime::now());
        let (looked, clock_then) = std::mem::replace(&mut self.looked, (now, clock));
        let (passed, shown) = (now - looked, clock.duration_since(clock_then).unwrap_or_default());
        if !database_answers || shown.abs_diff(passed) > CLOCK_TOLERANCE {
            self.not_before = now + HOLDERS_FIRST;
        }
        now >= self.not_before
    }
}

async fn every<F: Future<Output = Result<(), StoreError>>>(period: Duration, name: &str, act: impl Fn() -> F) {
    loop {
        if let Err(error) = act().await {
            tracing::warn!(reconciler = name, error = &error as &dyn std::error::Error, "{name}: will try again");
        }
        tokio::time::sleep(period).await;
    }
}

impl Services {
    /// Removes objects that nobody needs any more.
    ///
    /// # Errors
    /// [`StoreError`] when the database does not answer; an object that cannot be removed is tried again.
    pub async fn remove_garbage(&self, grace_ms: i64) -> Result<(), StoreError> {
        let keys = self.store.queue().garbage(grace_ms, GARBAGE_AT_ONCE).await?;
        let mut gone = Vec::with_capacity(keys.len());
        for key in keys {
            match self.objects.delete(&key).await {
                Ok(()) => gone.push(key),
                Err(error) => tracing::warn!(object.key = key, error = &error as &dyn std::error::Error, "object stays for now"),
            }
        }
        self.store.queue().forget_garbage(&gone).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holders_come_first_after_an_outage_and_after_a_jump_of_the_clock() {
        let mut hours = Hours::new();
        assert!(hours.may_expire(true));
        assert!(!hours.may_expire(false) && !hours.may_expire(true));
        hours.not_before = Instant::now();
        assert!(hours.may_expire(true));
        hours.looked.1 -= Duration::from_secs(3600);
        assert!(!hours.may_expire(true) && !hours.may_expire(true));
    }
}
