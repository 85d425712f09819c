//! Milliseconds as an operator reads them in a reason: with one decimal, in the largest unit of which there are two.

use std::fmt;

/// Milliseconds: `350 ms`, `12.5 s`, `4 min`, `3.5 h`.
pub(super) struct Ms(pub u64);

impl fmt::Display for Ms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (unit_ms, unit) = match self.0 {
            0..2000 => return write!(f, "{} ms", self.0),
            2000..120_000 => (1000, "s"),
            120_000..7_200_000 => (60_000, "min"),
            _ => (3_600_000, "h"),
        };
        match (self.0 / unit_ms, self.0 % unit_ms * 10 / unit_ms) {
            (whole, 0) => write!(f, "{whole} {unit}"),
            (whole, tenths) => write!(f, "{whole}.{tenths} {unit}"),
        }
    }
}

/// Thousandths as per cent: `80 %`, `12.5 %`.
pub(super) struct Permille(pub u64);

impl fmt::Display for Permille {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0 / 10, self.0 % 10) {
            (whole, 0) => write!(f, "{whole} %"),
            (whole, tenths) => write!(f, "{whole}.{tenths} %"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_and_parts_are_told_in_the_unit_that_fits() {
        let told = [0, 1999, 2000, 12_550, 119_999, 120_000, 7_199_999, 12_600_000].map(|ms| Ms(ms).to_string());
        assert_eq!(told, ["0 ms", "1999 ms", "2 s", "12.5 s", "119.9 s", "2 min", "119.9 min", "3.5 h"]);
        assert_eq!([0, 5, 800, 1000].map(|part| Permille(part).to_string()), ["0 %", "0.5 %", "80 %", "100 %"]);
    }
}
