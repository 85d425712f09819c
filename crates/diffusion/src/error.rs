//! Why a family did not do what it was asked.

use thiserror::Error;

pub(crate) const STEPS_MAX: usize = 1000;

pub type Result<T> = std::result::Result<T, Error>;

/// Why a family did not do what it was asked.
#[derive(Debug, Error)]
pub enum Error {
    #[error("{steps} steps asked for; 1 to {} are possible", STEPS_MAX)]
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

/// Why bytes were not accepted as latents.
#[derive(Debug, Error)]
pub enum LatentsError {
    #[error("not a safetensors file")]
    Format(#[source] safetensors::SafeTensorError),
    #[error("the header does not say whose latents these are, or not in a way that can be read")]
    Header,
    #[error("latents of model {found}, not of {wanted}")]
    Model { found: String, wanted: String },
    #[error("latents of shape {found}, not {wanted}")]
    Shape { found: String, wanted: String },
}
