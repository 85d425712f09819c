//! How often a job is tried, and how far ahead its moments may lie.

/// How often a job is tried before it fails for good.
pub const ATTEMPTS_MAX: u32 = 3;

/// For how long a retry is left to other workers than the one that failed it, in milliseconds. Bounded, so that
/// a job never waits for a worker that does not come.
pub const AVOID_MS: i64 = 30_000;

/// No lease is longer, in milliseconds.
pub const LEASE_MAX_MS: i64 = 600_000;

/// Nor does one end further ahead, in milliseconds, whatever the clock was corrected by.
pub const LEASE_AHEAD_MAX_MS: i64 = 2 * LEASE_MAX_MS;

/// For as long as this a retry is left to workers that were there when it failed: one that has started since may be the
/// one that failed it, started again. In milliseconds.
pub const STARTED_SINCE_MS: i64 = 600_000;
/// No pause before a retry is longer, in milliseconds.
pub const PAUSE_MAX_MS: i64 = 16_000;

/// The pause before the next attempt, in milliseconds: 1 s, 4 s, then 16 s.
#[must_use]
pub const fn pause_ms(attempts: u32) -> i64 {
    if attempts > 2 { PAUSE_MAX_MS } else { 1000 << (2 * attempts.saturating_sub(1)) }
}
