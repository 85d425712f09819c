//! What `model_index.json` says of a model of the family.

use serde::Deserialize;

use crate::loading::{LoadError, ensure};
use crate::spec::{Index, Spec};

#[derive(Clone, Debug, Deserialize)]
pub(super) struct Config {
    #[serde(flatten)]
    index: Index,
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
        ensure(self.dim > 0 && self.depth > 0, "a model without width or depth")?;
        ensure(self.heads > 0 && self.dim.is_multiple_of(self.heads), "the denoiser's heads do not divide its width")?;
        self.index.spec()
    }
}
