//! How far a job has come over all its stages, as a share of the time that they take.

use super::StageCosts;
use crate::Stage;

/// How far a job that has not ended has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Done {
    pub stage: Option<Stage>,
    /// Denoising steps done, of `steps`.
    pub step: u32,
    pub steps: u32,
    /// How much of the decoding is done, in thousandths.
    pub decoded_permille: u32,
}

impl Done {
    /// 0 to 99: each stage fills as much as it takes of the time, by what was measured. Where nothing was, sampling counts as nothing,
    /// so that what is measured later never takes progress back.
    #[must_use]
    pub fn progress(self, costs: Option<StageCosts>) -> u8 {
        let share = costs.and_then(|costs| costs.sampling_permille()).unwrap_or(0);
        let (steps, step) = (u64::from(self.steps.max(1)), u64::from(self.step.min(self.steps)));
        let permille = match self.stage {
            Some(Stage::Decoding) => share + (1000 - share) * u64::from(self.decoded_permille.min(1000)) / 1000,
            _ => share * step / steps,
        };
        // What is stored behind the last frame takes a moment.
        (permille / 10).min(99) as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn costs(sampling_ms: f64, decoding_ms: f64) -> Option<StageCosts> {
        Some(StageCosts { sampling_ms, decoding_ms })
    }

    fn done(stage: Stage, step: u32, decoded_permille: u32) -> Done {
        Done { stage: Some(stage), step, steps: 16, decoded_permille }
    }

    #[test]
    fn each_stage_fills_what_it_takes_of_the_time() {
        let quick_to_denoise = costs(160.0, 3040.0);
        let at = |done: Done| done.progress(quick_to_denoise);
        assert_eq!([at(done(Stage::Sampling, 8, 0)), at(done(Stage::Sampling, 16, 0))], [2, 5]);
        assert_eq!([0, 500, 1000].map(|drawn| at(done(Stage::Decoding, 16, drawn))), [5, 52, 99]);
    }

    #[test]
    fn progress_never_goes_back_and_is_whole_only_at_the_end() {
        let costs = [None, costs(0.0, 0.0), costs(112.0, 100.0)];
        for costs in costs {
            let sampling = (0..=16).map(|step| done(Stage::Sampling, step, 0));
            let decoding = (0..=1000).map(|drawn| done(Stage::Decoding, 16, drawn));
            let all: Vec<u8> = sampling.chain(decoding).map(|done| done.progress(costs)).collect();
            assert!(all.is_sorted() && all.iter().all(|progress| *progress < 100), "{all:?}");
        }
        for costs in costs {
            let unmeasured_is_less = |done: Done| done.progress(None) <= done.progress(costs);
            assert!((0..=16).all(|step| unmeasured_is_less(done(Stage::Sampling, step, 0))), "{costs:?}");
            assert!((0..=1000).all(|drawn| unmeasured_is_less(done(Stage::Decoding, 16, drawn))), "{costs:?}");
        }
        assert_eq!(Done { stage: None, step: 0, steps: 0, decoded_permille: 0 }.progress(None), 0);
    }
}
