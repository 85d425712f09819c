//! What comes to the queue: made up by a few numbers ([`Demand`]), or as it was recorded ([`read_trace`]).

mod demand;
mod trace;

pub use demand::Demand;
pub(crate) use demand::normal;
pub use trace::{Line, TraceError, read_trace};

use crate::{Arrival, Job, StageMs, Tenant};
use std::collections::HashMap;

/// Jobs that come, and whose they are. A job's id is its place among them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Load {
    /// The names of the models, by number.
    pub models: Vec<String>,
    pub tenants: Vec<Tenant>,
    /// In the order of their times.
    pub arrivals: Vec<Arrival>,
    /// How long each waited for its first claim when it was live, in milliseconds, where that was recorded. As long as `arrivals`, or empty.
    pub waited_ms: Vec<Option<f64>>,
}

/// Jobs that are expected to take as long as each other.
type Kind = (usize, u32, u64);

fn kind(job: &Job) -> Kind {
    (job.model, job.steps, job.billed.ms())
}

/// What jobs of each kind take on the average: as much as a forecast can know.
#[derive(Debug, Clone, Default)]
pub struct MeanTimes(HashMap<Kind, StageMs>);

impl MeanTimes {
    /// Of all jobs of a load, those that are still to come included.
    #[must_use]
    pub fn of(load: &Load) -> Self {
        let mut sums: HashMap<Kind, (f64, StageMs)> = HashMap::new();
        for Arrival { job, .. } in &load.arrivals {
            let (jobs, sum) = sums.entry(kind(job)).or_default();
            *jobs += 1.0;
            sum.sampling += job.device_ms.sampling;
            sum.decoding += job.device_ms.decoding;
        }
        let mean = |(jobs, sum): (f64, StageMs)| StageMs { sampling: sum.sampling / jobs, decoding: sum.decoding / jobs };
        Self(sums.into_iter().map(|(kind, sum)| (kind, mean(sum))).collect())
    }

    /// Of a job's kind; its own where that is not known.
    #[must_use]
    pub fn of_job(&self, job: &Job) -> StageMs {
        self.0.get(&kind(job)).copied().unwrap_or(job.device_ms)
    }
}
