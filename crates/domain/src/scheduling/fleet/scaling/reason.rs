//! Why there should be so many workers: one sentence each, with the numbers that decided.

use super::super::{
    duration::{Ms, Permille},
    reason::plural,
};
use serde::Serialize;
use std::fmt;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ScalingReason {
    /// `offered_permille`: the work that came lately, in thousandths of what one worker does.
    Arrivals {
        offered_permille: u64,
        workers: u32,
        knee_permille: u64,
        headroom: u32,
    },
    /// The same of the work that usually comes in this hour of the week, or in the next.
    Forecast {
        expected_permille: u64,
        workers: u32,
        knee_permille: u64,
        headroom: u32,
    },
    /// `workers`: those that are there.
    Queue {
        queued_ms: u64,
        workers: u32,
        cold_start_ms: u64,
    },
    /// No worker is there for a job.
    Waiting {
        oldest_wait_ms: u64,
        wait_max_ms: u64,
    },
    /// No worker has room for the model of a job.
    NoRoom {
        oldest_wait_ms: u64,
        wait_max_ms: u64,
    },
    /// A model is to be warm on so many.
    Pinned {
        model: String,
        workers: u32,
    },
    Baseline {
        min: u32,
    },
    AtMaximum {
        asked: u32,
        max: u32,
    },
    /// Fewer have been enough for long enough.
    Surplus {
        workers: u32,
        enough: u32,
        idle_ms: u64,
    },
    /// Fewer would be enough now.
    NotForLong {
        workers: u32,
        enough: u32,
        idle_ms: u64,
    },
    CoolingDown {
        changed_ms: u64,
        cooldown_ms: u64,
    },
    /// Without any of them a model would be warm on too few, or a stage be done by none.
    AllNeeded {
        workers: u32,
        enough: u32,
    },
}

impl fmt::Display for ScalingReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Arrivals { offered_permille, workers, knee_permille, headroom } => {
                write!(f, "the work that came lately fills {}", workers_of(*offered_permille))?;
                at_most(f, *workers, *knee_permille, *headroom)
            }
            Self::Forecast { expected_permille, workers, knee_permille, headroom } => {
                write!(f, "the work that usually comes at this time of the week fills {}", workers_of(*expected_permille))?;
                at_most(f, *workers, *knee_permille, *headroom)
            }
            Self::Queue { queued_ms, workers, cold_start_ms } => write!(
                f,
                "{} of work wait, {workers} {} there, and a worker is worth its start for twice the {} that this takes",
                Ms(*queued_ms),
                if *workers == 1 { "worker is" } else { "workers are" },
                Ms(*cold_start_ms)
            ),
            Self::Waiting { oldest_wait_ms, wait_max_ms } => {
                write!(f, "a job has waited for {}, longer than {}", Ms(*oldest_wait_ms), Ms(*wait_max_ms))
            }
            Self::NoRoom { oldest_wait_ms, wait_max_ms } => {
                let (waited, most) = (Ms(*oldest_wait_ms), Ms(*wait_max_ms));
                write!(f, "a job has waited for {waited}, longer than {most}, and pins leave its model no room on any worker")
            }
            Self::Pinned { model, workers } => write!(f, "{model} is pinned on {workers} {}", plural(*workers, "worker")),
            Self::Baseline { min } => write!(f, "at least {min} {}", plural(*min, "worker")),
            Self::AtMaximum { asked, max } => write!(f, "{asked} would be needed, and {max} is the maximum"),
            Self::Surplus { workers, enough, idle_ms } => {
                write!(f, "{enough} of {workers} {} have been enough for {}", plural(*workers, "worker"), Ms(*idle_ms))
            }
            Self::NotForLong { workers, enough, idle_ms } => {
                write!(f, "{workers} {}, of which {enough} were needed in the last {}", plural(*workers, "worker"), Ms(*idle_ms))
            }
            Self::CoolingDown { changed_ms, cooldown_ms } => {
                write!(f, "the last change was {} ago, and nothing is drained for {}", Ms(*changed_ms), Ms(*cooldown_ms))
            }
            Self::AllNeeded { workers, enough } => write!(
                f,
                "{enough} of {workers} {} would be enough, but without any of them a model would be warm on too few",
                plural(*workers, "worker")
            ),
        }
    }
}

/// Thousandths of a worker: `1.25 workers`.
fn workers_of(permille: u64) -> String {
    let rest = format!("{:03}", permille % 1000);
    match (permille / 1000, rest.trim_end_matches('0')) {
        (1, "") => "1 worker".to_owned(),
        (whole, "") => format!("{whole} workers"),
        (whole, rest) => format!("{whole}.{rest} workers"),
    }
}

fn at_most(f: &mut fmt::Formatter<'_>, workers: u32, knee_permille: u64, headroom: u32) -> fmt::Result {
    write!(f, ", at most {} of {workers}", Permille(knee_permille))?;
    if headroom > 0 { write!(f, ", {headroom} of them headroom") } else { Ok(()) }
}
