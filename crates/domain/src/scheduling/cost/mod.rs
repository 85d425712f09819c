//! What a stage of a clip takes a device: learned from what stages took, for estimates, shares of the queue and the operator.
//!
//! Of each model, kind of device and stage it follows two [`curve`]s over shapes and steps, one with what [`words`] of prompts add, and remembers how far
//! its [`recent`] predictions were off. A model that was never measured has no prediction: an estimate is left out rather than guessed.
//!
//! Predicting costs a few microseconds, and learning a tenth of a millisecond. The rows that the store keeps are replayed at start. Browsers need none of this.

mod curve;
mod fit;
mod recent;
#[cfg(test)]
mod tests;
mod words;
mod work;

use crate::{Interval, Shape, Stage};
use curve::{Curve, DEVICE_SD, Point, Value};
use recent::{Recent, percentile};
use std::collections::BTreeMap;
pub use words::Words;

/// Stages of models on kinds of devices that are followed at once; of more, those that were measured last.
const SERIES_MAX: usize = 256;
/// After so many measurements of whatever else, a kind of device counts half for one that is not known.
const HALF_LIFE: f64 = 256.0;
/// From so many measurements of its own on, a kind of device counts fully for one that is not known.
const ENOUGH: u64 = 16;
/// How much of what a curve missed counts with the next measurement: half after 23.
const MISSED_FADING: f64 = 0.97;
/// By no more than this, in logarithms, a measurement is missed.
const MISSED_MAX: f64 = 1.0;
/// How many standard deviations of a normal distribution nine of ten stay below.
const P90: f64 = 1.2816;

/// What the device time of a job goes by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Workload {
    pub shape: Shape,
    /// Denoising steps; nothing to decoding.
    pub steps: u32,
    /// Those of the prompt, where they are known.
    pub words: Words,
}

/// One stage of one clip, as it was.
#[derive(Debug, Clone, Copy)]
pub struct Measurement<'a> {
    pub model: &'a str,
    /// What the kind of device is called; all of one name are taken to be equally fast.
    pub device: &'a str,
    pub stage: Stage,
    pub workload: Workload,
    /// The clip's share of the device, in whole milliseconds, rounded down: a step of a batch of four counts a quarter.
    pub device_ms: u64,
}

/// What one stage of one clip will take of a device, in milliseconds. Finite and more than 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Predicted {
    pub p50_ms: f64,
    /// Nine of ten stay below.
    pub p90_ms: f64,
    /// How many measurements it rests on, of whatever shapes.
    pub measurements: u64,
}

impl Predicted {
    /// In whole milliseconds.
    #[must_use]
    pub fn interval(self) -> Interval {
        Interval { p50_ms: self.p50_ms.round() as u64, p90_ms: self.p90_ms.round() as u64 }
    }
}

/// How far predictions were off of late, as `|predicted − measured| / measured`; each was made before its measurement was learned.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ErrorSize {
    pub median: f32,
    pub p95: f32,
}

/// How well one stage of a model on one kind of device is predicted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StageError<'a> {
    pub model: &'a str,
    pub device: &'a str,
    pub stage: Stage,
    pub measurements: u64,
    /// Over the last 64 predictions; `None` where there was none.
    pub error: Option<ErrorSize>,
}

/// Predicts device time by what was measured. Its memory is bounded: 256 pairs of curves, each of at most 128 measurements.
#[derive(Debug, Clone, Default)]
pub struct CostModel {
    models: BTreeMap<String, Vec<Series>>,
    observed: u64,
}

/// The measurements of a stage of a model on a kind of device.
#[derive(Debug, Clone)]
struct Series {
    device: String,
    stage: Stage,
    /// By shape and steps alone, and by the words of prompts as well.
    curves: [Curve; 2],
    /// How far each was off of late: the sum of logarithms, fading.
    missed: [f64; 2],
    recent: Recent,
    /// Number of its last measurement, among all of the model.
    observed_at: u64,
}

/// What one or more series say of a workload, in logarithms.
#[derive(Debug, Clone, Copy)]
struct Opinion {
    value: Value,
    /// By which nine of ten measurements stay below the value.
    p90: f64,
    measurements: u64,
}

