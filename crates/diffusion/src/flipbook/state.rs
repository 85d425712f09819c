//! A sample between two steps: its shots, each with its own noisy scene tokens.

use candle_core::Tensor;
use flipbook::codes::Style;

use super::denoiser::Described;
use super::story::Shot;
use crate::error::{Error, Result};
use crate::request::Request;
use crate::sample;

/// A story on its way from noise (time 1) to a layout (time 0).
pub(super) struct State {
    pub shots: Vec<ShotState>,
    pub request: Request,
    pub style: Option<Style>,
    step: usize,
}

/// A shot on its way.
pub(super) struct ShotState {
    pub shot: Shot,
    pub described: Described,
    /// `[1, t, 12]` in units of the data's deviation: the frame's token, then one for each object.
    pub tokens: Tensor,
    pub known: Vec<Known>,
}

/// A number of the tokens that is not left to the network.
pub(super) struct Known {
    /// Index into a shot's tokens, row by row.
    pub at: usize,
    /// In units of the data's deviation.
    pub target: f32,
    /// What the seed has in its place.
    pub noise: f32,
}

impl ShotState {
    /// `tokens` with what is known put where it is at `time` on the straight way from noise to data, x_t = (1 - t) x_0 + t x_1, as
    /// inpainting does: the network sees it at every step as noisy as the rest, and at time 0 it is the target.
    ///
    /// Source: Lugmayr et al. 2022 (arXiv:2201.09865), eq. 8a, without resampling, on the path of Liu et al. 2022 (arXiv:2209.03003).
    pub fn with_known(&self, tokens: Tensor, time: f64) -> candle_core::Result<Tensor> {
        if self.known.is_empty() {
            return Ok(tokens);
        }
        let (shape, device) = (tokens.shape().clone(), tokens.device().clone());
        let mut values: Vec<f32> = tokens.flatten_all()?.to_vec1()?;
        for Known { at, target, noise } in &self.known {
            values[*at] = (1.0 - time) as f32 * target + time as f32 * noise;
        }
        Tensor::from_vec(values, shape, &device)
    }
}

impl State {
    pub fn new(request: &Request, shots: Vec<ShotState>, style: Option<Style>, step: usize) -> Self {
        Self { shots, request: request.clone(), style, step }
    }

    /// Where the next step starts and where it ends, as times that fall evenly from 1 to 0.
    ///
    /// # Errors
    /// [`Error::Done`] when none is left.
    pub fn interval(&self) -> Result<(f64, f64)> {
        let (steps, taken) = (self.request.steps, self.step);
        let time = |taken: usize| (steps - taken) as f64 / steps as f64;
        if taken < steps { Ok((time(taken), time(taken + 1))) } else { Err(Error::Done { steps }) }
    }

    /// Moves each shot to `tokens`, one `[1, t, 12]` a shot.
    pub fn advance(&mut self, tokens: Vec<Tensor>) {
        for (shot, tokens) in self.shots.iter_mut().zip(tokens) {
            shot.tokens = tokens;
        }
        self.step += 1;
    }
}

impl sample::State for State {
    fn step_index(&self) -> usize {
        self.step
    }

    fn steps(&self) -> usize {
        self.request.steps
    }
}
