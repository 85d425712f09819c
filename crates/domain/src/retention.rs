//! How long things are kept, and when what could not be removed is tried again.

use crate::Timestamp;

/// For so long a repetition under the same idempotency key finds the first job, or that it was deleted.
pub const IDEMPOTENCY_KEY_KEPT_MS: i64 = 24 * 60 * 60 * 1000;

/// A client that got no answer sends a request again within this time.
pub const RETRIES_EXPECTED_MS: i64 = 15 * MINUTE_MS;

const MINUTE_MS: i64 = 60_000;
const DAY_MS: i64 = 24 * 60 * MINUTE_MS;
const PAUSE_MAX_MS: i64 = 6 * 60 * MINUTE_MS;

/// Until when a video is kept that has ended, by a plan that keeps videos for `retention_days`.
#[must_use]
pub fn kept_until(ended_at: Timestamp, retention_days: u32) -> Timestamp {
    ended_at.plus_ms(i64::from(retention_days) * DAY_MS)
}

/// What ended before this is not kept any more.
#[must_use]
pub fn kept_since(now: Timestamp, retention_days: u32) -> Timestamp {
    now.plus_ms(-i64::from(retention_days) * DAY_MS)
}

/// How long an object whose removal has failed once more is left alone, having failed so often before.
#[must_use]
pub fn removal_pause_ms(failures_before: u32) -> i64 {
    (MINUTE_MS << failures_before.min(10)).min(PAUSE_MAX_MS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_video_is_removed_when_the_time_it_is_kept_for_is_over_and_not_before() {
        let ended = Timestamp::from_ms(1_800_000_000_000);
        let until = kept_until(ended, 30);
        assert_eq!(until.ms() - ended.ms(), 30 * 86_400_000);
        assert!(ended >= kept_since(until, 30));
        assert!(ended < kept_since(until.plus_ms(1), 30));
    }

    #[test]
    fn pauses_double_from_a_minute_to_six_hours() {
        assert_eq!([0, 1, 2, 8, 9, 40].map(|failures| removal_pause_ms(failures) / MINUTE_MS), [1, 2, 4, 256, 360, 360]);
    }
}
