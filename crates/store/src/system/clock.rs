//! The machine's clock.

use domain::{Clock, Timestamp};
use std::time::{SystemTime, UNIX_EPOCH};

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
