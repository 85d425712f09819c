//! What a model family is to the rest of the product: start, step, preview, hand over, decode.
//!
//! The trait hides tensors, text encoders and autoencoders. What it leaves to the caller is the loop:
//! who is in the batch, when to preview, when to stop.

use thiserror::Error;

use crate::latents::LatentsError;
use crate::media::{Clip, Frame};
use crate::sample::Sample;

/// What a family generates natively and what a request that says nothing gets.
#[derive(Clone, Debug, PartialEq)]
pub struct Spec {
    /// Names weights and arithmetic, for instance `vignette-1`: latents of another id are refused.
    pub id: String,
    /// Pixels of a decoded frame.
    pub width: usize,
    pub height: usize,
    /// Frames of a clip and how many of them make a second.
    pub frames: usize,
    pub fps: u32,
    /// Steps and guidance of a request that does not choose them.
    pub steps: usize,
    pub guidance: f64,
    /// How far the time grid leans towards the noise, see [`crate::sampler::time_grid`].
    pub shift: f64,
    /// Shape of one sample's latents without the batch, `[groups, channels, height, width]`.
    pub latents: [usize; 4],
}

/// What one sample is made from. Equal requests give equal bits.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    pub prompt: String,
    /// What to steer away from, in place of the empty prompt; without effect at guidance 1.
    pub negative_prompt: Option<String>,
    pub seed: u64,
    /// Denoiser evaluations, 1 to [`Request::MOST_STEPS`].
    pub steps: usize,
    /// How far to go beyond what the prompt predicts: 1 is the plain prediction at half the cost.
    pub guidance: f64,
}

impl Request {
    /// More steps than this are a mistake: no solver gains from them.
    pub const MOST_STEPS: usize = 1000;

    /// A request with the family's own steps and guidance.
    pub fn new(spec: &Spec, prompt: &str, seed: u64) -> Self {
        let (steps, guidance) = (spec.steps, spec.guidance);
        Self { prompt: prompt.to_owned(), negative_prompt: None, seed, steps, guidance }
    }

    /// # Errors
    /// [`Error::Steps`] or [`Error::Guidance`] when no sampler could honour it.
    pub fn check(&self) -> Result<()> {
        if !(1..=Self::MOST_STEPS).contains(&self.steps) {
            return Err(Error::Steps { steps: self.steps });
        }
        if !self.guidance.is_finite() {
            return Err(Error::Guidance { guidance: self.guidance });
        }
        Ok(())
    }
}

/// A loaded model, shared by all threads of a worker.
pub trait Family: Send + Sync {
    fn spec(&self) -> &Spec;

    /// Encodes the prompts and draws the noise: a sample before its first step.
    ///
    /// # Errors
    /// What [`Request::check`] refuses, or a failing device.
    fn start(&self, request: &Request) -> Result<Sample>;

    /// A sample that continues from what [`Family::latents`] stored, as if it had never stopped.
    ///
    /// # Errors
    /// [`Error::Latents`] when the bytes are of another model or not latents at all, [`Error::OtherSteps`]
    /// when they were made on another time grid.
    fn resume(&self, request: &Request, latents: &[u8]) -> Result<Sample>;

    /// Advances every sample of the batch by one of its own steps, in one evaluation of the denoiser.
    ///
    /// Samples may differ in step, number of steps and guidance. On an error none has moved.
    ///
    /// # Errors
    /// [`Error::Done`] when a sample has no step left, or a failing device.
    fn step(&self, batch: &mut [&mut Sample]) -> Result<()>;

    /// One frame of the clip as the latest step foresees it; `None` until a step has been taken here.
    /// Cheaper than a step, but not free: one every few steps is enough for a progress picture.
    ///
    /// # Errors
    /// A failing device.
    fn preview(&self, sample: &Sample) -> Result<Option<Frame>>;

    /// The latents as a safetensors file that names model, shape and step: what
    /// [`Family::decode`] and [`Family::resume`] read, on this machine or another.
    ///
    /// # Errors
    /// A failing device.
    fn latents(&self, sample: &Sample) -> Result<Vec<u8>>;

    /// The clip of finished latents, at native size.
    ///
    /// # Errors
    /// [`Error::Latents`] when the bytes are of another model or not latents at all,
    /// [`Error::Unfinished`] when steps are missing: the clip would be noise.
    fn decode(&self, latents: &[u8]) -> Result<Clip>;
}

pub type Result<T> = std::result::Result<T, Error>;

/// Why a family did not do what it was asked.
#[derive(Debug, Error)]
pub enum Error {
    #[error("{steps} steps asked for; 1 to {} are possible", Request::MOST_STEPS)]
    Steps { steps: usize },
    #[error("guidance {guidance} is not a number one can multiply with")]
    Guidance { guidance: f64 },
    #[error("the sample has taken all of its {steps} steps")]
    Done { steps: usize },
    #[error("the latents have taken {step} of {steps} steps, so there is nothing to see yet")]
    Unfinished { step: usize, steps: usize },
    #[error("the latents are from a run of {stored} steps, the request asks for {asked}")]
    OtherSteps { stored: usize, asked: usize },
    #[error("the stored latents cannot be used")]
    Latents(#[from] LatentsError),
    #[error("the device failed while computing")]
    Compute(#[from] candle_core::Error),
}
