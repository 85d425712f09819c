//! Whether workers that fell silent may live: after a time in which none could say that it does.
//!
//! The database was away, as far as this server saw, or its clock jumped, or the machine slept: for as long as a worker counts as alive after its last
//! sign of life, those that are silent are waited for. Otherwise the whole fleet would be started once more.

use domain::Timestamp;
use std::time::Duration;
use store::{ALIVE_MS, clock::Instant};

const WAITED_FOR: Duration = Duration::from_millis(ALIVE_MS.unsigned_abs());
/// By so much the clock of the database and this machine's may differ between two looks.
const TOLERANCE_MS: u64 = 5000;

pub(super) struct Absence {
    until: Instant,
    /// When this server looked last, and what the clock of the database showed then.
    looked: Option<(Instant, Timestamp)>,
}

impl Absence {
    /// What was before is not known.
    pub(super) fn begun(now: Instant) -> Self {
        Self { until: now + WAITED_FOR, looked: None }
    }

    /// Whether it lasts at a look, at which the clock of the database shows this.
    pub(super) fn lasts(&mut self, now: Instant, clock: Timestamp) -> bool {
        if let Some((before, clock_before)) = self.looked.replace((now, clock)) {
            let shown_ms = clock.ms().saturating_sub(clock_before.ms());
            if shown_ms.abs_diff((now - before).as_millis() as i64) > TOLERANCE_MS {
                self.until = now + WAITED_FOR;
            }
        }
        now < self.until
    }

    #[cfg(test)]
    pub(super) fn over() -> Self {
        Self { until: Instant::now(), looked: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const S: Duration = Duration::from_secs(1);

    #[test]
    fn it_lasts_from_the_first_look_and_from_a_jump_of_the_clock_as_long_as_signs_of_life_count() {
        let (start, clock) = (Instant::now(), Timestamp::from_ms(1_800_000_000_000));
        let mut absence = Absence::begun(start);
        let mut lasts = |s: u32, clock_s: i64| absence.lasts(start + s * S, clock.plus_ms(clock_s * 1000));
        assert_eq!([lasts(0, 0), lasts(14, 14), lasts(15, 15), lasts(60, 63)], [true, true, false, false]);
        assert_eq!([lasts(61, 100), lasts(75, 114), lasts(76, 115)], [true, true, false], "the machine slept");
        assert_eq!([lasts(77, 0), lasts(92, 15)], [true, false], "it was put back");
    }
}
