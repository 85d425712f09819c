//! When a job will be done: measured stage times applied to the work in front of it.
//!
//! The estimate is an interval and is omitted rather than guessed: without a live worker or a
//! measured time there is none.

use crate::eta::{Eta, Interval, NoEta};

/// What one unit of work takes a device that has nothing else to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StageCosts {
    /// One denoising step of one clip.
    pub step: Interval,
    /// Decoding and encoding one clip.
    pub decode: Interval,
}

impl StageCosts {
    /// The part of a job of so many steps that is sampling, in thousandths; `None` where neither stage takes any time.
    pub(super) fn sampling_permille(self, steps: u32) -> Option<u64> {
        let sampling = self.step.times(steps.into()).p50_ms;
        sampling.saturating_mul(1000).checked_div(sampling.saturating_add(self.decode.p50_ms))
    }

    /// What is left to decode when so many thousandths are done.
    #[must_use]
    pub const fn after_decoding(self, permille: u32) -> Self {
        Self { decode: self.decode.permille(1000_u64.saturating_sub(permille as u64)), ..self }
    }
}

/// Work that will be done before the job in question, its own not included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WorkAhead {
    pub steps: u64,
    pub decodes: u64,
}

/// Live workers by what they do; a worker for all stages counts in both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Fleet {
    pub samplers: u64,
    pub decoders: u64,
}

/// Estimates a job with `steps_left` denoising steps and one decode before it: what waits in front, and the job's own
/// work, which cannot be shared.
///
/// # Errors
/// [`NoEta`], rather than a guess.
pub fn estimate(costs: Option<StageCosts>, fleet: Fleet, ahead: WorkAhead, steps_left: u64) -> Result<Eta, NoEta> {
    let waiting = expected_wait(costs, fleet, ahead)?;
    let costs = costs.ok_or(NoEta::NotMeasured)?;
    Ok(waiting.plus(costs.step.times(steps_left)).plus(costs.decode))
}

/// What the work in front takes: the two stages are a pipeline, so it costs the longer of both, shared by the workers of
/// that stage.
///
/// # Errors
/// [`NoEta`], rather than a guess.
pub fn expected_wait(costs: Option<StageCosts>, fleet: Fleet, ahead: WorkAhead) -> Result<Interval, NoEta> {
    if fleet.samplers == 0 || fleet.decoders == 0 {
        return Err(NoEta::NoWorker);
    }
    let costs = costs.ok_or(NoEta::NotMeasured)?;
    let sampling = costs.step.times(ahead.steps).shared_by(fleet.samplers);
    let decoding = costs.decode.times(ahead.decodes).shared_by(fleet.decoders);
    Ok(if sampling.p50_ms >= decoding.p50_ms { sampling } else { decoding })
}

#[cfg(test)]
mod tests {
    use super::*;

    const COSTS: StageCosts = StageCosts { step: Interval { p50_ms: 100, p90_ms: 150 }, decode: Interval { p50_ms: 500, p90_ms: 900 } };
    const ONE_EACH: Fleet = Fleet { samplers: 1, decoders: 1 };

    #[test]
    fn an_empty_queue_costs_the_jobs_own_work() {
        let eta = estimate(Some(COSTS), ONE_EACH, WorkAhead::default(), 24).unwrap();
        assert_eq!(eta, Interval { p50_ms: 2900, p90_ms: 4500 });
    }

    #[test]
    fn work_ahead_is_shared_by_the_workers_but_own_work_is_not() {
        let ahead = WorkAhead { steps: 240, decodes: 10 };
        let alone = estimate(Some(COSTS), ONE_EACH, ahead, 24).unwrap();
        let four = estimate(Some(COSTS), Fleet { samplers: 4, decoders: 4 }, ahead, 24).unwrap();
        assert_eq!((alone.p50_ms, four.p50_ms), (24_000 + 2900, 6000 + 2900));
    }

    #[test]
    fn nobody_waits_for_an_empty_queue_and_everybody_for_the_longer_stage() {
        assert_eq!(expected_wait(Some(COSTS), ONE_EACH, WorkAhead::default()), Ok(Interval { p50_ms: 0, p90_ms: 0 }));
        assert_eq!(expected_wait(Some(COSTS), ONE_EACH, WorkAhead { steps: 24, decodes: 10 }), Ok(Interval { p50_ms: 5000, p90_ms: 9000 }));
        assert_eq!(expected_wait(None, ONE_EACH, WorkAhead::default()), Err(NoEta::NotMeasured));
    }

    #[test]
    fn nothing_measured_or_nobody_working_means_no_estimate() {
        assert_eq!(estimate(None, ONE_EACH, WorkAhead::default(), 24), Err(NoEta::NotMeasured));
        assert_eq!(estimate(Some(COSTS), Fleet { samplers: 1, decoders: 0 }, WorkAhead::default(), 24), Err(NoEta::NoWorker));
    }
}
