//! One request between two steps: everything that it needs to go on, and nothing that it shares.

use candle_core::Tensor;

use crate::request::Request;
use crate::time_grid::time_grid;

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
#[derive(Clone, Debug)]
pub struct Sample {
    /// `[1, g, c, s, s]`, contiguous.
    pub(crate) latents: Tensor,
    /// The clean data as the latest step foresaw it, same shape as the latents.
    pub(crate) foreseen: Option<Tensor>,
    pub(crate) prompt: Conditioning,
    /// The unconditional or negative branch; absent when guidance 1 makes it pointless.
    pub(crate) null: Option<Conditioning>,
    guidance: f64,
    /// Times from 1 to 0, one more than there are steps.
    times: Vec<f64>,
    step: usize,
}

impl Sample {
    /// A sample at the beginning of `request`'s own time grid.
    ///
    /// `null` gives the unconditional branch and is asked for only if guidance needs it.
    pub fn new(request: &Request, shift: f64, noise: Tensor, prompt: Conditioning, null: impl FnOnce() -> Conditioning) -> Self {
        Self {
            latents: noise,
            foreseen: None,
            prompt,
            null: (request.guidance != 1.0).then(null),
            guidance: request.guidance,
            times: time_grid(request.steps, shift),
            step: 0,
        }
    }

    /// The same sample after `step` steps, which led to `latents`.
    pub fn at_step(self, step: usize, latents: Tensor) -> Self {
        Self { latents, step, foreseen: None, ..self }
    }

    /// Steps taken so far: also the number, counted from zero, of the next one.
    pub fn step_index(&self) -> usize {
        self.step
    }

    /// Steps from noise to data.
    pub fn steps(&self) -> usize {
        self.times.len() - 1
    }

    pub fn is_done(&self) -> bool {
        self.step >= self.steps()
    }

    pub fn guidance(&self) -> f64 {
        self.guidance
    }

    /// The latents as they are now, `[1, g, c, s, s]`.
    pub fn latents(&self) -> &Tensor {
        &self.latents
    }

    /// How many evaluations of the denoiser a step costs: 2 with guidance, 1 without.
    pub fn rows(&self) -> usize {
        1 + usize::from(self.null.is_some())
    }

    /// Where the next step starts and where it ends, as times; `None` when all are done.
    pub(crate) fn interval(&self) -> Option<(f64, f64)> {
        (!self.is_done()).then(|| (self.times[self.step], self.times[self.step + 1]))
    }

    pub(crate) fn advance(&mut self, latents: Tensor, foreseen: Tensor) {
        (self.latents, self.foreseen) = (latents, Some(foreseen));
        self.step += 1;
    }
}
