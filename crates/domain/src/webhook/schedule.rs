//! When a delivery is tried again, and when an endpoint is told nothing more.

use crate::Timestamp;

const SECOND_MS: i64 = 1000;
const MINUTE_MS: i64 = 60 * SECOND_MS;
const HOUR_MS: i64 = 60 * MINUTE_MS;
const DAY_MS: i64 = 24 * HOUR_MS;

/// Before each try but the first, in milliseconds: three days in all.
const PAUSES_MS: [i64; 9] =
    [5 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 5 * HOUR_MS, 10 * HOUR_MS, 14 * HOUR_MS, 20 * HOUR_MS, 24 * HOUR_MS];
/// After so many tries a delivery has failed, until somebody replays it.
pub const TRIES_MAX: u32 = PAUSES_MS.len() as u32 + 1;
/// A receiver that asks for more patience than this is asked again all the same.
pub const RETRY_AFTER_MAX_MS: i64 = DAY_MS;
/// An endpoint that has taken nothing for so long is disabled.
pub const DISABLED_AFTER_MS: i64 = 5 * DAY_MS;
/// Of an endpoint that was asked nothing for so long nobody knows whether it would have taken anything. No two tries of a delivery lie so far apart.
pub const UNASKED_MS: i64 = 2 * DAY_MS;
/// No pause is longer: the last one of the schedule, and a fifth more. What is due later was made so before the clock was put back.
pub const PAUSE_MAX_MS: i64 = DAY_MS * 12 / 10;
/// A receiver whose last answer took longer is slow.
pub const SLOW_MS: u64 = 2000;
/// Of one endpoint so many tests stay in the log.
pub const TESTS_KEPT: u64 = 20;
/// Deliveries stay in the log for so long.
pub const DELIVERY_KEPT_MS: i64 = 7 * DAY_MS;
/// Where a secret is rotated with an overlap, the old one signs for so long beside the new one.
pub const OLD_SECRET_KEPT_MS: i64 = DAY_MS;

/// What an answer means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Delivered,
    /// To be tried again.
    Failed,
    /// The receiver wants nothing more, now or later.
    Gone,
}

/// `status`: that of the answer; `None`: there was none. A redirect is not followed, and so is no success.
#[must_use]
pub const fn judge(status: Option<u16>) -> Verdict {
    match status {
        Some(200..=299) => Verdict::Delivered,
        Some(410) => Verdict::Gone,
        _ => Verdict::Failed,
    }
}

/// The pause before the next try of a delivery that was tried so often, in milliseconds: a fifth more or less than the schedule says, by
/// `chance` from 0 to 1, and no less than the receiver asked for. `None`: no try is left.
#[must_use]
pub fn next_try_pause_ms(tries: u32, chance: f64, retry_after_ms: Option<i64>) -> Option<i64> {
    let planned = *PAUSES_MS.get(tries.saturating_sub(1) as usize)?;
    let spread = (planned as f64 * (0.8 + 0.4 * chance.clamp(0.0, 1.0))) as i64;
    Some(retry_after_ms.map_or(spread, |asked| spread.max(asked.min(RETRY_AFTER_MAX_MS))))
}

/// Deliveries to one endpoint at once: one that has not taken the last ones is tried with one at a time.
#[must_use]
pub const fn at_once(is_failing: bool) -> i64 {
    if is_failing { 1 } else { 4 }
}

/// Whether an endpoint that has taken nothing since then is told nothing more.
#[must_use]
pub fn is_to_be_disabled(failing_since: Timestamp, now: Timestamp) -> bool {
    now.ms() - failing_since.ms() >= DISABLED_AFTER_MS
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_delivery_is_tried_ten_times_over_three_days() {
        let pauses: Vec<_> = (1..TRIES_MAX).map(|tries| next_try_pause_ms(tries, 0.5, None).unwrap()).collect();
        assert_eq!(pauses, PAUSES_MS);
        assert_eq!((pauses.iter().sum::<i64>() / DAY_MS, next_try_pause_ms(TRIES_MAX, 0.5, None)), (3, None));
    }

    #[test]
    fn redirects_are_no_success_and_410_is_the_end() {
        let verdicts =
            [None, Some(200), Some(204), Some(299), Some(301), Some(307), Some(404), Some(410), Some(429), Some(503), Some(100)].map(judge);
        use Verdict::{Delivered, Failed, Gone};
        assert_eq!(verdicts, [Failed, Delivered, Delivered, Delivered, Failed, Failed, Failed, Gone, Failed, Failed, Failed]);
    }

    #[test]
    fn an_endpoint_is_disabled_after_five_days_of_failure() {
        let since = Timestamp::from_ms(1_800_000_000_000);
        assert_eq!(
            [0, DISABLED_AFTER_MS - 1, DISABLED_AFTER_MS].map(|ms| is_to_be_disabled(since, since.plus_ms(ms))),
            [false, false, true]
        );
    }

    proptest! {
        #[test]
        fn pauses_stay_near_the_schedule_and_never_below_what_was_asked_for(tries in 1..TRIES_MAX, chance in -1.0_f64..2.0, asked in proptest::option::of(-10..2 * DAY_MS)) {
            let (planned, pause) = (PAUSES_MS[tries as usize - 1], next_try_pause_ms(tries, chance, asked).unwrap());
            prop_assert!(pause <= PAUSE_MAX_MS && pause >= planned * 8 / 10 && pause <= (planned * 12 / 10).max(RETRY_AFTER_MAX_MS));
            prop_assert!(asked.is_none_or(|asked| pause >= asked.min(RETRY_AFTER_MAX_MS)));
        }
    }
}
