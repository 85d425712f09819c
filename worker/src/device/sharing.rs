//! Whose the device's time is: every moment of it belongs to the jobs that use it, or to nobody.
//!
//! Where several calls run at once, as a decode beside a denoising step, each has an equal share; a call for several jobs shares its own among them.

use std::{
    collections::HashMap,
    mem,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};
use store::clock::Instant;

/// What one job has taken of the device in one stage. Cheap to clone.
#[derive(Clone, Default)]
pub struct Meter(Arc<Counts>);

#[derive(Default)]
struct Counts {
    taken_ns: AtomicU64,
    told_ms: AtomicU64,
    is_over: AtomicBool,
}

impl Meter {
    fn add(&self, time: Duration) {
        self.0.taken_ns.fetch_add(time.as_nanos() as u64, Ordering::Relaxed);
    }

    /// What it has taken so far.
    pub fn taken(&self) -> Duration {
        Duration::from_nanos(self.0.taken_ns.load(Ordering::Relaxed))
    }

    /// The same in milliseconds.
    pub fn taken_ms(&self) -> u64 {
        self.taken().as_millis() as u64
    }

    /// So much of it is written down for the job, in milliseconds.
    pub fn told(&self, ms: u64) {
        self.0.told_ms.fetch_max(ms, Ordering::Relaxed);
    }

    /// What is written down for the job so far, in milliseconds.
    pub fn told_ms(&self) -> u64 {
        self.0.told_ms.load(Ordering::Relaxed)
    }

    /// No more than that is written down after all.
    pub fn told_no_more_than(&self, ms: u64) {
        self.0.told_ms.fetch_min(ms, Ordering::Relaxed);
    }
}

/// The device, as it is shared. Cheap to clone.
#[derive(Clone)]
pub struct Sharing {
    state: Arc<Mutex<State>>,
}

struct State {
    at: Instant,
    begun: Instant,
    /// Since then, somebody's or for loading.
    busy: Duration,
    /// Nobody's, and not told so far.
    spare: Duration,
    next: u64,
    calls: HashMap<u64, Vec<Meter>>,
}

/// A call that uses the device until this is dropped.
pub struct Using {
    sharing: Sharing,
    id: u64,
}

impl Sharing {
    /// From now on.
    pub fn start() -> Self {
        Self { state: Arc::new(Mutex::new(State::begun_at(Instant::now()))) }
    }

    /// A call begins, for the jobs that have these.
    pub fn begin(&self, meters: Vec<Meter>) -> Using {
        let mut state = self.settled();
        let id = state.next;
        state.next += 1;
        state.calls.insert(id, meters);
        Using { sharing: self.clone(), id }
    }

    /// Counts what calls that have not ended have taken so far.
    pub fn settle(&self) {
        drop(self.settled());
    }

    /// How long something has used the device since this began, and how long nothing has.
    pub fn busy_and_idle(&self) -> (Duration, Duration) {
        let state = self.settled();
        (state.busy, (state.at - state.begun).saturating_sub(state.busy))
    }

    /// What was nobody's since it was taken last.
    pub fn take_spare(&self) -> Duration {
        mem::take(&mut self.settled().spare)
    }

    /// What could not be told is told another time.
    pub fn put_back(&self, spare: Duration) {
        self.settled().spare += spare;
    }

    /// A job has ended, or is somebody else's: what of its time was not written down is nobody's, and so is what calls take that still go on.
    pub fn give_up(&self, meter: &Meter) {
        let mut state = self.settled();
        if !meter.0.is_over.swap(true, Ordering::Relaxed) {
            let told = Duration::from_millis(meter.0.told_ms.load(Ordering::Relaxed));
            state.spare += Duration::from_nanos(meter.0.taken_ns.load(Ordering::Relaxed)).saturating_sub(told);
        }
    }

    fn settled(&self) -> MutexGuard<'_, State> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        let passed = now - mem::replace(&mut state.at, now);
        state.divide(passed);
        state
    }
}

impl State {
    fn begun_at(begun: Instant) -> Self {
        Self { at: begun, begun, busy: Duration::ZERO, spare: Duration::ZERO, next: 0, calls: HashMap::new() }
    }

    fn divide(&mut self, passed: Duration) {
        let share = passed.checked_div(self.calls.len() as u32).unwrap_or_default();
        if self.calls.is_empty() {
            self.spare += passed;
        } else {
            self.busy += passed;
        }
        for meters in self.calls.values() {
            let Some(part) = share.checked_div(meters.len() as u32) else {
                self.spare += share;
                continue;
            };
            for meter in meters {
                if meter.0.is_over.load(Ordering::Relaxed) { self.spare += part } else { meter.add(part) }
            }
        }
    }
}

impl Drop for Using {
    fn drop(&mut self) {
        self.sharing.settled().calls.remove(&self.id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    fn state() -> State {
        State::begun_at(Instant::now())
    }

    #[test]
    fn every_moment_is_somebodys() {
        let mut state = state();
        let [a, b, c] = [(); 3].map(|()| Meter::default());
        state.divide(10 * MS);
        state.calls.insert(0, vec![a.clone(), b.clone()]);
        state.divide(20 * MS);
        state.calls.insert(1, vec![c.clone()]);
        state.divide(40 * MS);
        state.calls.remove(&0);
        state.divide(5 * MS);
        state.calls.clear();
        state.divide(7 * MS);
        assert_eq!([a, b, c].map(|meter| meter.taken_ms()), [20, 20, 25]);
        assert_eq!((state.spare, state.busy), (17 * MS, 65 * MS));
    }

    #[test]
    fn a_call_for_nobody_is_nobodys() {
        let (mut state, meter) = (state(), Meter::default());
        state.calls.insert(0, vec![]);
        state.calls.insert(1, vec![meter.clone()]);
        state.divide(30 * MS);
        assert_eq!((state.spare, meter.taken_ms()), (15 * MS, 15));
    }

    #[test]
    fn what_was_not_told_of_a_job_that_is_lost_is_nobodys() {
        let (sharing, meter) = (Sharing::start(), Meter::default());
        meter.add(30 * MS);
        meter.told(30);
        meter.told(20);
        meter.add(Duration::from_secs(1_000_000));
        sharing.give_up(&meter);
        sharing.give_up(&meter);
        assert_eq!(sharing.take_spare().as_secs() / 10, 100_000);
    }

    #[test]
    fn what_a_call_goes_on_to_take_for_a_job_that_is_lost_is_nobodys() {
        let (mut state, over, goes_on) = (state(), Meter::default(), Meter::default());
        state.calls.insert(0, vec![over.clone(), goes_on.clone()]);
        state.divide(20 * MS);
        over.0.is_over.store(true, Ordering::Relaxed);
        state.divide(40 * MS);
        assert_eq!((state.spare, over.taken_ms(), goes_on.taken_ms()), (20 * MS, 10, 30));
    }
}
