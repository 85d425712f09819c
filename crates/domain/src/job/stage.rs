//! The stages of a job on a device.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The two stages a device works in; each has a queue of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Text encoding and denoising: prompt to latents.
    Sampling,
    /// Autoencoder and media encoding: latents to files.
    Decoding,
}

impl Stage {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Sampling => "sampling",
            Self::Decoding => "decoding",
        }
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
