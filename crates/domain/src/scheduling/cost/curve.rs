//! How long one stage of a model takes on one kind of device, by shape and steps, as it was measured of late.
//!
//! It is a sum of four, in logarithms: the [`fit`](super::fit) through the last measurements, which tells shapes that were never seen; what the
//! [`words`](super::words) of the prompt add; by how much those of the same shape, and a little of shapes like it, were off from that; and the level of all, which
//! moves when the device becomes slower or faster. The level is followed by a Kalman filter for a random walk. A measurement that is far off counts
//! little, but three in a row and in one direction are a change of level.

use super::{
    fit::{Argument, FAR, Fit, Sample, trust},
    words::{Effects, Left, Words},
};
use crate::Shape;
use std::collections::VecDeque;

/// Measurements that a curve is made of.
const WINDOW: usize = 128;
/// By how much a measurement counts less than the next: half after 46.
const FADING: f64 = 0.985;
/// Standard deviation of the logarithm of a measurement until it is known better, and within which bounds that is believed.
const NOISE_SD: f64 = 0.1;
const NOISE_SD_BOUNDS: [f64; 2] = [0.01, 0.7];
/// How far a shape may be off from the curve: the standard deviation of the logarithm, in the prior.
const SHAPE_SD: f64 = 0.15;
/// How far a shape tells of another, in logarithms of volume.
const REACH: f64 = 0.7;
/// How much the level may move from one measurement to the next, in standard deviations of the noise: about as much of it is believed.
const DRIFT: f64 = 0.15;
const CHANGE_AFTER: i32 = 3;
/// How unlike another kind of device is: the standard deviation of the logarithm of its speed.
pub const DEVICE_SD: f64 = 0.7;
/// Beyond this nothing is said, so that all that is computed of it is finite.
const LN_MS_MAX: f64 = 60.0;
const VARIANCE_MAX: f64 = 9.0;
/// Measurements after which the fit is made again, once there are some.
const REFIT_AFTER: u64 = 4;
/// How often fit and words are then told by turns.
const TURNS: usize = 2;

/// A shape and the number of times that what goes by the shape is done.
#[derive(Debug, Clone, Copy)]
pub struct Point {
    pub shape: Shape,
    /// Denoising steps; 1 of decoding.
    pub repeats: f64,
    pub words: Words,
}

/// A value of the curve.
#[derive(Debug, Clone, Copy)]
pub struct Value {
    /// Logarithm of milliseconds.
    pub ln_ms: f64,
    /// Of the curve itself, that of a measurement around it not included.
    pub variance: f64,
}

#[derive(Debug, Clone)]
pub struct Curve {
    fit: Fit,
    effects: Effects,
    window: VecDeque<Past>,
    level: f64,
    level_variance: f64,
    /// Variance of the logarithm of a measurement.
    noise: f64,
    measurements: u64,
    /// How many measurements in a row were far off; negative where they were too small.
    far_in_a_row: i32,
}

/// A measurement of before.
#[derive(Debug, Clone, Copy)]
struct Past {
    shape: Shape,
    at: Argument,
    words: Words,
    /// Without the level of its time.
    ln_ms: f64,
    /// How far it is off from the fit and what its words add to that.
    off: f64,
}

impl Curve {
    /// Of which the first measurement is known, but not learned.
    pub fn near(point: Point, ln_ms: f64) -> Self {
        let fit = Fit::through(Sample { at: point.argument(), ln_ms, weight: 1.0 });
        let noise = NOISE_SD * NOISE_SD;
        Self {
            fit,
            effects: Effects::default(),
            window: VecDeque::new(),
            level: 0.0,
            level_variance: 0.0,
            noise,
            measurements: 0,
            far_in_a_row: 0,
        }
    }

    /// For another kind of device, of which nothing is known but that it does the same work.
    pub fn for_another_device(&self) -> Self {
        Self { level_variance: DEVICE_SD * DEVICE_SD, measurements: 0, far_in_a_row: 0, ..self.clone() }
    }

    pub const fn measurements(&self) -> u64 {
        self.measurements
    }

    pub fn at(&self, point: Point) -> Value {
        let (fitted, of_fit) = self.fit.at(point.argument());
        let (off, of_shape) = self.off(point);
        let of_words = self.effects.of(point.words, self.fit.share(point.argument()));
        let ln_ms = (fitted + of_words + off + self.level).clamp(-LN_MS_MAX, LN_MS_MAX);
        Value { ln_ms, variance: (of_fit + of_shape + self.level_variance).min(VARIANCE_MAX) }
    }

