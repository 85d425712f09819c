//! The machine's clocks: the one that tells the time, and the one that only runs forward, to wait and to measure by.

use domain::{Clock, Timestamp};
use std::time::{SystemTime, UNIX_EPOCH};

/// Of the clock that only runs forward. A test turns it by `tokio::time::pause` and `advance`.
pub use tokio::time::Instant;

#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        let since = system_time().duration_since(UNIX_EPOCH).unwrap_or_default();
        Timestamp::from_ms(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }
}

/// To compare with the times of files and objects, which no dial turns.
#[must_use]
pub fn system_time() -> SystemTime {
    SystemTime::now()
}
