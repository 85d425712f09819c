//! How often a job is tried, and how far ahead its moments may lie.

use crate::JobId;

/// How often a job is tried before it fails for good.
pub const ATTEMPTS_MAX: u32 = 3;

/// No lease is longer, in milliseconds.
pub const LEASE_MAX_MS: i64 = 600_000;

/// Nor does one end further ahead, in milliseconds, whatever the clock was corrected by.
pub const LEASE_AHEAD_MAX_MS: i64 = 2 * LEASE_MAX_MS;

/// No pause before a retry is longer, in milliseconds.
pub const PAUSE_MAX_MS: i64 = 16_000;

/// The pause before the next attempt of a job, in milliseconds: at most 1 s, 4 s, then 16 s, and at least half of that. Jobs that failed
/// together come back one after the other; of one job and attempt the pause is always the same.
#[must_use]
pub fn pause_ms(job: JobId, attempts: u32) -> i64 {
    let most = if attempts > 2 { PAUSE_MAX_MS } else { 1000 << (2 * attempts.saturating_sub(1)) };
    let half = most / 2;
    half + i64::try_from(spread(job, attempts) % (half.unsigned_abs() + 1)).unwrap_or(0)
}

/// A number that differs from job to job and from attempt to attempt. Source: the finalizer of splitmix64 (Steele et al. 2014).
fn spread(job: JobId, attempts: u32) -> u64 {
    let (high, low) = job.uuid().as_u64_pair();
    let mut bits = (high ^ low.rotate_left(32)).wrapping_add(u64::from(attempts).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use uuid::Uuid;

    fn job(n: u128) -> JobId {
        JobId::from_uuid(Uuid::from_u128(n))
    }

    #[test]
    fn jobs_that_failed_together_come_back_apart() {
        let pauses: Vec<i64> = (0..1000).map(|n| pause_ms(job(n), 2)).collect();
        let in_each_quarter =
            [2000..2500, 2500..3000, 3000..3500, 3500..4001].map(|part| pauses.iter().filter(|ms| part.contains(*ms)).count());
        assert!(in_each_quarter.iter().all(|count| (200..300).contains(count)), "{in_each_quarter:?}");
    }

    proptest! {
        #[test]
        fn a_pause_lies_within_its_bounds_and_is_always_the_same(id in any::<u128>(), attempts in 0_u32..9) {
            let most = [1000, 1000, 4000].get(attempts as usize).copied().unwrap_or(PAUSE_MAX_MS);
            let pause = pause_ms(job(id), attempts);
            prop_assert!((most / 2..=most).contains(&pause), "{pause}");
            prop_assert_eq!(pause, pause_ms(job(id), attempts));
        }
    }
}
