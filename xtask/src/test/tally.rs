//! How many checks passed and failed, added up over runners that each report in their own way.

use std::fmt;
use std::ops::AddAssign;

#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Tally {
    pub passed: u64,
    pub failed: u64,
}

impl Tally {
    pub const PASSED: Self = Self { passed: 1, failed: 0 };
    pub const FAILED: Self = Self { passed: 0, failed: 1 };

    pub fn is_clean(self) -> bool {
        self.failed == 0
    }

    /// A runner that ended badly without naming a failed test has failed all the same.
    pub fn judged_by(mut self, ended_well: bool) -> Self {
        if !ended_well && self.is_clean() {
            self.failed += 1;
        }
        self
    }

    /// Adds up lines such as `test result: ok. 12 passed; 0 failed; 1 ignored; …`.
    pub fn of_cargo(output: &str) -> Self {
        let mut total = Self::default();
        for line in output.lines().filter(|line| line.starts_with("test result:")) {
            total += Self::of_summary(line);
        }
        total
    }

    /// Reads the closing line of pytest, such as `1 failed, 12 passed, 2 errors in 3.21s`.
    pub fn of_pytest(output: &str) -> Self {
        let closing = output.lines().rev().find(|line| line.contains(" in ") && has_count(line));
        closing.map_or_else(Self::default, Self::of_summary)
    }

    /// Reads the statistics of Playwright's JSON report.
    pub fn of_playwright(report: &serde_json::Value) -> Self {
        let count = |name: &str| report["stats"][name].as_u64().unwrap_or(0);
        let broken = report["errors"].as_array().map_or(0, Vec::len) as u64;
        Self { passed: count("expected"), failed: count("unexpected") + count("flaky") + broken }
    }

    /// Numbers by the word after them.
    fn of_summary(line: &str) -> Self {
        let words: Vec<_> = line.split(|c: char| !c.is_alphanumeric()).collect();
        let count = |wanted: &[&str]| -> u64 {
            let pairs = words.windows(2).filter(|pair| wanted.contains(&pair[1]));
            pairs.filter_map(|pair| pair[0].parse::<u64>().ok()).sum()
        };
        Self { passed: count(&["passed"]), failed: count(&["failed", "error", "errors"]) }
    }
}

fn has_count(line: &str) -> bool {
    ["passed", "failed", "error"].iter().any(|word| line.contains(word))
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cargo_reports_once_per_program() {
        let output = "test a ... ok\n\
            test result: ok. 12 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n\
            test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out\n";
        assert_eq!(Tally::of_cargo(output), Tally { passed: 15, failed: 2 });
    }

    #[test]
    fn pytest_reports_on_its_closing_line() {
        let output = "FAILED a.py::b - 3 passed me by\n1 failed, 12 passed, 2 errors in 3.21s\n";
        assert_eq!(Tally::of_pytest(output), Tally { passed: 12, failed: 3 });
        assert_eq!(Tally::of_pytest("no tests ran in 0.01s\n"), Tally::default());
    }

    #[test]
    fn playwright_reports_in_json_and_a_flaky_test_is_a_failed_one() {
        let report = serde_json::json!({
            "stats": { "expected": 4, "unexpected": 1, "flaky": 1, "skipped": 0 },
            "errors": [{ "message": "no tests found" }],
        });
        assert_eq!(Tally::of_playwright(&report), Tally { passed: 4, failed: 3 });
    }

    #[test]
    fn a_bad_end_is_one_failure_unless_failures_were_named() {
        assert_eq!(Tally::default().judged_by(false), Tally::FAILED);
        assert_eq!(Tally::FAILED.judged_by(false), Tally::FAILED);
        assert_eq!(Tally::PASSED.judged_by(true), Tally::PASSED);
    }

    #[test]
    fn the_total_reads_as_continuous_integration_expects() {
        assert_eq!(Tally { passed: 7, failed: 0 }.to_string(), "7 passed, 0 failed");
    }
}
