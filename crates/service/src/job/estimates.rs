//! The part of an answer that it can do without: where a job stands in the queue, and when it will be done.
//!
//! An estimate gets little time and few connections, and after a failure a pause: whatever is wrong with the
//! rows it is made of, jobs are taken in, shown and listed all the same.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};
use store::StoreError;
use store::clock::Instant;
use tokio::{sync::Semaphore, time::timeout};

const PATIENCE: Duration = Duration::from_secs(2);
const AT_ONCE: usize = 4;
const PAUSE: Duration = Duration::from_secs(10);

pub(crate) struct Estimates {
    patience: Duration,
    turns: Semaphore,
    paused_until: Mutex<Option<Instant>>,
}

impl Default for Estimates {
    fn default() -> Self {
        Self { patience: PATIENCE, turns: Semaphore::new(AT_ONCE), paused_until: Mutex::default() }
    }
}

impl Estimates {
    /// What `estimate` comes to, or `None` when it fails, takes too long, or has lately.
    pub(crate) async fn attempt<T>(&self, time: Duration, estimate: impl Future<Output = Result<T, StoreError>>) -> Option<T> {
        if self.is_paused() {
            return None;
        }
        let in_turn = async {
            let _turn = self.turns.acquire().await.ok()?;
            if self.is_paused() { None } else { Some(estimate.await) }
        };
        let patience = time.min(self.patience);
        match timeout(patience, in_turn).await {
            Ok(Some(Ok(estimate))) => return Some(estimate),
            Ok(None) => return None,
            Ok(Some(Err(error))) => tracing::warn!(error = &error as &dyn std::error::Error, "no estimates for a while"),
            Err(_) => tracing::warn!("no estimates for a while: the database took more than {} s", patience.as_secs_f64()),
        }
        *self.paused_until.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now() + PAUSE);
        None
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
}
