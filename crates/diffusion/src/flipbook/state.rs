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
