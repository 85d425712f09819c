//! The part of an answer that it can do without: where a job stands in the queue, and when it will be done.
//!
//! An estimate gets little time and few connections, and after a failure a pause: whatever is wrong with the
//! rows it is made of, jobs are taken in, shown and listed all the same. What is only slow to compute pauses nobody.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use store::StoreError;
use store::clock::Instant;
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};

const PATIENCE: Duration = Duration::from_secs(2);
const AT_ONCE: usize = 4;
const PAUSE: Duration = Duration::from_secs(10);

pub(crate) struct Estimates {
    patience: Duration,
    turns: Semaphore,
    /// Of what is computed apart.
    turns_apart: Arc<Semaphore>,
    paused_until: Mutex<Option<Instant>>,
}

impl Default for Estimates {
    fn default() -> Self {
        let turns_apart = Arc::new(Semaphore::new(AT_ONCE));
        Self { patience: PATIENCE, turns: Semaphore::new(AT_ONCE), turns_apart, paused_until: Mutex::default() }
    }
}

impl Estimates {
    /// What `estimate` comes to, or `None` when it fails, takes too long, or has lately.
    pub(crate) async fn attempt<T>(&self, time: Duration, estimate: impl Future<Output = Result<T, StoreError>>) -> Option<T> {
        if self.is_paused() {
            return None;
        }
        let turn = self.turns.try_acquire().ok();
        let has_to_wait = turn.is_none();
        let in_turn = async {
            let _turn = match turn {
                Some(turn) => turn,
                None => self.turns.acquire().await.ok()?,
            };
            if self.is_paused() { None } else { Some(estimate.await) }
        };
        let patience = time.min(self.patience);
        match timeout(patience, in_turn).await {
            Ok(Some(Ok(estimate))) => return Some(estimate),
            Ok(None) => return None,
            Ok(Some(Err(error))) => tracing::warn!(error = &error as &dyn std::error::Error, "no estimates for a while"),
            // Others had the time, and it is them that say what is wrong.
            Err(_) if has_to_wait => return None,
            Err(_) => tracing::warn!("no estimates for a while: the database took more than {} s", patience.as_secs_f64()),
        }
        *self.paused_until.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now() + PAUSE);
        None
    }

    /// The same of what goes on by itself, and is computed for as long as the machine needs: where that is too long, nothing is wrong with the
    /// database, and others have estimates meanwhile. It takes its [`Self::turn_apart`] by itself too.
    pub(crate) async fn attempt_apart<T>(&self, estimate: impl Future<Output = Result<T, StoreError>>) -> Option<T> {
        if self.is_paused() {
            return None;
        }
        match timeout(self.patience, estimate).await.ok()? {
            Ok(estimate) => Some(estimate),
            Err(error) => {
                tracing::warn!(error = &error as &dyn std::error::Error, "no estimate that is computed apart");
                None
            }
        }
    }

    /// A turn of what is computed apart, to be kept until it is: the machine is at work for it also when nobody waits any more. `None`: all turns
    /// are taken for longer than anybody waits.
    pub(crate) async fn turn_apart(&self) -> Option<OwnedSemaphorePermit> {
        timeout(self.patience, Arc::clone(&self.turns_apart).acquire_owned()).await.ok()?.ok()
    }

    fn is_paused(&self) -> bool {
        self.paused_until.lock().unwrap_or_else(PoisonError::into_inner).is_some_and(|until| Instant::now() < until)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_estimate_that_hangs_is_given_up_and_not_tried_again_at_once() {
        let estimates = Estimates { patience: Duration::from_millis(50), ..Estimates::default() };
        assert_eq!(estimates.attempt(Duration::MAX, async { Ok(1) }).await, Some(1));
        assert_eq!(estimates.attempt(Duration::MAX, std::future::pending::<Result<u8, StoreError>>()).await, None);
        assert_eq!(estimates.attempt(Duration::MAX, async { Ok(1) }).await, None);
        *estimates.paused_until.lock().unwrap() = Some(Instant::now());
        assert_eq!(estimates.attempt(Duration::MAX, async { Ok(1) }).await, Some(1));
    }

    #[tokio::test]
    async fn what_is_slow_to_compute_and_who_waits_for_a_turn_pause_nobody() {
        let estimates = Estimates { patience: Duration::from_millis(50), ..Estimates::default() };
        let slow = || std::future::pending::<Result<u8, StoreError>>();
        assert_eq!(estimates.attempt_apart(slow()).await, None);
        assert_eq!(estimates.attempt(Duration::MAX, async { Ok(1) }).await, Some(1));
        let late = || async { Err::<u8, _>(StoreError::Raced { table: "jobs" }) };
        assert_eq!(estimates.attempt_apart(late()).await, None, "nobody waited long enough for its answer");
        let others = estimates.turns.acquire_many(AT_ONCE as u32).await.unwrap();
        assert_eq!(estimates.attempt(Duration::MAX, async { Ok(1) }).await, None);
        drop(others);
        assert_eq!(estimates.attempt(Duration::MAX, async { Ok(1) }).await, Some(1));
        assert_eq!(estimates.attempt(Duration::MAX, late()).await, None);
        assert_eq!(estimates.attempt_apart(async { Ok(1) }).await, None, "something is wrong with the database");
    }

    #[tokio::test]
    async fn no_more_is_computed_apart_at_once_than_there_are_turns_also_where_nobody_waits_for_it() {
        let estimates = Estimates { patience: Duration::from_millis(50), ..Estimates::default() };
        let computing = Arc::new(Semaphore::new(0));
        for _ in 0..2 * AT_ONCE {
            let (begun, turn) = (Arc::clone(&computing), estimates.turn_apart());
            let asked = async move {
                let Some(turn) = turn.await else { return Ok(None) };
                begun.add_permits(1);
                // As on a thread of its own, which nobody breaks off.
                turn.forget();
                std::future::pending::<Result<Option<u8>, StoreError>>().await
            };
            assert_eq!(estimates.attempt_apart(asked).await.flatten(), None);
        }
        assert_eq!(computing.available_permits(), AT_ONCE);
        estimates.turns_apart.add_permits(1);
        assert!(estimates.turn_apart().await.is_some(), "one has been computed");
    }
}
