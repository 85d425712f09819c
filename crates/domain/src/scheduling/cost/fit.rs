//! The curve through measurements of mixed shapes and steps: least squares of logarithms, with a prior, blind to what is far off.
//!
//! ```text
//! ms = constant + repeats × step × (volume / origin)^slope
//! ```
//!
//! By Gauss and Newton's iteration, in which a measurement beyond 2.5 standard deviations counts less by the fourth power of its distance
//! (iteratively reweighted: Holland and Welsch 1977). Of one shape, or one number of repeats, the prior decides what cannot be told: the slope is 1, the
//! constant a fifth of what short measurements take.

use super::recent::percentile;

/// The prior: the constant in units of what short measurements take, and the slope, each with its standard deviation.
const CONSTANT: [f64; 2] = [0.2, 0.5];
const SLOPE: [f64; 2] = [1.0, 0.4];
/// Standard deviation of the logarithm of a step around the last that was fitted: almost none is too much.
const STEP_SD: f64 = 10.0;
/// Standard deviations from which on a measurement is far off.
pub const FAR: f64 = 2.5;
const ROUNDS: usize = 4;
const CONSTANT_BOUNDS: [f64; 2] = [0.0, 4.0];
const SLOPE_BOUNDS: [f64; 2] = [0.0, 2.5];
/// Beyond this no logarithm of a step goes, so that all that is computed of it is finite.
const LN_STEP_MAX: f64 = 150.0;

/// What a time goes by.
#[derive(Debug, Clone, Copy)]
pub struct Argument {
    pub ln_volume: f64,
    /// How often the part is done that goes by the volume: the denoising steps; 1 of decoding.
    pub repeats: f64,
}

/// A measurement of what the curve goes through.
#[derive(Debug, Clone, Copy)]
pub struct Sample {
    pub at: Argument,
    pub ln_ms: f64,
    /// How much it counts, at most 1.
    pub weight: f64,
}

#[derive(Debug, Clone)]
pub struct Fit {
    /// Logarithm of the volume at which the step is told.
    origin: f64,
    /// Unit of the constant, in milliseconds.
    unit_ms: f64,
    /// The constant in its unit, the logarithm of the step in milliseconds, and the slope.
    parameters: [f64; 3],
    covariance: [[f64; 3]; 3],
}

impl Fit {
    /// Through a single measurement.
    pub fn through(sample: Sample) -> Self {
        let step = sample.ln_ms + (1.0 - CONSTANT[0]).ln() - sample.at.repeats.max(1.0).ln();
        let covariance = [[CONSTANT[1].powi(2), 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, SLOPE[1].powi(2)]];
        Self { origin: sample.at.ln_volume, unit_ms: sample.ln_ms.exp(), parameters: [CONSTANT[0], step, SLOPE[0]], covariance }
    }

    /// Logarithm of the milliseconds, and the variance of the curve itself there.
    pub fn at(&self, at: Argument) -> (f64, f64) {
        let (ln_ms, gradient) = self.tangent(at);
        let moved = self.covariance.map(|row| dot(row, gradient));
        (ln_ms, dot(moved, gradient).max(0.0))
    }

    /// The same of other measurements. `noise`: variance of the logarithm of a measurement.
    pub fn refit(&mut self, samples: &[Sample], noise: f64) {
        let mut ms: Vec<f32> = samples.iter().map(|sample| sample.ln_ms as f32).collect();
        let Some(short) = percentile(&mut ms, 25) else { return };
        let unit_ms = f64::from(short).exp();
        self.parameters[0] *= self.unit_ms / unit_ms;
        self.unit_ms = unit_ms;
        self.bound();
        // From where it was, and as if it were nearly all constant: the iteration finds one of several valleys.
        let rest = (unit_ms * 0.2).ln() - mean(samples, |sample| sample.at.repeats.max(1.0).ln());
        let others = Self { parameters: [1.0, rest, SLOPE[0]], ..self.clone() };
        let fits = [self.clone(), others].into_iter().filter_map(|fit| fit.iterated(samples, noise));
        if let Some((_, fit)) = fits.min_by(|(a, _), (b, _)| a.total_cmp(b)) {
            *self = fit;
        }
    }

    /// With how badly it fits.
    fn iterated(mut self, samples: &[Sample], noise: f64) -> Option<(f64, Self)> {
        for _ in 0..ROUNDS {
            let (information, pull) = self.normal_equations(samples, noise);
            self.covariance = inverse(information)?;
            for (parameter, row) in self.parameters.iter_mut().zip(self.covariance) {
                *parameter += dot(row, pull);
            }
            self.bound();
        }
        Some((self.misfit(samples, noise), self))
    }

