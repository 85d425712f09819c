//! What is told of jobs' times, and what is learned from how they ended.

use super::Outlook;
use domain::{Interval, JobId, Timestamp, billing::Lane, scheduling::Calibration};
use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
};
use store::{Store, StoreError, queue::ToldEta};

/// What ended longer ago teaches nothing new.
const LEARNED_FROM_MS: i64 = 6 * 60 * 60 * 1000;
/// A job that ends is seen at once by its moment, or so much later, where its transaction took as long.
const LATE_MS: i64 = 5000;
const AT_ONCE: u64 = 1000;
/// What was told and is not written down yet; of more, it is not known how it ended.
const WAITING_MAX: usize = 10_000;

/// Of the jobs of this process and of all others.
#[derive(Default)]
pub(crate) struct Told {
    learned: Mutex<Learned>,
    /// To be written down.
    waiting: Mutex<Vec<ToldEta>>,
}

#[derive(Default)]
struct Learned {
    calibration: Calibration,
    /// The end of the last job that was learned from.
    last: Option<Timestamp>,
    /// Those that ended not long before that.
    known: BTreeMap<JobId, Timestamp>,
}

impl Told {
    fn learned(&self) -> MutexGuard<'_, Learned> {
        self.learned.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Until a job has ended for which this is foretold.
    pub(crate) fn eta(&self, lane: Lane, outlook: Outlook) -> Interval {
        self.learned().calibration.interval(outlook.forecast(lane))
    }

    /// Until a worker begins it.
    pub(crate) fn wait(&self, lane: Lane, outlook: Outlook) -> Interval {
        self.learned().calibration.interval(outlook.wait(lane))
    }

    /// This was told of a job when it was submitted.
    pub(crate) fn note(&self, job: JobId, lane: Lane, outlook: Outlook, told: Interval) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.len() < WAITING_MAX {
            waiting.push(ToldEta { job, forecast: outlook.forecast(lane), told });
        }
    }

    /// Writes down what was told, and learns from the jobs that have ended since.
    ///
    /// # Errors
    /// [`StoreError`] when the database does not answer; what was not written is tried again.
    pub(crate) async fn settle(&self, store: &Store) -> Result<(), StoreError> {
        loop {
            let some: Vec<_> = {
                let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
                let some = waiting.len().min(AT_ONCE as usize);
                waiting.drain(..some).collect()
            };
            if some.is_empty() {
                break;
            }
            if let Err(error) = store.queue().note_told(&some).await {
                self.waiting.lock().unwrap_or_else(PoisonError::into_inner).extend(some);
                return Err(error);
            }
        }
        self.learn(store).await
    }

    async fn learn(&self, store: &Store) -> Result<(), StoreError> {
        let looked_at = store.now().await?;
        let last = self.learned().last;
        let mut after = match last {
            Some(last) => last.plus_ms(-LATE_MS),
            None => looked_at.plus_ms(-LEARNED_FROM_MS),
        };
        loop {
            let ended = store.queue().told_of_ended(after, AT_ONCE).await?;
            let is_last = (ended.len() as u64) < AT_ONCE;
            let mut learned = self.learned();
            // What ended by now is known, whether anything was told of it or not.
            let newest = if is_last { looked_at } else { ended.last().map_or(looked_at, |ended| ended.ended_at) };
            for ended in &ended {
                if learned.known.insert(ended.job, ended.ended_at).is_none() && !ended.was_paused {
                    learned.calibration.learn(&ended.outcome);
                }
            }
            learned.last = learned.last.max(Some(newest));
            let kept_from = newest.plus_ms(-LATE_MS);
            learned.known.retain(|_, ended_at| *ended_at >= kept_from);
            if is_last || newest <= after {
                return Ok(());
            }
            after = newest.plus_ms(-1);
        }
    }
}
