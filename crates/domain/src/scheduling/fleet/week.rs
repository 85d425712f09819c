//! How much work comes in each hour of the week, learned week by week.
//!
//! Each of the 168 hours (UTC, the first is Monday 00:00) keeps an exponential mean of the work that came in it: a new week counts for a
//! quarter. An hour that was not seen as a whole is not learned.

use crate::Timestamp;
use serde::{Deserialize, Serialize};

pub(super) const HOUR_MS: i64 = 3_600_000;
const HOURS: i64 = 168;
/// Hours from the Monday before 1970-01-01, a Thursday.
const EPOCH_HOUR: i64 = 3 * 24;
const OLD_WEEKS: u64 = 3;

/// The work of each hour of the week, in milliseconds of device time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WeekForecast {
    expected_ms: Vec<Option<u64>>,
    open: Option<OpenHour>,
}

/// The hour that has not passed yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct OpenHour {
    /// Since 1970.
    hour: i64,
    work_ms: u64,
    /// It was seen from its beginning.
    whole: bool,
}

impl Default for WeekForecast {
    fn default() -> Self {
        Self { expected_ms: vec![None; HOURS as usize], open: None }
    }
}

fn hour_of(at: Timestamp) -> i64 {
    at.ms().div_euclid(HOUR_MS)
}

impl WeekForecast {
    /// So much work came by `now` since this was called last. It is to be called more than once an hour, also where none came.
    pub fn observe(&mut self, now: Timestamp, work_ms: u64) {
        let hour = hour_of(now);
        match &mut self.open {
            Some(open) if open.hour == hour => open.work_ms = open.work_ms.saturating_add(work_ms),
            open => {
                let passed = open.replace(OpenHour { hour, work_ms, whole: open.is_some_and(|open| open.hour + 1 == hour) });
                if let Some(passed) = passed.filter(|passed| passed.whole && passed.hour + 1 == hour) {
                    self.learn(passed);
                }
            }
        }
    }

    fn learn(&mut self, passed: OpenHour) {
        if let Some(expected_ms) = self.expected_ms.get_mut(bucket(passed.hour)) {
            let learned = expected_ms.map(|old| (old.saturating_mul(OLD_WEEKS).saturating_add(passed.work_ms)) / (OLD_WEEKS + 1));
            *expected_ms = Some(learned.unwrap_or(passed.work_ms));
        }
    }

    /// What is expected to come in the whole hour of that moment; `None`: that hour of the week was never seen.
    #[must_use]
    pub fn expected_ms(&self, at: Timestamp) -> Option<u64> {
        self.expected_ms.get(bucket(hour_of(at))).copied().flatten()
    }

    /// The most of all hours from one moment to another.
    pub(super) fn most_ms(&self, from: Timestamp, until: Timestamp) -> Option<u64> {
        let hours = hour_of(from)..=hour_of(until).min(hour_of(from) + HOURS);
        hours.filter_map(|hour| self.expected_ms.get(bucket(hour)).copied().flatten()).max()
    }
}

/// Of an hour since 1970.
fn bucket(hour: i64) -> usize {
    (hour + EPOCH_HOUR).rem_euclid(HOURS) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use time::macros::datetime;

    fn at(hour: i64, minute: i64) -> Timestamp {
        Timestamp::from_ms(hour * HOUR_MS + minute * 60_000)
    }

    #[test]
    fn the_week_begins_on_monday() {
        let monday = datetime!(2026-06-01 00:30 UTC).unix_timestamp() * 1000;
        assert_eq!(bucket(hour_of(Timestamp::from_ms(monday))), 0);
        assert_eq!(bucket(hour_of(Timestamp::from_ms(monday - HOUR_MS))), 167);
        assert_eq!(bucket(-1_000_000_000), bucket(-1_000_000_000 + 168));
    }

    #[test]
    fn an_hour_is_learned_when_it_has_passed_and_was_seen_as_a_whole() {
        let mut week = WeekForecast::default();
        week.observe(at(9, 30), 100);
        week.observe(at(10, 1), 40);
        assert_eq!(week.expected_ms(at(9, 0)), None, "half of it was missed");
        week.observe(at(10, 59), 60);
        assert_eq!(week.expected_ms(at(10, 0)), None, "it has not passed");
        week.observe(at(11, 0), 7);
        assert_eq!(week.expected_ms(at(10, 30)), Some(100));
        assert_eq!(week.expected_ms(at(10 + 168, 0)), Some(100));
        week.observe(at(13, 0), 1);
        assert_eq!(week.expected_ms(at(11, 0)), None, "nobody looked when it ended");
    }

    #[test]
    fn a_new_week_counts_for_a_quarter() {
        let mut week = WeekForecast::default();
        for hour in 0..=168 * 3 {
            week.observe(at(hour, 0), if hour < 170 { 1000 } else { 0 });
        }
        assert_eq!([1, 2, 5].map(|hour| week.expected_ms(at(hour, 0))), [Some(750), Some(562), Some(562)]);
        assert_eq!(week.most_ms(at(0, 59), at(1, 0)), Some(750));
    }
}
