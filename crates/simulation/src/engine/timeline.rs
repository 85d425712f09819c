//! What will happen when, first things first; of the same moment, in the order in which it was planned.

use super::device::Ordered;
use std::{cmp::Reverse, collections::BinaryHeap};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Happening {
    /// By the plan of that number, something is to be done about a job on a worker's device.
    Device { worker: u32, plan: u32 },
    /// A worker has claimed the job.
    Claimed { job: u32 },
    /// The model is loaded for which a job has waited on its worker.
    Loaded { job: u32 },
    /// A job has done in a stage what does not need the device.
    StageOver { job: u32 },
    /// A tenant's next job may enter by its release rate.
    Release { tenant: u32 },
    /// A worker begins to take jobs.
    WorkerStarted { worker: u32 },
    /// A worker takes no more jobs of a model, or takes them again.
    Away { worker: u32, served: u32 },
}

#[derive(Debug, Clone, Default)]
pub(super) struct Timeline {
    events: BinaryHeap<Reverse<(Ordered, u64, Happening)>>,
    planned: u64,
}

impl Timeline {
    pub fn plan(&mut self, at_ms: f64, happening: Happening) {
        self.planned += 1;
        self.events.push(Reverse((Ordered(at_ms), self.planned, happening)));
    }

    pub fn next_ms(&self) -> Option<f64> {
        self.events.peek().map(|Reverse((Ordered(at_ms), ..))| *at_ms)
    }

    pub fn pop(&mut self) -> Option<(f64, Happening)> {
        self.events.pop().map(|Reverse((Ordered(at_ms), _, happening))| (at_ms, happening))
    }
}
