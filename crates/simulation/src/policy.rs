//! In which order jobs are taken: as the live system does it, or as simpler ones would, to compare.

use crate::Job;
use domain::{
    VideoTime,
    billing::Lane,
    scheduling::{LineProgress, Tag, VirtualTime},
};

/// How a queue is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Policy {
    /// As the live system: lanes, fair tags, release rates.
    #[default]
    Fair,
    /// All jobs in the order in which they came; no lanes and no limits of tenants.
    Fifo,
    /// Tenants in turn, one job each, however large; no lanes, weights or limits of tenants.
    RoundRobin,
}

impl Policy {
    /// In which lane a job waits. Where there is one only, that is the interactive one, which may have every slot.
    pub(crate) fn lane(self, job: &Job) -> Lane {
        if self == Self::Fair { job.lane } else { Lane::Interactive }
    }

    /// Whether the limits of tenants hold.
    pub(crate) fn throttles(self) -> bool {
        self == Self::Fair
    }

    /// Whether, of several lines, the one that is next is that of the tenant that has had least; otherwise, of the first job.
    pub(crate) fn rotates(self) -> bool {
        self != Self::Fifo
    }

    /// Where a job stands that comes `now_ms`, behind the last one that its tenant has open in its line.
    pub(crate) fn tag(self, job: &Job, now_ms: f64, weight: u32, progress: LineProgress, last: Option<VirtualTime>) -> Tag {
        match self {
            Self::Fair => progress.tag(last, job.work, weight),
            Self::RoundRobin => progress.tag(last, VideoTime::from_ms(1), 1),
            Self::Fifo => {
                let now = VirtualTime::new((now_ms * 1000.0) as i64);
                Tag { start: now, finish: now }
            }
        }
    }
}
