//! How long the calls of a replaying model take.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::loading::{LoadError, ensure};
use crate::noise::normals;

/// Times that were recorded of another model, in milliseconds.
///
/// A request begins at a place of the list that its seed chooses and takes one after the other, so it takes the same times whenever it
/// is made.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct ReplayTimes {
    /// Of denoising steps of one sample.
    pub step_ms: Vec<f64>,
    /// Of decodes.
    pub decode_ms: Vec<f64>,
    /// What they are the times of: others take as much longer as they have more pixels.
    pub reference: Reference,
    /// The standard deviation of the logarithm of a factor that each request has for its steps, and another for its decode.
    #[serde(default)]
    pub spread: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Reference {
    pub width: usize,
    pub height: usize,
    pub frames: usize,
}

impl ReplayTimes {
    /// # Errors
    /// [`LoadError::Configuration`] when no call can take such times.
    pub(super) fn check(&self) -> Result<(), LoadError> {
        let is_time = |ms: &f64| (0.0..=3_600_000.0).contains(ms);
        for times in [&self.step_ms, &self.decode_ms] {
            ensure(!times.is_empty() && times.iter().all(is_time), "times to replay are at least one, from 0 ms to an hour")?;
        }
        ensure(self.reference.pixels() > 0, "times to replay are those of something with pixels")?;
        ensure((0.0..=2.0).contains(&self.spread), "a spread of times to replay lies between 0 and 2")
    }

    /// Of a request with this seed and so many pixels, in all frames together.
    pub(super) fn step(&self, seed: u64, step: usize, pixels: usize) -> Duration {
        self.scaled(&self.step_ms, seed, step, pixels)
    }

    pub(super) fn decode(&self, latents: &[u8], pixels: usize) -> Duration {
        self.scaled(&self.decode_ms, hash(latents), 0, pixels)
    }

    fn scaled(&self, recorded_ms: &[f64], seed: u64, call: usize, pixels: usize) -> Duration {
        let first = (seed % recorded_ms.len() as u64) as usize;
        let ms = recorded_ms[(first + call) % recorded_ms.len()];
        let factor = (self.spread * f64::from(normals(seed, 1)[0])).exp();
        Duration::from_secs_f64(ms / 1000.0 * factor * pixels as f64 / self.reference.pixels() as f64)
    }
}

impl Reference {
    fn pixels(self) -> usize {
        self.width * self.height * self.frames
    }
}

/// A number for bytes, by FNV-1a.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(spread: f64) -> ReplayTimes {
        let reference = Reference { width: 10, height: 10, frames: 5 };
        ReplayTimes { step_ms: vec![10.0, 12.0, 14.0], decode_ms: vec![50.0], reference, spread }
    }

    #[test]
    fn a_request_takes_the_recorded_times_one_after_the_other_from_where_its_seed_says() {
        let ms = |seed, step| times(0.0).step(seed, step, 500).as_millis();
        assert_eq!([0, 1, 2, 3].map(|step| ms(0, step)), [10, 12, 14, 10]);
        assert_eq!([0, 1, 2, 3].map(|step| ms(5, step)), [14, 10, 12, 14]);
    }

    #[test]
    fn times_grow_with_the_pixels() {
        assert_eq!([250, 500, 2000].map(|pixels| times(0.0).decode(&[], pixels).as_millis()), [25, 50, 200]);
    }

    #[test]
    fn a_seed_always_takes_the_same_time_and_the_median_is_the_recorded_one() {
        let mut factors: Vec<f64> = (0..1000).map(|seed| times(0.2).step(3 * seed, 0, 500).as_secs_f64() / 0.010).collect();
        assert_eq!(times(0.2).step(21, 0, 500).as_secs_f64() / 0.010, factors[7]);
        factors.sort_by(f64::total_cmp);
        assert!((factors[500] - 1.0).abs() < 0.03, "{}", factors[500]);
        // One of six lies beyond one standard deviation.
        assert!((factors[841] - 0.2f64.exp()).abs() < 0.05, "{}", factors[841]);
    }

    #[test]
    fn times_that_no_call_can_take_are_refused() {
        times(0.1).check().unwrap();
        let empty = ReplayTimes { step_ms: vec![], ..times(0.1) };
        let negative = ReplayTimes { decode_ms: vec![1.0, -1.0], ..times(0.1) };
        let of_nothing = ReplayTimes { reference: Reference { width: 0, height: 1, frames: 1 }, ..times(0.1) };
        for wrong in [empty, negative, of_nothing, times(f64::NAN)] {
            assert!(matches!(wrong.check(), Err(LoadError::Configuration { .. })), "{wrong:?}");
        }
    }
}
