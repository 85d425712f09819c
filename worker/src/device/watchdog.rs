//! Ends a process whose device does not come back from a call.
//!
//! A thread that hangs in a driver cannot be broken off, and its process is of no use any more. So each call to the
//! device is watched: past its time the jobs in the call lose their worker, the others are given back unharmed,
//! and the process aborts; whoever supervises it starts another.
//!
//! Time is counted by the watchdog's own ticks, so a process that was stopped, or a machine that slept, is not
//! taken for a device that hangs.

use crate::shutdown::Shutdown;
use std::{
    collections::HashMap,
    io, process,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
    time::Duration,
};
use store::clock::Instant;
use tokio_util::sync::CancellationToken;

const TICK: Duration = Duration::from_millis(100);
/// For giving back what can be given back, once a call is overdue.
const LAST_WORDS: Duration = Duration::from_secs(10);

/// How long a call to the device may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// After this the worker does not count as one that takes jobs.
    pub stalled: Duration,
    /// After this the device hangs.
    pub hung: Duration,
}

/// Watches all calls of the process. Cheap to clone.
#[derive(Clone)]
pub struct Watchdog {
    calls: Arc<Mutex<Calls>>,
}

#[derive(Default)]
struct Calls {
    /// How long the process has been running, as far as the watchdog has seen it.
    clock: Duration,
    next: u64,
    open: HashMap<u64, Call>,
}

struct Call {
    began: Duration,
    patience: Patience,
    /// Cancelled when the call hangs: one for each job in it.
    jobs: Vec<CancellationToken>,
}

/// A call that is under way; over when this is dropped.
pub struct Watched {
    watchdog: Watchdog,
    id: u64,
    began: Instant,
}

impl Watchdog {
    /// A watchdog that ends the process when a call hangs, after it has told `shutdown`.
    ///
    /// # Errors
    /// When the system grants no thread.
    pub fn start(shutdown: Shutdown) -> io::Result<Self> {
        let watchdog = Self::idle();
        let watching = watchdog.clone();
        thread::Builder::new().name("watchdog".into()).spawn(move || watching.watch(&shutdown))?;
        Ok(watchdog)
    }

    /// Counts no time by itself.
    pub fn idle() -> Self {
        Self { calls: Arc::default() }
    }

    /// Watches a call that begins now, for these jobs.
    pub fn call(&self, patience: Patience, jobs: Vec<CancellationToken>) -> Watched {
        let mut calls = self.lock();
        let (id, began) = (calls.next, calls.clock);
        calls.next += 1;
        calls.open.insert(id, Call { began, patience, jobs });
        Watched { watchdog: self.clone(), id, began: Instant::now() }
    }

    /// Whether a call takes longer than such a call takes.
    pub fn is_stalled(&self) -> bool {
        let calls = self.lock();
        calls.open.values().any(|call| calls.clock - call.began >= call.patience.stalled)
    }

    fn watch(&self, shutdown: &Shutdown) {
        loop {
            let slept = Instant::now();
            thread::sleep(TICK);
            if let Some(took) = self.tick(slept.elapsed()) {
                tracing::error!(
                    call.duration_ms = took.as_millis() as u64,
                    "the device does not come back from a call: ending the process"
                );
                shutdown.device_hangs();
                thread::sleep(LAST_WORDS);
                process::abort();
            }
        }
    }

    /// Lets time pass, not more than two ticks of it; says how long a call has taken that hangs, and tells its jobs.
    pub fn tick(&self, passed: Duration) -> Option<Duration> {
        let mut calls = self.lock();
        calls.clock += passed.min(2 * TICK);
        let clock = calls.clock;
        let hung = calls.open.values().filter(|call| clock - call.began >= call.patience.hung);
        let hung: Vec<_> = hung.inspect(|call| call.jobs.iter().for_each(CancellationToken::cancel)).collect();
        hung.iter().map(|call| clock - call.began).max()
    }

    fn lock(&self) -> MutexGuard<'_, Calls> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Watched {
    /// How long the call has taken so far, the time not counted in which the process was stopped.
    pub fn took(&self) -> Duration {
        let calls = self.watchdog.lock();
        let ran = calls.open.get(&self.id).map_or(Duration::ZERO, |call| calls.clock - call.began);
        self.began.elapsed().min(ran + 2 * TICK)
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        self.watchdog.lock().open.remove(&self.id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATIENCE: Patience = Patience { stalled: Duration::from_millis(300), hung: Duration::from_millis(1000) };

    #[test]
    fn a_call_stalls_then_hangs_and_its_jobs_are_told() {
        let watchdog = Watchdog::idle();
        let (mine, other) = (CancellationToken::new(), CancellationToken::new());
        let call = watchdog.call(PATIENCE, vec![mine.clone()]);
        for _ in 0..9 {
            assert_eq!(watchdog.tick(TICK), None);
        }
        assert!(watchdog.is_stalled() && !mine.is_cancelled());
        let fresh = watchdog.call(PATIENCE, vec![other.clone()]);
        assert_eq!(watchdog.tick(TICK), Some(Duration::from_secs(1)));
        assert!(mine.is_cancelled() && !other.is_cancelled());
        drop(call);
        assert!(!watchdog.is_stalled());
        drop(fresh);
    }

    #[test]
    fn a_process_that_was_stopped_for_an_hour_has_lost_two_ticks() {
        let watchdog = Watchdog::idle();
        let _call = watchdog.call(PATIENCE, vec![]);
        assert_eq!(watchdog.tick(Duration::from_secs(3600)), None);
        assert_eq!(watchdog.lock().clock, 2 * TICK);
    }

    #[test]
    fn a_call_that_is_over_is_watched_no_more() {
        let watchdog = Watchdog::idle();
        drop(watchdog.call(PATIENCE, vec![]));
        assert_eq!((0..100).find_map(|_| watchdog.tick(TICK)), None);
    }
}
