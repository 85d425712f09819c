//! What a person reads while a task works: each long step says what it does and how long it took.

use std::time::{Duration, Instant};

use anyhow::Result;

/// Carries out `work`, announcing it before and reporting its duration after.
pub fn step<T>(what: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    eprintln!("==> {what}");
    let started = Instant::now();
    let outcome = work();
    let verdict = if outcome.is_ok() { "done" } else { "failed" };
    eprintln!("    {verdict} after {}", seconds(started.elapsed()));
    outcome
}

/// `0.5 s`, `12.3 s`, `205 s`: as exact as is worth reading.
pub fn seconds(duration: Duration) -> String {
    let digits = if duration.as_secs() < 100 { 1 } else { 0 };
    format!("{:.digits$} s", duration.as_secs_f64())
}

/// `474 kB`: a file size as people compare them.
pub fn kilobytes(bytes: u64) -> String {
    format!("{:.0} kB", bytes as f64 / 1000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_durations_show_tenths_and_long_ones_do_not() {
        assert_eq!(seconds(Duration::from_millis(540)), "0.5 s");
        assert_eq!(seconds(Duration::from_millis(205_400)), "205 s");
    }
}
