//! What `model_index.json` says of a model of the family.

use serde::Deserialize;

use crate::loading::{LoadError, ensure};
use crate::spec::{Size, Spec};

#[derive(Clone, Debug, Deserialize)]
pub(super) struct Config {
    id: String,
    /// What a request gets that says nothing.
    width: usize,
    height: usize,
    frames: usize,
    fps: u32,
    steps: usize,
    guidance: f64,
    /// Width of a token inside the denoiser.
    pub dim: usize,
    /// Blocks of the denoiser.
    pub depth: usize,
    pub heads: usize,
}

impl Config {
    /// # Errors
    /// [`LoadError::Configuration`] when no model can be like this.
    pub fn spec(&self) -> Result<Spec, LoadError> {
        let &Self { width, height, frames, fps, steps, guidance, .. } = self;
        ensure(self.dim > 0 && self.depth > 0, "a model without width or depth")?;
        ensure(self.heads > 0 && self.dim.is_multiple_of(self.heads), "the denoiser's heads do not divide its width")?;
        ensure(fps > 0, "a clip needs frames a second")?;
        Ok(Spec { id: self.id.clone(), size: Size { width, height }, frames, fps, steps, guidance })
    }
}
