//! The two-step Adams-Bashforth method on a time grid of the family's own: the velocity of the step before is remembered.
//!
//! Source: Hairer, Norsett, Wanner, "Solving Ordinary Differential Equations I", section III.1 and, for steps of
//! different lengths, III.5.

use candle_core::Tensor;

use crate::error::{Error, Result};
use crate::request::Request;
use crate::sample;

/// A sample on its way from noise (time 1) to data (time 0), where `x_t = (1 - t) data + t noise`.
pub(super) struct State {
    /// `[1, c, t, h, w]`, contiguous.
    pub latents: Tensor,
    /// What the latest step followed, in the shape of the latents; `None` before the first step.
    pub velocity: Option<Tensor>,
    /// The clean data as the latest step predicted it, in the shape of the latents.
    pub predicted: Option<Tensor>,
    /// `[1, 16, e]`.
    pub prompt: Tensor,
    /// The unconditional or negative branch; absent at guidance 1.
    pub null: Option<Tensor>,
    pub guidance: f64,
    /// From 1 to 0, one more than there are steps.
    times: Vec<f64>,
    step: usize,
}

/// Where a step leads.
pub(super) struct Next {
    latents: Tensor,
    velocity: Tensor,
    predicted: Tensor,
}

impl State {
    /// A sample before its first step.
    pub fn new(request: &Request, noise: Tensor, prompt: Tensor, null: Option<Tensor>) -> Self {
        let (guidance, times) = (request.guidance, times(request.steps));
        Self { latents: noise, velocity: None, predicted: None, prompt, null, guidance, times, step: 0 }
    }

    /// The same sample after `step` steps, which led to the latents it was given, the latest along `velocity`.
    pub fn at_step(self, step: usize, velocity: Option<Tensor>) -> Self {
        Self { step, velocity, ..self }
    }

    /// Where the next step starts; `None` when all are done.
    pub fn time(&self) -> Option<f64> {
        self.interval(self.step).map(|(from, _)| from)
    }

    /// Where the next step leads along `velocity`, which is that of the latents at [`Self::time`].
    ///
    /// With h the length of this step and r its ratio to that of the step before:
    /// `x + h ((1 + r / 2) v - r / 2 v_before)`. The first step is Euler's.
    ///
    /// # Errors
    /// [`Error::Done`], or a failing device.
    pub fn follow(&self, velocity: Tensor) -> Result<Next> {
        let (from, to) = self.interval(self.step).ok_or(Error::Done { steps: self.times.len() - 1 })?;
        let before = self.velocity.as_ref().zip(self.step.checked_sub(1).and_then(|step| self.interval(step)));
        let direction = match before {
            None => velocity.clone(),
            Some((earlier, (start, end))) => {
                let weight = (to - from) / (end - start) / 2.0;
                ((&velocity * (1.0 + weight))? - (earlier * weight)?)?
            }
        };
        let latents = (&self.latents + (direction * (to - from))?)?;
        let predicted = (&self.latents - (&velocity * from)?)?;
        Ok(Next { latents, velocity, predicted })
    }

    pub fn advance(&mut self, Next { latents, velocity, predicted }: Next) {
        (self.latents, self.velocity, self.predicted) = (latents, Some(velocity), Some(predicted));
        self.step += 1;
    }

    /// Where a step starts and where it ends.
    fn interval(&self, step: usize) -> Option<(f64, f64)> {
        Some((*self.times.get(step)?, *self.times.get(step + 1)?))
    }
}

impl sample::State for State {
    fn step_index(&self) -> usize {
        self.step
    }

    fn steps(&self) -> usize {
        self.times.len() - 1
    }
}

/// `steps + 1` times from 1 to 0, the closer to each other the closer they are to the data.
fn times(steps: usize) -> Vec<f64> {
    let left = (0..=steps).rev().map(|left| left as f64 / steps as f64);
    left.map(|left| left * left).collect()
}

#[cfg(test)]
mod tests {
    use candle_core::Device;

    use super::*;
    use crate::spec::Size;

    /// A sample of one element.
    fn sample(steps: usize, noise: f64) -> State {
        let tensor = Tensor::new(&[noise], &Device::Cpu).unwrap();
        let size = Size { width: 8, height: 8 };
        let request = Request {
            prompt: String::new(),
            negative_prompt: None,
            size,
            frames: 1,
            seed: 0,
            steps,
            guidance: 1.0,
            arrangement: Vec::new(),
        };
        State::new(&request, tensor.clone(), tensor, None)
    }

    /// Where following `velocity`, a function of the time, leads in so many steps.
    fn end(steps: usize, velocity: impl Fn(f64) -> f64) -> f64 {
        let mut sample = sample(steps, 1.0);
        while let Some(time) = sample.time() {
            let next = sample.follow(Tensor::new(&[velocity(time)], &Device::Cpu).unwrap()).unwrap();
            sample.advance(next);
        }
        sample.latents.to_vec1::<f64>().unwrap()[0]
    }

    #[test]
    fn a_grid_falls_from_one_to_zero_in_shrinking_steps() {
        assert_eq!(times(2), [1.0, 0.25, 0.0]);
        assert_eq!((times(1), times(1000).len()), (vec![1.0, 0.0], 1001));
    }

    #[test]
    fn a_constant_velocity_leads_to_the_data_in_any_number_of_steps() {
        for steps in [1, 2, 9] {
            assert!((end(steps, |_| 0.75) - 0.25).abs() < 1e-12);
        }
    }

    /// The integral of 2 t from 1 to 0 is -1; only the first step, of Euler's method, is off, by its length squared.
    #[test]
    fn after_the_first_step_a_velocity_linear_in_time_is_followed_exactly() {
        for steps in [1, 2, 9] {
            let first = 1.0 - times(steps)[1];
            assert!((end(steps, |time| 2.0 * time) + first * first).abs() < 1e-12, "{steps}");
        }
    }

    #[test]
    fn the_velocity_before_makes_a_difference() {
        let mut sample = sample(3, 1.0);
        let velocity = |value: f64| Tensor::new(&[value], &Device::Cpu).unwrap();
        let next = sample.follow(velocity(0.5)).unwrap();
        sample.advance(next);
        let with = sample.follow(velocity(1.0)).unwrap().latents.to_vec1::<f64>().unwrap();
        sample.velocity = None;
        assert_ne!(with, sample.follow(velocity(1.0)).unwrap().latents.to_vec1::<f64>().unwrap());
    }
}
