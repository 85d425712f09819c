//! What `model_index.json` says of a model of the family.

use serde::Deserialize;

use crate::loading::{LoadError, ensure};
use crate::spec::{Index, Spec};

/// Pixels along a side of a latent element, and frames of each latent frame but the first.
pub(super) const PIXELS: usize = 8;
pub(super) const FRAMES: usize = 4;

#[derive(Clone, Debug, Deserialize)]
pub(super) struct Config {
    #[serde(flatten)]
    index: Index,
    /// Channels of the latents.
    pub channels: usize,
    /// Channels inside denoiser and decoder.
    pub dim: usize,
    /// Width of a token.
    pub text_dim: usize,
}

impl Config {
    /// # Errors
    /// [`LoadError::Configuration`] when no model can be like this.
    pub fn spec(&self) -> Result<Spec, LoadError> {
        ensure(self.channels > 0 && self.dim > 0 && self.text_dim > 0, "a model without channels or width")?;
        self.index.spec()
    }
}