    /// By how much measurements and prior are missed, in squares of standard deviations; of what is far off not much more than [`FAR`].
    fn misfit(&self, samples: &[Sample], noise: f64) -> f64 {
        let far = FAR * FAR;
        let missed = |sample: &Sample| {
            let squared = (sample.ln_ms - self.tangent(sample.at).0).powi(2) / noise;
            sample.weight * if squared < far { squared } else { far * (2.0 - far / squared) }
        };
        let [constant, _, slope] = self.parameters;
        let prior = ((constant - CONSTANT[0]) / CONSTANT[1]).powi(2) + ((slope - SLOPE[0]) / SLOPE[1]).powi(2);
        prior + samples.iter().map(missed).sum::<f64>()
    }

    /// Which part of a time there is not the constant.
    pub fn share(&self, at: Argument) -> f64 {
        self.tangent(at).1[1]
    }

    /// Information of measurements and prior, and which way they pull.
    fn normal_equations(&self, samples: &[Sample], noise: f64) -> ([[f64; 3]; 3], [f64; 3]) {
        let [constant, _, slope] = self.parameters;
        let precision = [CONSTANT[1], STEP_SD, SLOPE[1]].map(|sd| 1.0 / (sd * sd));
        let mut pull = [(CONSTANT[0] - constant) * precision[0], 0.0, (SLOPE[0] - slope) * precision[2]];
        let mut information = [[precision[0], 0.0, 0.0], [0.0, precision[1], 0.0], [0.0, 0.0, precision[2]]];
        let usual = self.usual(samples).max(noise);
        for sample in samples {
            let (ln_ms, gradient) = self.tangent(sample.at);
            let off = sample.ln_ms - ln_ms;
            let weight = sample.weight * trust(off * off / usual) / noise;
            for i in 0..3 {
                pull[i] += weight * gradient[i] * off;
                for j in 0..3 {
                    information[i][j] += weight * gradient[i] * gradient[j];
                }
            }
        }
        (information, pull)
    }

    /// The variance around the curve as it is, by the median: that of a curve that does not fit yet is large, and nothing is far off from it.
    fn usual(&self, samples: &[Sample]) -> f64 {
        let mut squares: Vec<f32> = samples.iter().map(|sample| (sample.ln_ms - self.tangent(sample.at).0).powi(2) as f32).collect();
        percentile(&mut squares, 50).map_or(0.0, |median| 2.2 * f64::from(median))
    }

    /// The curve at a point, and how it moves there with the parameters.
    fn tangent(&self, at: Argument) -> (f64, [f64; 3]) {
        let [constant, step, slope] = self.parameters;
        let along = at.ln_volume - self.origin;
        let fixed = constant * self.unit_ms;
        let by_volume = at.repeats * (step + slope * along).exp();
        let ms = (fixed + by_volume).max(1e-3);
        (ms.ln(), [self.unit_ms / ms, by_volume / ms, by_volume / ms * along])
    }

    fn bound(&mut self) {
        let [least, most] = CONSTANT_BOUNDS;
        let [flat, steep] = SLOPE_BOUNDS;
        let [constant, step, slope] = self.parameters;
        self.parameters = [constant.clamp(least, most), step.clamp(-LN_STEP_MAX, LN_STEP_MAX), slope.clamp(flat, steep)];
    }
}

fn mean(samples: &[Sample], of: impl Fn(&Sample) -> f64) -> f64 {
    samples.iter().map(of).sum::<f64>() / samples.len().max(1) as f64
}

/// How much a measurement counts that is so far off, as the square of standard deviations.
pub fn trust(squared: f64) -> f64 {
    (FAR * FAR / squared.max(FAR * FAR)).powi(2)
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Of a symmetric matrix; `None` of a singular one.
fn inverse([[a, b, c], [_, d, e], [_, _, f]]: [[f64; 3]; 3]) -> Option<[[f64; 3]; 3]> {
    let first = [d * f - e * e, c * e - b * f, b * e - c * d];
    let determinant = dot([a, b, c], first);
    let rows = [first, [first[1], a * f - c * c, b * c - a * e], [first[2], b * c - a * e, a * d - b * b]];
    (determinant.is_normal()).then(|| rows.map(|row| row.map(|entry| entry / determinant)))
}
