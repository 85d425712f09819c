//! How many checks passed, how many failed and which, added up over runners that each report in their own way.

use std::fmt;
use std::iter::{self, Sum};
use std::ops::AddAssign;

use anyhow::Result;
use serde_json::Value;

#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Tally {
    pub passed: u64,
    pub failed: u64,
    /// What the failed ones are called and, where the runner says it, why: as many as the runner names.
    pub failures: Vec<String>,
}

impl Tally {
    pub const PASSED: Self = Self { passed: 1, failed: 0, failures: Vec::new() };

    /// One check, which failed.
    pub fn failed(why: impl Into<String>) -> Self {
        Self { passed: 0, failed: 1, failures: vec![why.into()] }
    }

    /// What could not be brought to its end has failed.
    pub fn of(outcome: Result<Self>) -> Self {
        outcome.unwrap_or_else(|error| {
            eprintln!("    {error:#}");
            Self::failed(format!("{error:#}"))
        })
    }

    pub fn is_clean(&self) -> bool {
        self.failed == 0
    }

    /// A runner that ended badly without naming a failed test has failed all the same.
    pub fn judged_by(self, ended_well: bool) -> Self {
        if ended_well || !self.is_clean() { self } else { Self { failed: 1, ..self } }
    }

    /// Adds up lines such as `test result: ok. 12 passed; 0 failed; 1 ignored; …`, and reads below them why tests failed.
    pub fn of_cargo(output: &str) -> Self {
        let mut total = Self::default();
        for line in output.lines() {
            if line.starts_with("test result:") {
                total += Self::of_summary(line);
            } else if let Some(name) = line.strip_prefix("test ").and_then(|line| line.strip_suffix(" ... FAILED")) {
                total.failures.push(iter::once(name.to_owned()).chain(panic_of(name, output)).collect::<Vec<_>>().join("\n"));
            }
        }
        total
    }

    /// Reads the closing line of pytest, such as `1 failed, 12 passed, 2 errors in 3.21s`, and the summary above it.
    pub fn of_pytest(output: &str) -> Self {
        let closing = output.lines().rev().find(|line| line.contains(" in ") && has_count(line));
        let counts = closing.map_or_else(Self::default, Self::of_summary);
        let failures = output.lines().filter(|line| line.starts_with("FAILED ") || line.starts_with("ERROR "));
        Self { failures: failures.map(str::to_owned).collect(), ..counts }
    }

    /// Reads Playwright's JSON report.
    pub fn of_playwright(report: &Value) -> Self {
        let count = |name: &str| report["stats"][name].as_u64().unwrap_or(0);
        let broken = report["errors"].as_array().map_or(0, Vec::len) as u64;
        let mut failures = Vec::new();
        report["suites"].as_array().into_iter().flatten().for_each(|suite| failed_specs(suite, &mut failures));
        Self { passed: count("expected"), failed: count("unexpected") + count("flaky") + broken, failures }
    }

    /// Numbers by the word after them.
    fn of_summary(line: &str) -> Self {
        let words: Vec<_> = line.split(|c: char| !c.is_alphanumeric()).collect();
        let count = |wanted: &[&str]| -> u64 {
            let pairs = words.windows(2).filter(|pair| wanted.contains(&pair[1]));
            pairs.filter_map(|pair| pair[0].parse::<u64>().ok()).sum()
        };
        Self { passed: count(&["passed"]), failed: count(&["failed", "error", "errors"]), failures: Vec::new() }
    }
}

fn has_count(line: &str) -> bool {
    ["passed", "failed", "error"].iter().any(|word| line.contains(word))
}

/// The first lines of what a failed Rust test printed when it panicked.
fn panic_of(name: &str, output: &str) -> Vec<String> {
    let printed =
        output.lines().skip_while(|line| line.strip_prefix("---- ").and_then(|line| line.strip_suffix(" stdout ----")) != Some(name));
    let panic = printed.skip(1).skip_while(|line| !line.contains(" panicked at ") && !line.starts_with("---- "));
    first_lines(panic.take_while(|line| !line.starts_with("stack backtrace:") && !line.starts_with("---- ") && *line != "failures:"))
}

