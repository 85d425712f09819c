//! Loops that make true what should be: idempotent, without input, safe to run in any number of processes.

use crate::Services;
use std::{future::Future, time::Duration};
use store::{Store, StoreError};
use tower_sessions_core::ExpiredDeletion;

const EXPIRE_LEASES_EVERY: Duration = Duration::from_secs(1);
const REMOVE_GARBAGE_EVERY: Duration = Duration::from_secs(20);
const TIDY_EVERY: Duration = Duration::from_secs(300);
/// A worker that lost its lease may still be uploading for so long.
const GARBAGE_GRACE_MS: i64 = 120_000;
const GARBAGE_AT_ONCE: u64 = 200;

/// All reconcilers of a server; runs until dropped.
pub async fn reconcile(services: Services) {
    let tidy = || async {
        services.store.timings().trim().await?;
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
pub async fn expire_leases(store: Store) {
    every(EXPIRE_LEASES_EVERY, "expire leases", || async {
        let expired = store.queue().expire_leases().await?;
        if expired > 0 {
            tracing::warn!(jobs = expired, "{expired} jobs lost their worker and were requeued or failed");
        }
        Ok(())
    })
    .await;
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
