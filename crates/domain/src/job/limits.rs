//! How often a job is tried, and how far ahead its moments may lie.

/// How often a job is tried before it fails for good.
pub const ATTEMPTS_MAX: u32 = 3;

/// No lease is longer, in milliseconds.
pub const LEASE_MAX_MS: i64 = 600_000;

/// Nor does one end further ahead, in milliseconds, whatever the clock was corrected by.
pub const LEASE_AHEAD_MAX_MS: i64 = 2 * LEASE_MAX_MS;

/// No pause before a retry is longer, in milliseconds.
pub const PAUSE_MAX_MS: i64 = 16_000;

/// The pause before the next attempt, in milliseconds: 1 s, 4 s, then 16 s.
#[must_use]
pub const fn pause_ms(attempts: u32) -> i64 {
    if attempts > 2 { PAUSE_MAX_MS } else { 1000 << (2 * attempts.saturating_sub(1)) }
}