/// The failed ones of a suite and of those inside it, each with the first lines of what was wrong.
fn failed_specs(suite: &Value, failures: &mut Vec<String>) {
    let all = |of: &'static str, within: &Value| within[of].as_array().cloned().unwrap_or_default();
    for spec in all("specs", suite).iter().filter(|spec| spec["ok"] == false) {
        let results = all("tests", spec).into_iter().flat_map(|test| all("results", &test));
        let errors = results.filter_map(|result| result["error"]["message"].as_str().map(|text| first_lines(text.lines()).join("\n")));
        let title = format!("{}: {}", suite["file"].as_str().unwrap_or_default(), spec["title"].as_str().unwrap_or_default());
        failures.push(iter::once(title).chain(errors).collect::<Vec<_>>().join("\n"));
    }
    all("suites", suite).iter().for_each(|suite| failed_specs(suite, failures));
}

/// Enough to know what was waited for.
fn first_lines<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<String> {
    lines.filter(|line| !line.trim().is_empty()).take(8).map(|line| line.chars().take(300).collect()).collect()
}

impl Sum for Tally {
    fn sum<I: Iterator<Item = Self>>(tallies: I) -> Self {
        tallies.fold(Self::default(), |mut all, tally| {
            all += tally;
            all
        })
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.failures.extend(other.failures);
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn tally(passed: u64, failed: u64, failures: &[&str]) -> Tally {
        Tally { passed, failed, failures: failures.iter().map(ToString::to_string).collect() }
    }

    #[test]
    fn cargo_reports_once_per_program() {
        let output = "test a ... ok\n\
            test result: ok. 12 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n\
            test b::c ... FAILED\n\
            test result: FAILED. 3 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out\n";
        assert_eq!(Tally::of_cargo(output), tally(15, 1, &["b::c"]));
    }

    #[test]
    fn a_failed_rust_test_says_why() {
        let output = "test b ... FAILED\n\
            test b::c ... FAILED\n\n\
            failures:\n\n\
            ---- b stdout ----\nnoise\n\nthread 'b' (7) panicked at b.rs:1:2:\nno\nstack backtrace:\n   0: core\n\n\
            ---- b::c stdout ----\nError: gone\n\n\
            failures:\n    b\n    b::c\n";
        assert_eq!(Tally::of_cargo(output).failures, ["b\nthread 'b' (7) panicked at b.rs:1:2:\nno", "b::c"]);
    }

    #[test]
    fn pytest_reports_on_its_closing_line() {
        let output = "FAILED a.py::b - 3 passed me by\nERROR a.py::c\n1 failed, 12 passed, 2 errors in 3.21s\n";
        assert_eq!(Tally::of_pytest(output), tally(12, 3, &["FAILED a.py::b - 3 passed me by", "ERROR a.py::c"]));
        assert_eq!(Tally::of_pytest("no tests ran in 0.01s\n"), Tally::default());
    }

    #[test]
    fn playwright_reports_in_json_and_a_flaky_test_is_a_failed_one() {
        let spec = |title: &str, ok: bool| json!({ "title": title, "ok": ok, "tests": [{ "results": [{ "error": { "message": "Error: why\n\nit" } }] }] });
        let report = json!({
            "stats": { "expected": 4, "unexpected": 1, "flaky": 1, "skipped": 0 },
            "errors": [{ "message": "no tests found" }],
            "suites": [{ "file": "a.ts", "specs": [spec("b", true)], "suites": [{ "file": "a.ts", "specs": [spec("c", false)] }] }],
        });
        assert_eq!(Tally::of_playwright(&report), tally(4, 3, &["a.ts: c\nError: why\nit"]));
    }

    #[test]
    fn a_bad_end_is_one_failure_unless_failures_were_named() {
        assert_eq!(Tally::default().judged_by(false), tally(0, 1, &[]));
        assert_eq!(Tally::failed("a").judged_by(false), tally(0, 1, &["a"]));
        assert_eq!(Tally::PASSED.judged_by(true), Tally::PASSED);
    }

    #[test]
    fn the_total_reads_as_continuous_integration_expects() {
        assert_eq!(tally(7, 0, &[]).to_string(), "7 passed, 0 failed");
    }
}
