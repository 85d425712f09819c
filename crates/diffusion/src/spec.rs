//! What a model generates when a request leaves the choice to it.

use serde::Deserialize;

use crate::loading::{LoadError, ensure};

/// Width and height of a picture, in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    pub width: usize,
    pub height: usize,
}

/// What a model is called, and what a request gets that says nothing.
///
/// What else a request may ask for is known to the family alone, see [`crate::Family::check`].
#[derive(Clone, Debug, PartialEq)]
pub struct Spec {
    /// Names weights and arithmetic, for instance `vignette-1`: latents of another id are refused.
    pub id: String,
    pub size: Size,
    /// Frames of a clip; 1 is a picture.
    pub frames: usize,
    /// How many frames make a second, whatever the number of frames.
    pub fps: u32,
    pub steps: usize,
    pub guidance: f64,
}

/// The same as a model's `model_index.json` says it.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Index {
    id: String,
    width: usize,
    height: usize,
    frames: usize,
    fps: u32,
    steps: usize,
    guidance: f64,
}

impl Index {
    /// # Errors
    /// [`LoadError::Configuration`] when no model can be like this.
    pub fn spec(&self) -> Result<Spec, LoadError> {
        let &Self { width, height, frames, fps, steps, guidance, .. } = self;
        ensure(fps > 0, "a clip needs frames a second")?;
        Ok(Spec { id: self.id.clone(), size: Size { width, height }, frames, fps, steps, guidance })
    }
}
