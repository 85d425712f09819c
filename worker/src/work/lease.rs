//! The leases this process holds: renewed together, lost one by one, and never trusted beyond their time.
//!
//! The database's word is final: each write names its lease and is refused once that is lost. What is
//! decided here is when to stop by ourselves: a lease that could not be renewed within its length, by a
//! clock that goes on while the process is stopped, counts as lost before anything else is written.

use std::{
    collections::HashMap,
    future::Future,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};
use store::{LeaseError, LeaseToken, Store, StoreError};
use tokio_util::sync::CancellationToken;

/// Pause before a write is repeated that the database did not answer.
pub const RETRY_PAUSE: Duration = Duration::from_millis(250);

pub struct Leases {
    length: Duration,
    /// Nothing is given up here: only a refused write ends a job. A fault, for torture tests.
    trusting: bool,
    held: Mutex<HashMap<LeaseToken, Hold>>,
}

struct Hold {
    renewed: Instant,
    lost: CancellationToken,
}

/// One lease, renewed until this is dropped.
pub struct Held {
    pub token: LeaseToken,
    lost: CancellationToken,
    leases: Arc<Leases>,
}

/// A write under a lease that did not come through.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// Nothing was written.
    #[error("the lease is lost")]
    Lost,
    /// An earlier try got no answer and may have been written.
    #[error("the lease is lost, or it ended with a write that got no answer")]
    Uncertain,
    #[error(transparent)]
    Store(StoreError),
}

impl Leases {
    pub fn new(length: Duration, trusting: bool) -> Arc<Self> {
        Arc::new(Self { length, trusting, held: Mutex::default() })
    }

    pub fn hold(self: &Arc<Self>, token: LeaseToken) -> Held {
        let lost = CancellationToken::new();
        self.lock().insert(token, Hold { renewed: Instant::now(), lost: lost.clone() });
        Held { token, lost, leases: Arc::clone(self) }
    }

    /// Renews all leases four times in their length; runs until dropped.
    pub async fn keep(&self, store: &Store) {
        loop {
            self.lose_stale();
            let tokens: Vec<LeaseToken> = self.lock().keys().copied().collect();
            if !tokens.is_empty() {
                self.renew(store, &tokens).await;
            }
            tokio::time::sleep(self.length / 4).await;
        }
    }

    async fn renew(&self, store: &Store, tokens: &[LeaseToken]) {
        let asked = Instant::now();
        let renewal = store.queue().renew(tokens, self.length.as_millis() as i64);
        match tokio::time::timeout(self.length / 2, renewal).await {
            Ok(Ok(lost)) => self.note_renewal(tokens, &lost, asked),
            Ok(Err(error)) => tracing::warn!(error = &error as &dyn std::error::Error, "{} leases could not be renewed", tokens.len()),
            Err(_) => tracing::warn!("the database did not answer in time; {} leases were not renewed", tokens.len()),
        }
    }

    fn note_renewal(&self, renewed: &[LeaseToken], lost: &[LeaseToken], asked: Instant) {
        let mut held = self.lock();
        for token in renewed {
            let Some(hold) = held.get_mut(token) else { continue };
            if lost.contains(token) && !self.trusting {
                hold.lost.cancel();
            } else {
                hold.renewed = asked;
            }
        }
    }

    /// Gives up what may long be somebody else's.
    fn lose_stale(&self) {
        if self.trusting {
            return;
        }
        for (token, hold) in self.lock().iter().filter(|(_, hold)| hold.renewed.elapsed() >= self.length) {
            if !hold.lost.is_cancelled() {
                tracing::warn!(job.id = %token.job, "not renewed in time: dropping the job");
            }
            hold.lost.cancel();
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<LeaseToken, Hold>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Held {
    /// Whether one may still write: looks at the clock, so that a process that was stopped knows at once.
    pub fn is_good(&self) -> bool {
        self.leases.lose_stale();
        !self.lost.is_cancelled()
    }

    /// Returns when the lease is lost.
    pub async fn lost(&self) {
        self.lost.cancelled().await;
    }

    /// Writes under the lease what has this `name`. Goes on trying while the database does not answer and
    /// the lease is good.
    ///
    /// # Errors
    /// [`Refusal`] says whether anything may have been written.
    pub async fn write<T, F>(&self, name: &'static str, write: impl Fn() -> F) -> Result<T, Refusal>
    where
        F: Future<Output = Result<T, LeaseError>>,
    {
        let mut refused = Refusal::Lost;
        while self.is_good() {
            match write().await {
                Ok(value) => return Ok(value),
                Err(LeaseError::Lost { .. }) => {
                    self.refused(name);
                    return Err(refused);
                }
                Err(LeaseError::Store(StoreError::Database(error))) => {
                    tracing::warn!(job.id = %self.token.job, error = &error as &dyn std::error::Error, "write failed; trying again");
                    refused = Refusal::Uncertain;
                }
                Err(LeaseError::Store(error)) => return Err(Refusal::Store(error)),
            }
            self.pause().await;
        }
        Err(refused)
    }

    /// Notes that the database has refused a write because the job is somebody else's, or nobody's.
    pub fn refused(&self, name: &'static str) {
        tracing::info!(write = name, "refused by the database: the lease is lost");
        self.lost.cancel();
    }

    async fn pause(&self) {
        tokio::select! {
            () = tokio::time::sleep(RETRY_PAUSE) => {}
            () = self.lost() => {}
        }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.leases.lock().remove(&self.token);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{JobId, Stage, TenantId};
    use uuid::Uuid;

    fn token(epoch: u32) -> LeaseToken {
        let (job, tenant) = (JobId::from_uuid(Uuid::from_u128(1)), TenantId::from_uuid(Uuid::from_u128(2)));
        LeaseToken { job, tenant, stage: Stage::Sampling, epoch }
    }

    #[test]
    fn a_lease_is_good_until_its_length_has_passed_without_a_renewal() {
        let leases = Leases::new(Duration::from_millis(60), false);
        let (kept, forgotten) = (leases.hold(token(1)), leases.hold(token(2)));
        std::thread::sleep(Duration::from_millis(40));
        leases.note_renewal(&[token(1)], &[], Instant::now());
        std::thread::sleep(Duration::from_millis(40));
        assert!(kept.is_good() && !forgotten.is_good());
    }

    #[test]
    fn what_the_database_calls_lost_is_lost_at_once() {
        let leases = Leases::new(Duration::from_secs(60), false);
        let (kept, lost) = (leases.hold(token(1)), leases.hold(token(2)));
        leases.note_renewal(&[token(1), token(2)], &[token(2)], Instant::now());
        assert!(kept.is_good() && !lost.is_good());
        drop((kept, lost));
        assert!(leases.lock().is_empty());
    }

    #[tokio::test]
    async fn nothing_is_written_under_a_stale_lease() {
        let held = Leases::new(Duration::ZERO, false).hold(token(1));
        let refused = held.write("result", || async { unreachable!("the lease is stale") as Result<(), LeaseError> }).await;
        assert!(matches!(refused, Err(Refusal::Lost)));
    }
}
