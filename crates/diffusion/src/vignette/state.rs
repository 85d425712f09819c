//! A sample between two steps: everything that it needs to go on, and nothing that it shares.

use candle_core::Tensor;

use super::time_grid::time_grid;
use crate::request::Request;
use crate::sample;

/// A prompt as the denoiser sees it.
///
/// | field    | shape       |                              |
/// |----------|-------------|------------------------------|
/// | `tokens` | `[1, l, d]` | one vector a token           |
/// | `pooled` | `[1, d]`    | one vector for all of them   |
#[derive(Clone, Debug)]
pub struct Conditioning {
    pub tokens: Tensor,
    pub pooled: Tensor,
}

/// A sample on its way from noise to data, with its own time grid, guidance and progress.
pub(super) struct State {
    /// `[1, g, c, s, s]`, contiguous.
    pub latents: Tensor,
    /// The clean data as the latest step predicted it, same shape as the latents.
    pub predicted: Option<Tensor>,
    pub prompt: Conditioning,
    /// The unconditional or negative branch; absent when guidance 1 makes it pointless.
    pub null: Option<Conditioning>,
    pub guidance: f64,
    /// Times from 1 to 0, one more than there are steps.
    times: Vec<f64>,
    step: usize,
}

impl State {
    /// A sample at the beginning of `request`'s own time grid, from noise `[1, g, c, s, s]`. Without `null` it is
    /// unguided.
    pub fn new(request: &Request, shift: f64, noise: Tensor, prompt: Conditioning, null: Option<Conditioning>) -> Self {
        let times = time_grid(request.steps, shift);
        Self { latents: noise, predicted: None, prompt, null, guidance: request.guidance, times, step: 0 }
    }

    /// The same sample after `step` steps, which led to the latents it was given.
    pub fn at_step(self, step: usize) -> Self {
        Self { step, ..self }
    }

    /// Where the next step starts and where it ends, as times; `None` when all are done.
    pub fn interval(&self) -> Option<(f64, f64)> {
        Some((*self.times.get(self.step)?, *self.times.get(self.step + 1)?))
    }

    pub fn advance(&mut self, latents: Tensor, predicted: Tensor) {
        (self.latents, self.predicted) = (latents, Some(predicted));
        self.step += 1;
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
