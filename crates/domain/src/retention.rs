//! How long things are kept, and when what could not be removed is tried again.

/// For so long a repetition under the same idempotency key finds the first job, or that it was deleted.
pub const IDEMPOTENCY_KEY_KEPT_MS: i64 = 24 * 60 * 60 * 1000;

/// A client that got no answer sends a request again within this time.
pub const RETRIES_EXPECTED_MS: i64 = 15 * MINUTE_MS;

const MINUTE_MS: i64 = 60_000;
const PAUSE_MAX_MS: i64 = 6 * 60 * MINUTE_MS;

/// How long an object whose removal has failed once more is left alone, having failed so often before.
#[must_use]
pub fn removal_pause_ms(failures_before: u32) -> i64 {
    (MINUTE_MS << failures_before.min(10)).min(PAUSE_MAX_MS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_from_a_minute_to_six_hours() {
        assert_eq!([0, 1, 2, 8, 9, 40].map(|failures| removal_pause_ms(failures) / MINUTE_MS), [1, 2, 4, 256, 360, 360]);
    }
}
