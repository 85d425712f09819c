//! How long calls to the device take, and from that how long one may take before the device is taken to hang.

use crate::device::watchdog::Patience;
use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

/// While nothing has been measured: a first call may compile kernels or read weights from a slow disk.
const UNMEASURED: Duration = Duration::from_secs(300);
/// A call that is slower than the slowest one by this factor stalls, by the other it hangs.
const STALLED: u32 = 3;
const HUNG: u32 = 10;

/// The pace of one kind of call, per unit of its size: a pixel of all frames that it makes.
pub struct Pace {
    /// A call is never taken to hang before this.
    least: Duration,
    /// What a call may take beside, to load weights first.
    loading: Duration,
    /// Seconds for each unit of the slowest call of late.
    slowest: Mutex<Option<f64>>,
}

impl Pace {
    pub const fn new(least: Duration, loading: Duration) -> Self {
        Self { least, loading, slowest: Mutex::new(None) }
    }

    /// Notes a call of `units` that came back. Slow ones are forgotten little by little.
    pub fn note(&self, took: Duration, units: f64) {
        let pace = took.as_secs_f64() / units;
        let mut slowest = self.slowest.lock().unwrap_or_else(PoisonError::into_inner);
        *slowest = Some(slowest.map_or(pace, |slowest| pace.max(slowest * 0.95)));
    }

    /// How long a call of `units` may take.
    pub fn patience(&self, units: f64) -> Patience {
        let slowest = *self.slowest.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(slowest) = slowest else { return Patience { stalled: UNMEASURED, hung: UNMEASURED } };
        let expected = Duration::from_secs_f64((slowest * units).clamp(0.0, 86_400.0));
        Patience { stalled: self.least / 4 + self.loading + expected * STALLED, hung: self.least + self.loading + expected * HUNG }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const S: Duration = Duration::from_secs(1);

    #[test]
    fn patience_grows_with_the_slowest_call_and_the_size_of_the_next() {
        let pace = Pace::new(10 * S, Duration::ZERO);
        assert_eq!(pace.patience(1.0), Patience { stalled: UNMEASURED, hung: UNMEASURED });
        pace.note(2 * S, 1.0);
        pace.note(S, 1.0);
        assert_eq!(pace.patience(1.0).hung, 10 * S + Duration::from_secs_f64(19.0));
        assert_eq!(pace.patience(4.0).stalled, Duration::from_secs_f64(2.5 + 22.8));
    }

    #[test]
    fn a_call_that_may_have_to_load_weights_neither_stalls_nor_hangs_meanwhile() {
        let pace = Pace::new(8 * S, 600 * S);
        pace.note(S, 1.0);
        assert_eq!(pace.patience(1.0), Patience { stalled: 605 * S, hung: 618 * S });
    }

    #[test]
    fn one_slow_call_is_forgotten_in_the_end() {
        let pace = Pace::new(S, Duration::ZERO);
        pace.note(100 * S, 1.0);
        (0..200).for_each(|_| pace.note(S, 1.0));
        assert!(pace.patience(1.0).hung < 12 * S);
    }
}
