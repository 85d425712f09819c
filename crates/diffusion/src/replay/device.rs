//! The device that the replaying models of a process share: of calls that run at once each has an equal share of it, as workers count it.

use std::collections::HashMap;
use std::sync::{Condvar, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

pub(super) static DEVICE: LazyLock<Device> = LazyLock::new(Device::idle);

pub(super) struct Device {
    calls: Mutex<Calls>,
    ended: Condvar,
}

struct Calls {
    at: Instant,
    next: u64,
    /// What the device has yet to do for each call.
    left: HashMap<u64, Duration>,
}

/// A call that uses the device until it is finished or dropped.
pub(super) struct Call<'a> {
    device: &'a Device,
    id: u64,
}

impl Device {
    fn idle() -> Self {
        Self { calls: Mutex::new(Calls { at: Instant::now(), next: 0, left: HashMap::new() }), ended: Condvar::new() }
    }

    /// The device does this work from now on.
    pub fn begin(&self, work: Duration) -> Call<'_> {
        let mut calls = self.settled();
        let id = calls.next;
        calls.next += 1;
        calls.left.insert(id, work);
        Call { device: self, id }
    }

    fn settled(&self) -> MutexGuard<'_, Calls> {
        let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        calls.settle(Instant::now());
        calls
    }
}

impl Calls {
    fn settle(&mut self, now: Instant) {
        let passed = now.saturating_duration_since(self.at);
        self.at = now;
        let share = passed.checked_div(self.left.len() as u32).unwrap_or_default();
        self.left.values_mut().for_each(|left| *left = left.saturating_sub(share));
    }

    /// Until the call is done if no other begins or ends meanwhile.
    fn wait(&self, id: u64) -> Duration {
        self.left.get(&id).copied().unwrap_or_default() * self.left.len() as u32
    }
}

impl Call<'_> {
    /// Waits until the device has done the work.
    pub fn finish(self) {
        let mut calls = self.device.settled();
        loop {
            let wait = calls.wait(self.id);
            if wait.is_zero() {
                return;
            }
            (calls, _) = self.device.ended.wait_timeout(calls, wait).unwrap_or_else(PoisonError::into_inner);
            calls.settle(Instant::now());
        }
    }
}

impl Drop for Call<'_> {
    fn drop(&mut self) {
        self.device.settled().left.remove(&self.id);
        self.device.ended.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn each_call_has_an_equal_share_while_it_runs() {
        let begun = Instant::now();
        let mut calls = Calls { at: begun, next: 0, left: HashMap::from([(0, 30 * MS), (1, 50 * MS)]) };
        assert_eq!((calls.wait(0), calls.wait(1)), (60 * MS, 100 * MS));
        calls.settle(begun + 60 * MS);
        assert_eq!((calls.wait(0), calls.wait(1)), (Duration::ZERO, 40 * MS));
        calls.left.remove(&0);
        assert_eq!(calls.wait(1), 20 * MS);
        calls.settle(begun + 80 * MS);
        assert!(calls.wait(1).is_zero());
    }

    #[test]
    fn calls_at_once_take_as_long_as_one_after_the_other() {
        let (device, begun) = (Device::idle(), Instant::now());
        std::thread::scope(|scope| (0..4).for_each(|_| drop(scope.spawn(|| device.begin(10 * MS).finish()))));
        assert!(begun.elapsed() >= 40 * MS);
        assert!(device.settled().left.is_empty());
    }
}
