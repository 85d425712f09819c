//! What is told of a job that was simulated, also where it has come on since: the lines that were before it are before it still.

use super::{Costs, InFutures, NoEta, Outlook, Simulated, Stage, Timestamp};
use domain::JobState;
use simulation::Foretold;
use store::{Job, queue::OpenPhase};

/// Where a job is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Where {
    Throttled,
    Waiting(Stage),
    Running(Stage),
    Nowhere,
}

impl Where {
    pub(super) const fn of(state: &JobState) -> Self {
        match state {
            JobState::Throttled => Self::Throttled,
            JobState::Ready => Self::Waiting(Stage::Sampling),
            JobState::Sampled => Self::Waiting(Stage::Decoding),
            JobState::Retrying { stage, .. } => Self::Waiting(*stage),
            JobState::Sampling(_) => Self::Running(Stage::Sampling),
            JobState::Decoding(_) => Self::Running(Stage::Decoding),
            _ => Self::Nowhere,
        }
    }

    pub(super) const fn of_open(phase: OpenPhase) -> Self {
        match phase {
            OpenPhase::Throttled => Self::Throttled,
            OpenPhase::Waiting(stage) => Self::Waiting(stage),
            OpenPhase::Running { stage, .. } => Self::Running(stage),
        }
    }
}

impl Simulated {
    /// What is foretold of a job that was there; of one that has begun or goes on since, no less than its own work. `None` of one that waits for its
    /// turn anew.
    pub(in super::super) fn of_known(&self, job: &Job, costs: &Costs, now: Timestamp) -> Option<Result<Outlook, NoEta>> {
        let (was, is) = (*self.places.get(&job.id)?, Where::of(&job.lifecycle.state));
        let foretold = self.foretold.get(&job.id);
        let told = |foretold: &InFutures| {
            let told = self.told(&job.spec.model, foretold, now);
            // What runs does not wait for its next stage alone.
            if matches!(is, Where::Running(_)) { told.map(Outlook::begun) } else { told }
        };
        if was == is {
            return foretold.map(told);
        }
        if matches!(is, Where::Throttled | Where::Waiting(Stage::Sampling)) {
            return None;
        }
        let alone = self.alone(job, costs);
        let behind_others = foretold.and_then(|foretold| told(&come_to(is, *foretold, now)).ok());
        Some(match (alone, behind_others) {
            (Ok(alone), Some(outlook)) => Ok(Outlook { ends_ms: outlook.ends_ms.max(alone.ends_ms), ..outlook }),
            (alone, _) => alone,
        })
    }

    /// What is left to do of a job, if nothing keeps it waiting.
    pub(in super::super) fn alone(&self, job: &Job, costs: &Costs) -> Result<Outlook, NoEta> {
        self.served(&job.spec.model)?;
        let ends_ms = own_work_ms(job, costs).ok_or(NoEta::NotMeasured)?;
        self.unless_unmeasured(Outlook { enters_ms: 0.0, begins_ms: 0.0, ends_ms, late: None })
    }
}

/// What was foretold of a job that has come on since, as it holds now: it waits for sampling no more. A decode that has begun sooner ends as much
/// sooner; one that waits for a decoder waits for the same line, however soon it came there.
fn come_to(is: Where, InFutures { middle, late }: InFutures, now: Timestamp) -> InFutures {
    let come = |foretold: Foretold| {
        let begun_ms = foretold.decoding_ms.filter(|_| is == Where::Running(Stage::Decoding));
        let sooner_ms = begun_ms.map_or(0.0, |begun_ms| (begun_ms - now.ms() as f64).max(0.0));
        let ended_ms = foretold.ended_ms.map(|ended_ms| ended_ms - sooner_ms);
        Foretold { released_ms: None, sampling_ms: None, ended_ms, ..foretold }
    };
    InFutures { middle: come(middle), late: late.map(come) }
}

/// What is left to do of a job, in milliseconds of a device.
fn own_work_ms(job: &Job, costs: &Costs) -> Option<f64> {
    let (done, costs) = (job.done(), costs.of(&job.spec)?);
    let left = |done: u32, all: u32| f64::from(all.saturating_sub(done)) / f64::from(all.max(1));
    let sampling_ms = if done.stage == Some(Stage::Decoding) { 0.0 } else { costs.sampling_ms * left(done.step, done.steps) };
    Some(sampling_ms + costs.decoding_ms * left(done.decoded_permille, 1000))
}
