//! The work of a job, in the unit that shares of the queue are told in.

use super::{CostModel, Words, Workload};
use crate::{Stage, VideoTime, catalog::Model};

/// More than this many times the default request no job counts as, and none less than its inverse: an estimate may be wrong.
const FACTOR_MAX: f64 = 10_000.0;

impl CostModel {
    /// The length of video of the default request that takes the devices as long as this job, both stages together:
    /// a job of the default shape and steps counts its own length.
    ///
    /// `billed` is what it counts as where the stages of the model were not measured. At least a millisecond.
    #[must_use]
    pub fn work(&self, model: &Model, workload: Workload, billed: VideoTime) -> VideoTime {
        let device_ms = |workload| self.device_ms(&model.id, None, workload);
        let Some((job, usual)) = device_ms(workload).zip(device_ms(Workload::default_of(model))) else { return at_least_something(billed) };
        let factor = (job / usual).clamp(1.0 / FACTOR_MAX, FACTOR_MAX);
        let length = model.counts_as(model.duration_default()).ms() as f64;
        at_least_something(VideoTime::from_ms((length * factor).round() as u64))
    }

    /// What one stage of the model's default request takes, in milliseconds of device time a second of video; `None` until it was measured.
    #[must_use]
    pub fn ms_per_video_second(&self, model: &Model, device: Option<&str>, stage: Stage) -> Option<f64> {
        let seconds = model.counts_as(model.duration_default()).ms().max(1) as f64 / 1000.0;
        Some(self.predict(&model.id, device, stage, Workload::default_of(model))?.p50_ms / seconds)
    }

    /// Device time of both stages, in milliseconds; `None` until both were measured.
    #[must_use]
    pub fn device_ms(&self, model: &str, device: Option<&str>, workload: Workload) -> Option<f64> {
        let [sampling, decoding] = [Stage::Sampling, Stage::Decoding].map(|stage| self.predict(model, device, stage, workload));
        Some(sampling?.p50_ms + decoding?.p50_ms)
    }
}

impl Workload {
    /// Of a request that names neither shape nor steps.
    #[must_use]
    pub const fn default_of(model: &Model) -> Self {
        Self { shape: model.shape_default(), steps: model.steps.default, words: Words::NONE }
    }
}

fn at_least_something(work: VideoTime) -> VideoTime {
    work.max(VideoTime::from_ms(1))
}

#[cfg(test)]
mod tests {
    use super::{super::Measurement, *};
    use crate::{
        Shape, Size,
        catalog::testing::{image_model, video_model},
    };

    const BILLED: VideoTime = VideoTime::from_ms(1234);

    fn of(side: u32, steps: u32) -> Workload {
        Workload {
            shape: Shape { size: Size { width: side, height: side }, duration: VideoTime::from_ms(2000) },
            steps,
            words: Words::NONE,
        }
    }

    /// Steps of 10 ms and decoding in 160 ms, of 384x384; four times as much of twice the side.
    fn measured(model: &Model, stages: &[Stage]) -> CostModel {
        let mut costs = CostModel::default();
        for n in 0..60 {
            for stage in stages {
                let workload = of([192, 384, 768][n % 3], [12, 24, 48][n / 3 % 3]);
                let ms = if *stage == Stage::Sampling { 10 * workload.steps } else { 160 };
                let device_ms = u64::from(ms) * u64::from(workload.shape.size.width).pow(2) / 384_u64.pow(2);
                costs.observe(&Measurement { model: &model.id, device: "cpu", stage: *stage, workload, device_ms });
            }
        }
        costs
    }

    fn is_near(work: VideoTime, ms: f64) -> bool {
        (work.ms() as f64 / ms - 1.0).abs() < 0.06
    }

    #[test]
    fn a_job_of_the_default_shape_and_steps_counts_its_own_length() {
        let model = video_model();
        let costs = measured(&model, &[Stage::Sampling, Stage::Decoding]);
        assert_eq!(costs.work(&model, Workload::default_of(&model), BILLED), model.duration_default());
    }

    #[test]
    fn others_count_by_what_both_stages_take_together() {
        let model = video_model();
        let costs = measured(&model, &[Stage::Sampling, Stage::Decoding]);
        for (side, steps, ms) in [(384, 48, 2000.0 * 640.0 / 400.0), (768, 24, 8000.0), (192, 12, 500.0 * 280.0 / 400.0)] {
            let work = costs.work(&model, of(side, steps), BILLED);
            assert!(is_near(work, ms), "{side}, {steps} steps: {work:?} is not {ms} ms");
        }
    }

    #[test]
    fn an_image_counts_from_the_length_that_it_is_billed_as() {
        let model = image_model();
        let mut costs = CostModel::default();
        for stage in [Stage::Sampling, Stage::Decoding] {
            let workload = Workload::default_of(&model);
            costs.observe(&Measurement { model: &model.id, device: "cpu", stage, workload, device_ms: 500 });
        }
        assert_eq!(costs.work(&model, Workload::default_of(&model), BILLED), VideoTime::from_ms(250));
        let told = costs.ms_per_video_second(&model, None, Stage::Decoding).unwrap();
        assert!((told / 2000.0 - 1.0).abs() < 0.01, "{told}");
    }

    #[test]
    fn what_was_not_measured_counts_as_what_is_billed() {
        let model = video_model();
        for stages in [&[][..], &[Stage::Sampling], &[Stage::Decoding]] {
            assert_eq!(measured(&model, stages).work(&model, of(768, 48), BILLED), BILLED);
        }
        assert_eq!(CostModel::default().work(&model, of(768, 48), VideoTime::from_ms(0)).ms(), 1);
    }

    #[test]
    fn no_job_counts_as_nothing_or_as_more_than_there_is() {
        let model = video_model();
        let costs = measured(&model, &[Stage::Sampling, Stage::Decoding]);
        for workload in [of(0, 0), of(u32::MAX, u32::MAX)] {
            let work = costs.work(&model, workload, BILLED).ms();
            assert!((1..=20_000_000).contains(&work), "{work}");
        }
    }
}