    /// Takes in what was measured.
    pub fn learn(&mut self, point: Point, ln_ms: f64) {
        self.level_variance += DRIFT * DRIFT * self.noise;
        let predicted = self.at(point);
        let off = ln_ms - predicted.ln_ms;
        let noise = self.noise + rounding_variance(ln_ms);
        let squared = off * off / (predicted.variance + noise);
        if self.is_change(off, squared) {
            self.change(off);
        } else {
            let total = predicted.variance + noise / trust(squared);
            let believed = self.level_variance / total;
            self.level += believed * off;
            self.level_variance -= believed * self.level_variance;
            self.effects.learn(point.words, self.fit.share(point.argument()), (1.0 - believed) * off, predicted.variance + noise);
        }
        self.follow_noise(squared);
        self.remember(point, ln_ms);
        self.measurements += 1;
        if self.measurements.is_multiple_of(REFIT_AFTER.min(1 + self.measurements / 4)) {
            self.refit();
        }
    }

    /// By how much measurements of this shape are off from the fit, with the variance of that. Where there are few, those of shapes like it tell.
    fn off(&self, point: Point) -> (f64, f64) {
        let at = point.argument();
        let usual = SHAPE_SD * SHAPE_SD + self.noise;
        let ([mut own, mut owns], [mut others, mut like]) = ([0.0; 2], [0.0, 0.5]);
        let mut weight = 1.0;
        for past in self.window.iter().rev() {
            let trusted = weight * trust(past.off * past.off / usual);
            if past.shape == point.shape {
                own += trusted * past.off;
                owns += trusted;
            } else {
                let distance = (past.at.ln_volume - at.ln_volume) / REACH;
                let near = trusted / (1.0 + distance * distance).powi(4);
                others += near * past.off;
                like += near;
            }
            weight *= FADING;
        }
        let prior = self.noise / (SHAPE_SD * SHAPE_SD);
        let off = (own + prior * others / like) / (owns + prior);
        (off, self.noise / (owns + prior))
    }

    /// Whether so many measurements in a row are far off in one direction that it is no accident.
    fn is_change(&mut self, off: f64, squared: f64) -> bool {
        let direction = if off < 0.0 { -1 } else { 1 };
        self.far_in_a_row = match squared > FAR * FAR {
            false => 0,
            true if self.far_in_a_row.signum() == direction => self.far_in_a_row + direction,
            true => direction,
        };
        self.far_in_a_row.abs() >= CHANGE_AFTER
    }

    /// The level is another since the last few measurements.
    fn change(&mut self, off: f64) {
        let since = self.far_in_a_row.unsigned_abs() as usize - 1;
        for past in self.window.iter_mut().rev().take(since) {
            past.ln_ms -= off;
            past.off -= off;
        }
        self.level += off;
        self.level_variance += self.noise;
        self.far_in_a_row = 0;
    }

    /// `squared`: how far off the last measurement was, by its expected variance.
    fn follow_noise(&mut self, squared: f64) {
        let rate = 1.0 / (self.measurements as f64 + 10.0).min(50.0);
        let [least, most] = NOISE_SD_BOUNDS.map(|sd| sd * sd);
        self.noise = (self.noise * (1.0 + rate * (squared.min(FAR * FAR) - 1.0))).clamp(least, most);
    }

    fn remember(&mut self, point: Point, ln_ms: f64) {
        if self.window.len() == WINDOW {
            self.window.pop_front();
        }
        let (at, ln_ms) = (point.argument(), ln_ms - self.level);
        self.window.push_back(Past { shape: point.shape, at, words: point.words, ln_ms, off: 0.0 });
        if let Some(past) = self.window.back_mut() {
            past.off = ln_ms - expected(&self.fit, &self.effects, past);
        }
    }

    /// Fit and words by turns, each by what the other leaves.
    fn refit(&mut self) {
        let weights = std::iter::successors(Some(1.0), |weight| Some(weight * FADING));
        self.effects = Effects::default();
        for _ in 0..TURNS {
            let newest_first = || self.window.iter().rev().zip(weights.clone());
            let sample = |(past, weight): (&Past, f64)| {
                let ln_ms = past.ln_ms - self.effects.of(past.words, self.fit.share(past.at));
                Sample { at: past.at, ln_ms, weight }
            };
            let samples: Vec<Sample> = newest_first().map(sample).collect();
            self.fit.refit(&samples, self.noise);
            let left = |(past, weight): (&Past, f64)| {
                let (fitted, of_fit) = self.fit.at(past.at);
                let weight = weight * self.noise / (self.noise + of_fit);
                Left { words: past.words, share: self.fit.share(past.at), ln_ms: past.ln_ms - fitted, weight }
            };
            self.effects = Effects::through(newest_first().map(left).collect(), self.noise);
        }
        for past in &mut self.window {
            past.off = past.ln_ms - expected(&self.fit, &self.effects, past);
        }
    }
}

/// The logarithm of what fit and words say of a measurement.
fn expected(fit: &Fit, effects: &Effects, past: &Past) -> f64 {
    fit.at(past.at).0 + effects.of(past.words, fit.share(past.at))
}

impl Point {
    fn argument(self) -> Argument {
        Argument { ln_volume: self.shape.volume().max(1.0).ln(), repeats: self.repeats }
    }
}

/// Of what is told in whole milliseconds: that of an even distribution over one.
fn rounding_variance(ln_ms: f64) -> f64 {
    (-2.0 * ln_ms).exp() / 12.0
}
