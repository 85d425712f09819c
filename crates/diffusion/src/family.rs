//! What a model family is to the rest of the product: start, step, preview, hand over, decode.
//!
//! The trait hides tensors, text encoders and autoencoders. What it leaves to the caller is the loop:
//! who is in the batch, when to preview, when to stop.

use crate::error::Result;
use crate::media::{Clip, Frame};
use crate::request::Request;
use crate::sample::Sample;
use crate::spec::Spec;

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
    /// [`crate::Error::Latents`] when the bytes are of another model or not latents at all, [`crate::Error::OtherSteps`]
    /// when they were made on another time grid.
    fn resume(&self, request: &Request, latents: &[u8]) -> Result<Sample>;

    /// Advances every sample of the batch by one of its own steps, in one evaluation of the denoiser.
    ///
    /// Samples may differ in step, number of steps and guidance. On an error none has moved.
    ///
    /// # Errors
    /// [`crate::Error::Done`] when a sample has no step left, or a failing device.
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
    /// [`crate::Error::Latents`] when the bytes are of another model or not latents at all,
    /// [`crate::Error::Unfinished`] when steps are missing: the clip would be noise.
    fn decode(&self, latents: &[u8]) -> Result<Clip>;
}
