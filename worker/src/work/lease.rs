//! The leases this process holds: renewed together, lost one by one, and never trusted beyond their time.
//!
//! The database's word is final: each write names its lease and is refused once that is lost. What is
//! decided here is when to stop by ourselves: a lease that could not be renewed within its length, by a
//! clock that goes on while the process is stopped, counts as lost before anything else is written.

use crate::device::sharing::Meter;
use domain::WorkerId;
use std::{
    collections::{HashMap, HashSet},
    future::Future,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use store::clock::Instant;
use store::{LeaseError, LeaseToken, Renewal, Store, StoreError, in_time};
use tokio_util::sync::CancellationToken;

/// Pause before a write is repeated that the database did not answer.
pub const RETRY_PAUSE: Duration = Duration::from_millis(250);
/// Whoever takes jobs away after an outage leaves their holders a little longer than this to come back.
const RENEWED_WITHIN: Duration = Duration::from_secs(5);

pub struct Leases {
    length: Duration,
    /// Nothing is given up here: only a refused write ends a job. A fault, for torture tests.
    trusting: bool,
    held: Mutex<HashMap<LeaseToken, Hold>>,
}

struct Hold {
    renewed: Instant,
    lost: CancellationToken,
    hung: CancellationToken,
}

/// One lease, renewed until this is dropped.
pub struct Held {
    pub token: LeaseToken,
    /// Cancelled when the device hangs over the job: its lease is renewed no more.
    pub hung: CancellationToken,
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
        let (lost, hung) = (CancellationToken::new(), CancellationToken::new());
        self.lock().insert(token, Hold { renewed: Instant::now(), lost: lost.clone(), hung: hung.clone() });
        Held { token, hung, lost, leases: Arc::clone(self) }
    }

    pub fn is_empty(&self) -> bool {
        self.lock().is_empty()
    }

    /// Renews all leases four times in their length; runs until dropped.
    pub async fn keep(&self, store: &Store) {
        loop {
            self.lose_stale(Instant::now());
            let tokens: Vec<LeaseToken> =
                self.lock().iter().filter(|(_, hold)| !hold.hung.is_cancelled()).map(|(token, _)| *token).collect();
            let all = tokens.is_empty() || self.renew(store, &tokens).await;
            tokio::time::sleep(if all { self.length / 4 } else { (self.length / 4).min(RETRY_PAUSE) }).await;
        }
    }

    /// Gives back what only the database knows that `worker` holds; runs until dropped.
    pub async fn reconcile(&self, store: &Store, worker: WorkerId) {
        let mut unknown = HashSet::new();
        loop {
            unknown = self.give_back_unknown(store, worker, &unknown).await;
            tokio::time::sleep(self.length / 4).await;
        }
    }

    /// A claim whose answer got lost leaves a job that nobody works on. It was looked for twice before, so that a
    /// claim that is under way is not taken for one.
    async fn give_back_unknown(&self, store: &Store, worker: WorkerId, before: &HashSet<LeaseToken>) -> HashSet<LeaseToken> {
        let Ok(Ok(held)) = tokio::time::timeout(self.length / 2, store.queue().held_by(worker)).await else { return HashSet::new() };
        let unknown: HashSet<LeaseToken> = held.into_iter().filter(|token| !self.lock().contains_key(token)).collect();
        for token in unknown.intersection(before) {
            tracing::warn!(job.id = %token.job, "held without being known: given back");
            let _ = in_time(store.queue().give_back(token)).await;
        }
        unknown
    }

    /// `false`: some were not renewed, and are to be renewed again soon.
    async fn renew(&self, store: &Store, tokens: &[LeaseToken]) -> bool {
        let asked = Instant::now();
        let renewal = store.queue().renew(tokens, self.length.as_millis() as i64);
        match tokio::time::timeout((self.length / 2).min(RENEWED_WITHIN), renewal).await {
            Ok(Ok(Renewal { lost, skipped })) => {
                let renewed: Vec<_> = tokens.iter().filter(|token| !skipped.contains(token)).copied().collect();
                self.note_renewal(&renewed, &lost, asked);
                return skipped.is_empty();
            }
            Ok(Err(error)) => tracing::warn!(error = &error as &dyn std::error::Error, "{} leases could not be renewed", tokens.len()),
            Err(_) => tracing::warn!("the database did not answer in time; {} leases were not renewed", tokens.len()),
        }
        false
    }

    fn note_renewal(&self, asked_for: &[LeaseToken], lost: &[LeaseToken], asked: Instant) {
        if !self.trusting {
            self.refused(lost, "renewal");
        }
        for token in asked_for.iter().filter(|token| self.trusting || !lost.contains(token)) {
            if let Some(hold) = self.lock().get_mut(token) {
                hold.renewed = asked;
            }
        }
    }

    /// The database has refused a write under these leases, because the jobs are somebody else's, or nobody's.
    pub fn refused(&self, tokens: &[LeaseToken], write: &'static str) {
        for hold in tokens.iter().filter_map(|token| self.lock().get(token).map(|hold| hold.lost.clone())) {
            tracing::info!(write, "refused by the database: the lease is lost");
            hold.cancel();
        }
    }

    /// Gives up what may long be somebody else's.
    fn lose_stale(&self, now: Instant) {
        if self.trusting {
            return;
        }
        for (token, hold) in self.lock().iter().filter(|(_, hold)| now.duration_since(hold.renewed) >= self.length) {
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
        self.leases.lose_stale(Instant::now());
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
            match in_time(write()).await {
                Ok(value) => return Ok(value),
                Err(LeaseError::Lost { .. }) => {
                    self.leases.refused(&[self.token], name);
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

    /// Writes what makes the work count, with so many milliseconds of the device. Where that may have been written, it is the job's time, also
    /// when nobody waits for the answer any more.
    ///
    /// # Errors
    /// As [`Self::write`].
    pub async fn commit<F>(&self, (meter, device_ms): (&Meter, u64), write: impl Fn() -> F) -> Result<(), Refusal>
    where
        F: Future<Output = Result<(), LeaseError>>,
    {
        let told_ms = meter.told_ms();
        meter.told(device_ms);
        let written = self.write("result", write).await;
        if matches!(written, Err(Refusal::Lost | Refusal::Store(_))) {
            meter.told_no_more_than(told_ms);
        }
        written
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
    use crate::device::sharing::Sharing;
    use domain::{JobId, Stage, TenantId};
    use std::{
        future::pending,
        sync::atomic::{AtomicBool, Ordering},
    };
    use store::within;
    use uuid::Uuid;

    fn token(epoch: u32) -> LeaseToken {
        let (job, tenant) = (JobId::from_uuid(Uuid::from_u128(1)), TenantId::from_uuid(Uuid::from_u128(2)));
        LeaseToken { job, tenant, stage: Stage::Sampling, epoch }
    }

    #[test]
    fn a_lease_is_good_until_its_length_has_passed_without_a_renewal() {
        let leases = Leases::new(Duration::from_secs(60), false);
        let (kept, forgotten) = (leases.hold(token(1)), leases.hold(token(2)));
        let begun = Instant::now();
        leases.lose_stale(begun + Duration::from_secs(59));
        assert!(kept.is_good() && forgotten.is_good());
        leases.note_renewal(&[token(1)], &[], begun + Duration::from_secs(30));
        leases.lose_stale(begun + Duration::from_secs(61));
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

    #[test]
    fn a_refused_write_ends_that_lease_alone() {
        let leases = Leases::new(Duration::from_secs(60), true);
        let (kept, lost) = (leases.hold(token(1)), leases.hold(token(2)));
        leases.refused(&[token(2), token(3)], "progress");
        assert!(kept.is_good() && !lost.is_good());
    }

    #[tokio::test]
    async fn what_a_result_took_is_nobodys_only_where_it_is_certain_that_nothing_was_written() {
        let (leases, sharing) = (Leases::new(Duration::from_secs(60), false), Sharing::start());
        // Another job has the device all the time, so that nothing of it is idle.
        let _other = sharing.begin(vec![Meter::default()]);
        sharing.take_spare();
        for is_answered in [true, false] {
            let (held, meter) = (leases.hold(token(1)), Meter::default());
            let using = sharing.begin(vec![meter.clone()]);
            tokio::time::sleep(Duration::from_millis(40)).await;
            drop(using);
            let is_tried = AtomicBool::new(is_answered);
            let write = || async {
                if !is_tried.swap(true, Ordering::Relaxed) {
                    return within(Duration::ZERO, pending()).await;
                }
                let LeaseToken { job, epoch, .. } = held.token;
                Err(LeaseError::Lost { job, epoch })
            };
            let refused = held.commit((&meter, meter.taken_ms()), write).await;
            assert!(matches!((is_answered, &refused), (true, Err(Refusal::Lost)) | (false, Err(Refusal::Uncertain))), "{refused:?}");
            sharing.give_up(&meter);
            assert_eq!(sharing.take_spare() >= Duration::from_millis(15), is_answered);
        }
    }

    #[tokio::test]
    async fn nothing_is_written_under_a_stale_lease() {
        let held = Leases::new(Duration::ZERO, false).hold(token(1));
        let refused = held.write("result", || async { unreachable!("the lease is stale") as Result<(), LeaseError> }).await;
        assert!(matches!(refused, Err(Refusal::Lost)));
    }
}