impl CostModel {
    /// Of all measurements, in the order of time.
    pub fn of<'a>(measurements: impl IntoIterator<Item = Measurement<'a>>) -> Self {
        let mut costs = Self::default();
        measurements.into_iter().for_each(|measured| costs.observe(&measured));
        costs
    }

    /// Learns what a stage took, the latest measurement so far.
    pub fn observe(&mut self, measured: &Measurement<'_>) {
        let Measurement { model, device, stage, workload, device_ms } = *measured;
        let (point, ln_ms) = (point(stage, workload), (device_ms as f64 + 0.5).ln());
        let predicted = self.opinion(model, Some(device), stage, point);
        self.observed += 1;
        let observed = self.observed;
        let series = self.series_of(measured, || Curve::near(point, ln_ms));
        series.observed_at = observed;
        series.learn(point, ln_ms);
        if let Some(predicted) = predicted {
            series.recent.note(ln_ms - predicted.value.ln_ms);
        }
        self.forget();
    }

    /// What a stage of such a clip will take of such a device; `None` where the stage of the model was never measured.
    ///
    /// A kind of device that was not measured, or none, is told by the others of the model, as much as they were measured of late.
    #[must_use]
    pub fn predict(&self, model: &str, device: Option<&str>, stage: Stage, workload: Workload) -> Option<Predicted> {
        let Opinion { value, p90, measurements } = self.opinion(model, device, stage, point(stage, workload))?;
        let spread = (p90 * p90 + P90 * P90 * value.variance).sqrt();
        Some(Predicted { p50_ms: value.ln_ms.exp(), p90_ms: (value.ln_ms + spread).exp(), measurements })
    }

    /// How well each stage of each model is predicted on each kind of device.
    pub fn errors(&self) -> impl Iterator<Item = StageError<'_>> {
        self.models.iter().flat_map(|(model, all)| all.iter().map(|series| series.error(model)))
    }

    /// Over the last 64 predictions of each stage, model and kind of device together; `None` where there was none.
    #[must_use]
    pub fn error(&self) -> Option<ErrorSize> {
        ErrorSize::of(self.models.values().flatten().flat_map(|series| series.recent.relative_errors()).collect())
    }

    fn opinion(&self, model: &str, device: Option<&str>, stage: Stage, point: Point) -> Option<Opinion> {
        let of_stage = || self.models.get(model).into_iter().flatten().filter(move |series| series.stage == stage);
        if let Some(series) = of_stage().find(|series| device == Some(&series.device)) {
            return Some(series.opinion(point));
        }
        let newest = of_stage().map(|series| series.observed_at).max()?;
        let opinions = of_stage().map(|series| (series.weight(newest), series.opinion(point)));
        Opinion::mixed(&opinions.collect::<Vec<_>>(), if device.is_some() { DEVICE_SD * DEVICE_SD } else { 0.0 })
    }

    /// The series of a measurement. A new one begins as the best known of another kind of device, or else as `unknown`.
    fn series_of(&mut self, measured: &Measurement<'_>, unknown: impl FnOnce() -> Curve) -> &mut Series {
        let all = self.models.entry(measured.model.to_owned()).or_default();
        let of_stage = |series: &&Series| series.stage == measured.stage;
        let place = all.iter().position(|series| of_stage(&series) && series.device == measured.device).unwrap_or_else(|| {
            let like = all.iter().filter(of_stage).max_by_key(|series| series.curve().measurements());
            let (curves, missed) = match like {
                Some(series) => (series.curves.each_ref().map(Curve::for_another_device), series.missed),
                None => {
                    let curve = unknown();
                    ([curve.clone(), curve], [0.0; 2])
                }
            };
            all.push(Series {
                device: measured.device.to_owned(),
                stage: measured.stage,
                curves,
                missed,
                recent: Recent::default(),
                observed_at: 0,
            });
            all.len() - 1
        });
        &mut all[place]
    }

    /// Drops what was measured least recently where there is too much.
    fn forget(&mut self) {
        if self.models.values().map(Vec::len).sum::<usize>() <= SERIES_MAX {
            return;
        }
        let Some(oldest) = self.models.values().flatten().map(|series| series.observed_at).min() else { return };
        self.models.retain(|_, all| {
            all.retain(|series| series.observed_at != oldest);
            !all.is_empty()
        });
    }
}

impl Series {
    /// Words count where they told more of late: not all models go by them, and of few measurements they tell less than they seem to.
    fn curve(&self) -> &Curve {
        let [by_shape, by_words] = &self.curves;
        if self.missed[1] < self.missed[0] { by_words } else { by_shape }
    }

    fn learn(&mut self, point: Point, ln_ms: f64) {
        let points = [Point { words: Words::NONE, ..point }, point];
        for ((curve, missed), point) in self.curves.iter_mut().zip(&mut self.missed).zip(points) {
            *missed = *missed * MISSED_FADING + (ln_ms - curve.at(point).ln_ms).abs().min(MISSED_MAX);
            curve.learn(point, ln_ms);
        }
    }

    fn opinion(&self, point: Point) -> Opinion {
        let curve = self.curve();
        Opinion { value: curve.at(point), p90: self.recent.ln_p90(), measurements: curve.measurements() }
    }

    /// How much it counts for another kind of device.
    fn weight(&self, newest: u64) -> f64 {
        let age = newest.saturating_sub(self.observed_at) as f64;
        (-age / HALF_LIFE).exp2() * self.curve().measurements().min(ENOUGH) as f64
    }

    fn error<'a>(&'a self, model: &'a str) -> StageError<'a> {
        let error = ErrorSize::of(self.recent.relative_errors().collect());
        StageError { model, device: &self.device, stage: self.stage, measurements: self.curve().measurements(), error }
    }
}

impl Opinion {
    /// Weighted, and as uncertain as they differ; `unlike` is the variance between kinds of devices where the one in question is none of them.
    fn mixed(opinions: &[(f64, Self)], unlike: f64) -> Option<Self> {
        let weights: f64 = opinions.iter().map(|(weight, _)| weight).sum();
        let mean = |of: &dyn Fn(&Self) -> f64| opinions.iter().map(|(weight, opinion)| weight * of(opinion)).sum::<f64>() / weights;
        let ln_ms = mean(&|opinion| opinion.value.ln_ms);
        let variance = unlike + mean(&|opinion| opinion.value.variance + (opinion.value.ln_ms - ln_ms).powi(2));
        let p90 = mean(&|opinion| opinion.p90);
        let measurements = opinions.iter().map(|(_, opinion)| opinion.measurements).sum();
        (weights > 0.0).then_some(Self { value: Value { ln_ms, variance }, p90, measurements })
    }
}

impl ErrorSize {
    fn of(mut errors: Vec<f32>) -> Option<Self> {
        Some(Self { median: percentile(&mut errors, 50)?, p95: percentile(&mut errors, 95)? })
    }
}

fn point(stage: Stage, workload: Workload) -> Point {
    let repeats = if stage == Stage::Sampling { f64::from(workload.steps) } else { 1.0 };
    Point { shape: workload.shape, repeats, words: workload.words }
}
