//! How often an event is delivered until somebody takes it, and when.

/// After so many attempts an event is given up, and those behind it go on.
pub const DELIVERIES_MAX: u32 = 20;
/// What was given up is kept for the operator for so long, in milliseconds: thirty days.
pub const GIVEN_UP_KEPT_MS: i64 = 30 * 24 * 3_600_000;
/// How long we remember what others have told us: longer than they repeat it.
pub const RECEIVED_KEPT_MS: i64 = 30 * 24 * 60 * 60 * 1000;
/// No pause between two attempts is longer, in milliseconds: an hour.
pub const DELIVERY_PAUSE_MAX_MS: i64 = 3_600_000;

/// The pause before the next attempt, in milliseconds: a second, then twice as long each time, up to an hour; of that at least
/// half. `chance`, from 0 to 1, spreads what failed at the same moment. `None`: no attempt is left.
#[must_use]
pub fn delivery_pause_ms(attempts: u32, chance: f64) -> Option<i64> {
    let longest = (1000 << attempts.clamp(1, DELIVERIES_MAX).saturating_sub(1)).min(DELIVERY_PAUSE_MAX_MS);
    (attempts < DELIVERIES_MAX).then(|| longest / 2 + (longest as f64 / 2.0 * chance.clamp(0.0, 1.0)) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_an_hour_until_no_attempt_is_left() {
        let pauses: Vec<_> = (1..=14).map(|attempts| delivery_pause_ms(attempts, 1.0).unwrap()).collect();
        assert_eq!(pauses[..4], [1000, 2000, 4000, 8000]);
        assert_eq!(pauses[12..], [3_600_000, 3_600_000]);
        assert_eq!(delivery_pause_ms(DELIVERIES_MAX, 1.0), None);
    }

    #[test]
    fn chance_spreads_attempts_over_the_second_half_of_the_pause() {
        assert_eq!((delivery_pause_ms(3, 0.0), delivery_pause_ms(3, 0.5), delivery_pause_ms(3, 7.0)), (Some(2000), Some(3000), Some(4000)));
    }
}
