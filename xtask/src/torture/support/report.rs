//! What a subject has shown: figures with their bars, as a table in Markdown.

use std::fmt::{self, Display};
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::Duration;

use anyhow::Result;
use time::OffsetDateTime;

use crate::console::seconds;
use crate::process::command::output;
use crate::project::{Profile, Project};

const SLOWER_IN_TESTS: u32 = 2;

pub struct Report {
    pub subject: &'static str,
    pub seed: u64,
    profile: Profile,
    figures: Vec<Figure>,
    /// Why it could not be carried out here.
    pub skipped: Option<String>,
}

struct Figure {
    name: String,
    value: String,
    bar: Option<Bar>,
}

struct Bar {
    text: String,
    reached: bool,
}

impl Report {
    pub fn new(subject: &'static str, seed: u64, profile: Profile) -> Self {
        Self { subject, seed, profile, figures: Vec::new(), skipped: None }
    }

    /// A figure that is told and not judged.
    pub fn note(&mut self, name: impl Display, value: impl Display) {
        self.figures.push(Figure { name: name.to_string(), value: value.to_string(), bar: None });
    }

    pub fn expect(&mut self, name: impl Display, value: impl Display, bar: impl Display, reached: bool) {
        let bar = Some(Bar { text: bar.to_string(), reached });
        self.figures.push(Figure { name: name.to_string(), value: value.to_string(), bar });
    }

    /// A count that has to be nought.
    pub fn expect_none(&mut self, name: impl Display, count: usize) {
        self.expect(name, count, 0, count == 0);
    }

    pub fn expect_count(&mut self, name: impl Display, count: usize, wanted: usize) {
        self.expect(name, count, wanted, count == wanted);
    }

    /// Longer than any build may take for what has a bar of `most`: so that a bar that is missed is measured all the same.
    pub fn patience(most: Duration) -> Duration {
        most.saturating_mul(SLOWER_IN_TESTS + 1)
    }

    /// A time that the release build may not exceed; one that never ended exceeds every bar. The development build is what
    /// tests run, on machines that do other work as well.
    pub fn expect_within(&mut self, name: impl Display, time: Option<Duration>, most: Duration) {
        let most = if self.profile == Profile::Dev { most.saturating_mul(SLOWER_IN_TESTS) } else { most };
        let value = time.map_or_else(|| "never".to_owned(), seconds);
        self.expect(name, value, format!("at most {}", seconds(most)), time.is_some_and(|time| time <= most));
    }

    pub fn is_clean(&self) -> bool {
        self.missed().is_empty()
    }

    /// Each figure that is not what it has to be.
    pub fn missed(&self) -> Vec<String> {
        let missed = self.figures.iter().filter_map(|Figure { name, value, bar }| match bar {
            Some(Bar { text, reached: false }) => Some(format!("{name}: {value}, where the bar is {text}")),
            _ => None,
        });
        missed.collect()
    }
}

impl Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(why) = &self.skipped {
            return writeln!(f, "{}: skipped, {why}", self.subject);
        }
        writeln!(f, "| {} (seed {}) | figure | bar |", self.subject, self.seed)?;
        writeln!(f, "| --- | --- | --- |")?;
        for Figure { name, value, bar } in &self.figures {
            let bar = match bar {
                None => "-".to_owned(),
                Some(Bar { text, reached: true }) => text.clone(),
                Some(Bar { text, reached: false }) => format!("{text}: **missed**"),
            };
            writeln!(f, "| {name} | {value} | {bar} |")?;
        }
        Ok(())
    }
}

/// Appends the reports to a file, with what is needed to understand them later.
pub fn record(project: &Project, file: &Path, profile: Profile, reports: &[Report]) -> Result<()> {
    let git = |arguments: &[&str]| output(Command::new("git").args(arguments).current_dir(&project.root));
    let commit = git(&["rev-parse", "--short", "HEAD"]).unwrap_or_default();
    let changed = git(&["status", "--porcelain"]).is_ok_and(|changes| !changes.is_empty());
    let cpus = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpus.lines().find_map(|line| line.strip_prefix("model name")).unwrap_or("").trim_start_matches([' ', '\t', ':']);
    let cores = thread::available_parallelism()?;
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut file = File::options().create(true).append(true).open(file)?;
    let changes = if changed { " with changes" } else { "" };
    writeln!(file, "## {}, commit {}{changes}, {profile:?} build\n", OffsetDateTime::now_utc().date(), commit.trim())?;
    writeln!(file, "{cores} cores of {model}\n")?;
    for report in reports {
        writeln!(file, "{report}")?;
    }
    Ok(())
}

/// The time that so many per cent of `times` do not exceed.
pub fn percentile(times: &mut [Duration], percent: usize) -> Option<Duration> {
    times.sort_unstable();
    let at = (times.len() * percent).div_ceil(100).saturating_sub(1);
    times.get(at).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missed_bar_shows_and_spoils_the_report() {
        let mut report = Report::new("kill-worker", 7, Profile::Release);
        report.note("kills", 60);
        report.expect_within("restarted", Some(Duration::from_secs(3)), Duration::from_secs(15));
        assert!(report.is_clean());
        report.expect_within("restarted", Some(Duration::from_secs(16)), Duration::from_secs(15));
        assert_eq!(report.missed(), ["restarted: 16.0 s, where the bar is at most 15.0 s"]);
        report.expect_none("lost jobs", 1);
        assert!(!report.is_clean());
        assert!(report.to_string().ends_with("| lost jobs | 1 | 0: **missed** |\n"), "{report}");
    }

    #[test]
    fn what_never_ended_is_within_no_bar() {
        let mut report = Report::new("hang", 1, Profile::Dev);
        report.expect_within("hung", Some(Duration::from_secs(25)), Duration::from_secs(15));
        assert!(report.is_clean(), "the development build takes its time");
        report.expect_within("replaced", None, Duration::MAX);
        assert!(!report.is_clean());
    }

    #[test]
    fn percentiles_are_of_the_sorted_times() {
        let mut times: Vec<_> = (1..=100).rev().map(Duration::from_millis).collect();
        assert_eq!(percentile(&mut times, 99), Some(Duration::from_millis(99)));
        assert_eq!(percentile(&mut times[..1], 50), Some(Duration::from_millis(1)));
        assert_eq!(percentile(&mut [], 50), None);
    }
}
