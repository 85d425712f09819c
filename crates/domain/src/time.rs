//! Moments and lengths. A moment is unix milliseconds, a length of video whole milliseconds, so
//! that adding up ten thousand clips is exact and two databases store the same number.

use crate::number::scaled;
use serde::{Deserialize, Serialize};
use std::{fmt, ops::Add, str::FromStr};

/// A moment: milliseconds since 1970-01-01 UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Timestamp {
    ms: i64,
}

impl Timestamp {
    #[must_use]
    pub const fn from_ms(ms: i64) -> Self {
        Self { ms }
    }

    #[must_use]
    pub const fn ms(self) -> i64 {
        self.ms
    }

    /// Whole seconds, as the public API prints moments.
    #[must_use]
    pub const fn unix_seconds(self) -> i64 {
        self.ms.div_euclid(1000)
    }

    #[must_use]
    pub const fn plus_ms(self, ms: i64) -> Self {
        Self { ms: self.ms.saturating_add(ms) }
    }

    /// Milliseconds from `earlier` to `self`, never negative.
    #[must_use]
    pub const fn ms_since(self, earlier: Self) -> u64 {
        let ms = self.ms.saturating_sub(earlier.ms);
        if ms > 0 { ms.unsigned_abs() } else { 0 }
    }

    /// Whether this moment is past. So is one that lies further ahead than anybody sets it: the clock was put back
    /// since.
    #[must_use]
    pub const fn has_come(self, now: Self, ahead_max_ms: i64) -> bool {
        self.ms <= now.ms || self.ms > now.ms.saturating_add(ahead_max_ms)
    }
}

/// Where the present comes from; a dial in tests.
pub trait Clock: Send + Sync + fmt::Debug {
    fn now(&self) -> Timestamp;
}

/// Length of generated video: the unit in which load, quota, price and ETA are expressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct VideoTime {
    ms: u64,
}

impl VideoTime {
    #[must_use]
    pub const fn from_ms(ms: u64) -> Self {
        Self { ms }
    }

    #[must_use]
    pub const fn from_minutes(minutes: u64) -> Self {
        Self { ms: minutes * 60_000 }
    }

    #[must_use]
    pub const fn ms(self) -> u64 {
        self.ms
    }

    #[must_use]
    pub const fn saturating_sub(self, other: Self) -> Self {
        Self { ms: self.ms.saturating_sub(other.ms) }
    }

    /// As it is typed in minutes, with up to three decimals: `60`, `0.5`.
    ///
    /// # Errors
    /// [`VideoTimeError`].
    pub fn from_typed_minutes(text: &str) -> Result<Self, VideoTimeError> {
        let thousandths = scaled(text.trim(), 3).ok_or(VideoTimeError)?;
        Ok(Self { ms: thousandths.checked_mul(60).ok_or(VideoTimeError)? })
    }

    /// Seconds, for screens and the API; never for adding up.
    #[must_use]
    pub fn seconds(self) -> f64 {
        self.ms as f64 / 1000.0
    }
}

impl Add for VideoTime {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { ms: self.ms.saturating_add(other.ms) }
    }
}

/// What was typed is no length of video.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("give a number with at most three decimals, such as 12 or 0.5")]
pub struct VideoTimeError;

impl FromStr for VideoTime {
    type Err = VideoTimeError;

    /// Video-seconds with up to three decimals: `12`, `0.5`. As everything is counted, to the millisecond.
    fn from_str(text: &str) -> Result<Self, VideoTimeError> {
        scaled(text.trim(), 3).map(Self::from_ms).ok_or(VideoTimeError)
    }
}

impl fmt::Display for VideoTime {
    /// Up to three decimals, none that say nothing: `2`, `1.5`, `0.084`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, rest) = (self.ms / 1000, self.ms % 1000);
        let decimals = format!("{rest:03}");
        match decimals.trim_end_matches('0') {
            "" => write!(f, "{whole}"),
            decimals => write!(f, "{whole}.{decimals}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn video_time_prints_only_the_decimals_it_has() {
        for (ms, text) in [(2000, "2"), (1500, "1.5"), (84, "0.084"), (0, "0"), (10_010, "10.01")] {
            assert_eq!(VideoTime::from_ms(ms).to_string(), text);
        }
    }

    #[test]
    fn video_time_is_read_as_it_is_printed_and_in_minutes() {
        for ms in [0, 84, 500, 2000, 10_010] {
            assert_eq!(VideoTime::from_ms(ms).to_string().parse(), Ok(VideoTime::from_ms(ms)));
        }
        assert_eq!(" 12 ".parse(), Ok(VideoTime::from_ms(12_000)));
        assert_eq!(VideoTime::from_typed_minutes("0.5"), Ok(VideoTime::from_ms(30_000)));
        for wrong in ["", "-1", "1.", ".5", "1,5", "0.0001", "1e3", "99999999999999999999"] {
            assert_eq!(wrong.parse::<VideoTime>(), Err(VideoTimeError), "{wrong}");
        }
        assert_eq!(VideoTime::from_typed_minutes("999999999999999999"), Err(VideoTimeError));
    }

    #[test]
    fn a_moment_before_another_is_no_time_since_it() {
        assert_eq!(Timestamp::from_ms(5).ms_since(Timestamp::from_ms(9)), 0);
        assert_eq!(Timestamp::from_ms(9).ms_since(Timestamp::from_ms(5)), 4);
    }

    #[test]
    fn a_moment_that_nobody_sets_so_far_ahead_has_come() {
        let come = [99, 100, 101, 110, 111].map(|ms| Timestamp::from_ms(ms).has_come(Timestamp::from_ms(100), 10));
        assert_eq!(come, [true, true, false, false, true]);
    }
}
