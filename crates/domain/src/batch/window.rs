//! Within which time a batch is to be done.

use std::{fmt, str::FromStr};

const MINUTE_MS: i64 = 60_000;
const DAY_MS: i64 = 24 * 60 * MINUTE_MS;
const MS_MIN: i64 = MINUTE_MS;
const MS_MAX: i64 = 30 * DAY_MS;
/// The text is kept as it was sent.
const DIGITS_MAX: usize = 6;

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("`completion_window` is a whole number of minutes, hours or days, such as \"90m\", \"24h\" or \"7d\", from 1 minute to 30 days.")]
pub struct WindowError;

/// As it was asked for, and in milliseconds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompletionWindow {
    text: String,
    ms: i64,
}

impl CompletionWindow {
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    #[must_use]
    pub const fn ms(&self) -> i64 {
        self.ms
    }
}

impl FromStr for CompletionWindow {
    type Err = WindowError;

    fn from_str(text: &str) -> Result<Self, WindowError> {
        let (number, unit_ms) = [("m", MINUTE_MS), ("h", 60 * MINUTE_MS), ("d", DAY_MS)]
            .into_iter()
            .find_map(|(unit, ms)| Some((text.strip_suffix(unit)?, ms)))
            .ok_or(WindowError)?;
        let is_number = (1..=DIGITS_MAX).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit());
        let number: i64 = if is_number { number.parse().map_err(|_| WindowError)? } else { return Err(WindowError) };
        let ms = number.checked_mul(unit_ms).filter(|ms| (MS_MIN..=MS_MAX).contains(ms)).ok_or(WindowError)?;
        Ok(Self { text: text.to_owned(), ms })
    }
}

impl fmt::Display for CompletionWindow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_window_from_a_minute_to_thirty_days_is_read_as_it_is_written() {
        for (text, ms) in [("1m", 60_000), ("1h", 3_600_000), ("24h", DAY_MS), ("7d", 7 * DAY_MS), ("30d", MS_MAX)] {
            let window: CompletionWindow = text.parse().unwrap();
            assert_eq!((window.ms(), window.to_string()), (ms, text.to_owned()));
        }
        for text in [
            "",
            "h",
            "24",
            "0h",
            "31d",
            "-1h",
            "+1h",
            "1.5h",
            "1w",
            "24 h",
            "0000024h",
            "999999999999999999999d",
            "9223372036854775807d",
            "٣h",
        ] {
            assert_eq!(text.parse::<CompletionWindow>(), Err(WindowError), "{text}");
        }
    }
}
