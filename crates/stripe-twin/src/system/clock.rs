//! The machine's clock. What Stripe's objects say comes from [`crate::world::World`], which may be ahead of it.

use std::time::{SystemTime, UNIX_EPOCH};

/// Milliseconds since 1970.
pub fn present_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// Seconds since 1970.
pub fn present_s() -> i64 {
    present_ms() / 1000
}
