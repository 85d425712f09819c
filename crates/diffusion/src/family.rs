//! What a model family is to the rest of the product: check, start, step, preview, hand over, decode.
//!
//! The trait hides tensors, time grids, solvers, text encoders and autoencoders, and when each of them is loaded. What it
//! leaves to the caller is the loop: who is in the batch, when to preview, when to stop.

use flipbook::paint::Seen;

use crate::error::Result;
use crate::media::{Clip, Frame};
use crate::request::Request;
use crate::sample::Sample;
use crate::spec::{Size, Spec};

/// A model of a family, opened on a device and shared by all threads of a worker.
///
/// Its parts are loaded when a call first needs them, so any call may fail with [`crate::Error::Load`].
pub trait Family: Send + Sync {
    fn spec(&self) -> &Spec;

    /// The size to ask for when the frames are to be shown at `shown`: another one where the model cannot make that
    /// itself, and the frames are to be resized.
    fn size_for(&self, shown: Size) -> Size {
        shown
    }

    /// # Errors
    /// [`crate::Error::OutOfBounds`], [`crate::Error::Guidance`] or [`crate::Error::Arrangement`] for the first field that the model cannot honour.
    fn check(&self, request: &Request) -> Result<()>;

    /// Encodes the prompts and draws the noise: a sample before its first step.
    ///
    /// # Errors
    /// What [`Family::check`] refuses, or a failing device.
    fn start(&self, request: &Request) -> Result<Sample>;

    /// A sample that continues from a [`Family::checkpoint`], as if it had never stopped.
    ///
    /// # Errors
    /// [`crate::Error::Latents`] when the bytes are of another model or size or no checkpoint at all,
    /// [`crate::Error::OtherSteps`] when they were made on another time grid.
    fn resume(&self, request: &Request, checkpoint: &[u8]) -> Result<Sample>;

    /// Advances every sample of the batch by one of its own steps.
    ///
    /// Samples may differ in size, frames, step, number of steps and guidance. On an error none has moved.
    ///
    /// # Errors
    /// [`crate::Error::Done`] when a sample has no step left, [`crate::Error::OtherFamily`], or a failing device.
    fn step(&self, batch: &mut [&mut Sample]) -> Result<()>;

    /// One frame of the clip as the latest step predicts it; `None` until a step has been taken here.
    /// Cheaper than a step, but not free: one every few steps is enough for a progress picture.
    ///
    /// # Errors
    /// [`crate::Error::OtherFamily`], or a failing device.
    fn preview(&self, sample: &Sample) -> Result<Option<Frame>>;

    /// All that [`Family::resume`] needs besides the request, on this machine or another: the latents and whatever the
    /// solver remembers.
    ///
    /// # Errors
    /// [`crate::Error::OtherFamily`], or a failing device.
    fn checkpoint(&self, sample: &Sample) -> Result<Vec<u8>>;

    /// The latents as a safetensors file that names model, shape and step: what [`Family::decode`] reads, on this
    /// machine or another.
    ///
    /// # Errors
    /// [`crate::Error::OtherFamily`], or a failing device.
    fn latents(&self, sample: &Sample) -> Result<Vec<u8>>;

    /// Finished latents that show nothing, in the shape of the request's: what a decoder warms up with. Loads nothing.
    ///
    /// # Errors
    /// What [`Family::check`] refuses, or a failing device.
    fn blank_latents(&self, request: &Request) -> Result<Vec<u8>>;

    /// The clip of finished latents. Loads the decoder alone.
    ///
    /// # Errors
    /// [`crate::Error::Latents`] when the bytes are of another model or not latents at all,
    /// [`crate::Error::Unfinished`] when steps are missing: the clip would be noise.
    fn decode(&self, latents: &[u8]) -> Result<Clip>;

    /// Where the things of finished latents are drawn, shot by shot; `None` of a model that places no things.
    ///
    /// # Errors
    /// As [`Family::decode`].
    fn layout(&self, _latents: &[u8]) -> Result<Option<Vec<ShotLayout>>> {
        Ok(None)
    }
}

/// Where the things of a shot are drawn in its middle.
#[derive(Clone, Debug, PartialEq)]
pub struct ShotLayout {
    /// When that is shown, in seconds of the clip.
    pub seconds: f32,
    /// How near the camera is: what moves by 1 in the scene moves by this in the frame.
    pub zoom: f32,
    pub things: Vec<Seen>,
}
