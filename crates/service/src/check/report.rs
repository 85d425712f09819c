//! What a check has found, in numbers, in sentences, and with a few examples of each flaw.

use serde::Serialize;
use std::{collections::BTreeMap, fmt};
use store::CheckedJob;

/// Enough to start looking; a damaged database may have millions.
const EXAMPLES_MAX: usize = 10;

/// What can be wrong, by a stable name for programs and words for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Flaw {
    RowContradictory,
    FileMissing,
    ResultTwice,
    ResultWithoutEnd,
    LeaseForgotten,
    GarbageForgotten,
    ObjectMissing,
    ObjectDiffers,
    ObjectUnnamed,
    TemporaryLeft,
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::RowContradictory => "Jobs whose row contradicts itself",
            Self::FileMissing => "Completed jobs that lack one of their files",
            Self::ResultTwice => "Jobs with more than one result",
            Self::ResultWithoutEnd => "Jobs that have a result and are not completed",
            Self::LeaseForgotten => "Jobs held under a lease that ran out more than a minute ago (is any server or worker running?)",
            Self::GarbageForgotten => "Objects that nobody needs and the garbage collection does not know of",
            Self::ObjectMissing => "Objects that should be there and are not",
            Self::ObjectDiffers => "Objects that are not what was stored",
            Self::ObjectUnnamed => "Objects that no row names",
            Self::TemporaryLeft => "Files that a process was writing when it ended",
        })
    }
}

/// All flaws of one kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    pub flaw: Flaw,
    pub count: u64,
    /// The first few, by the ids and keys that name them.
    pub examples: Vec<String>,
}

#[derive(Debug, Clone, Serialize)]
pub struct CheckReport {
    /// Jobs by the state they are stored in.
    pub jobs: BTreeMap<String, u64>,
    /// Objects that were looked at because a row says that they are there.
    pub objects: u64,
    /// Whether their contents were read.
    pub hashes: bool,
    /// Objects that wait for the garbage collection.
    pub garbage: u64,
    /// Objects that no row names and that are too young to count.
    pub young_strays: u64,
    pub findings: Vec<Finding>,
}

impl CheckReport {
    pub(super) const fn new(hashes: bool) -> Self {
        Self { jobs: BTreeMap::new(), objects: 0, hashes, garbage: 0, young_strays: 0, findings: Vec::new() }
    }

    #[must_use]
    pub const fn is_clean(&self) -> bool {
        self.findings.is_empty()
    }

    pub(super) fn count_job(&mut self, job: &CheckedJob) {
        *self.jobs.entry(job.state.clone()).or_default() += 1;
        self.garbage += job.artifacts.iter().filter(|artifact| artifact.unneeded).count() as u64;
    }

    pub(super) fn note(&mut self, flaw: Flaw, what: String) {
        let at = self.findings.iter().position(|finding| finding.flaw == flaw).unwrap_or_else(|| {
            self.findings.push(Finding { flaw, count: 0, examples: Vec::new() });
            self.findings.len() - 1
        });
        let finding = &mut self.findings[at];
        finding.count += 1;
        if finding.examples.len() < EXAMPLES_MAX {
            finding.examples.push(what);
        }
    }
}

/// A sentence a line.
impl fmt::Display for CheckReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let states: Vec<String> = self.jobs.iter().map(|(state, count)| format!("{count} {state}")).collect();
        let total: u64 = self.jobs.values().sum();
        writeln!(f, "Jobs: {total}{}.", if states.is_empty() { String::new() } else { format!(" ({})", states.join(", ")) })?;
        let looked_at = if self.hashes { "size and SHA-256" } else { "size" };
        writeln!(f, "Objects that are needed: {}, compared by {looked_at}.", self.objects)?;
        writeln!(f, "Objects that the garbage collection will remove: {}.", self.garbage)?;
        if self.young_strays > 0 {
            writeln!(f, "Objects that no row names and that are too young to count: {}.", self.young_strays)?;
        }
        for Finding { flaw, count, examples } in &self.findings {
            let such_as = if *count > examples.len() as u64 { ", such as" } else { ":" };
            writeln!(f, "{flaw}: {count}{such_as} {}.", examples.join(", "))?;
        }
        f.write_str(if self.is_clean() { "Nothing is wrong." } else { "Something is wrong." })
    }
}
