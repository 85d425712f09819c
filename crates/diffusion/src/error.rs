//! Why a family did not do what it was asked.

use std::fmt;

use thiserror::Error;

use crate::loading::LoadError;
use crate::media::MediaError;

pub type Result<T> = std::result::Result<T, Error>;

/// Why a family did not do what it was asked.
#[derive(Debug, Error)]
pub enum Error {
    #[error("{field} cannot be {given}, only {bound}")]
    OutOfBounds { field: &'static str, given: usize, bound: Bound },
    #[error("guidance {guidance} is not a number one can multiply with")]
    Guidance { guidance: f64 },
    #[error("arrangement cannot be like this, only {bound}")]
    Arrangement { bound: &'static str },
    #[error("the sample has taken all of its {steps} steps")]
    Done { steps: usize },
    #[error("the latents have taken {step} of {steps} steps, so there is nothing to see yet")]
    Unfinished { step: usize, steps: usize },
    #[error("the latents are from a run of {stored} steps, the request asks for {asked}")]
    OtherSteps { stored: usize, asked: usize },
    #[error("the sample is of another family")]
    OtherFamily,
    #[error("the stored latents cannot be used")]
    Latents(#[from] LatentsError),
    #[error("a part of the model cannot be loaded")]
    Load(#[source] Box<LoadError>),
    #[error("what was decoded is no clip")]
    Clip(#[from] MediaError),
    #[error("the device failed while computing")]
    Compute(#[from] candle_core::Error),
}

impl From<LoadError> for Error {
    fn from(error: LoadError) -> Self {
        Self::Load(Box::new(error))
    }
}

/// What a number in a request may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    Exactly(usize),
    Between {
        least: usize,
        most: usize,
    },
    MultipleOf(usize),
    /// `multiple * n + 1`: frames of an autoencoder whose first frame stands alone.
    OneMoreThanMultipleOf(usize),
}

impl Bound {
    /// # Errors
    /// [`Error::OutOfBounds`] when the `field` of a request may not be what was `given`.
    pub(crate) fn check(self, field: &'static str, given: usize) -> Result<()> {
        let holds = match self {
            Self::Exactly(only) => given == only,
            Self::Between { least, most } => (least..=most).contains(&given),
            Self::MultipleOf(multiple) => given.is_multiple_of(multiple),
            Self::OneMoreThanMultipleOf(multiple) => given > 0 && (given - 1).is_multiple_of(multiple),
        };
        if holds { Ok(()) } else { Err(Error::OutOfBounds { field, given, bound: self }) }
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exactly(only) => write!(f, "{only}"),
            Self::Between { least, most } => write!(f, "{least} to {most}"),
            Self::MultipleOf(multiple) => write!(f, "a multiple of {multiple}"),
            Self::OneMoreThanMultipleOf(multiple) => write!(f, "one more than a multiple of {multiple}"),
        }
    }
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
    #[error("made by a version that understands the prompt in another way")]
    OtherStory,
    #[error("the tensor `{name}` is missing")]
    Missing { name: String },
    #[error("latents of shape {found}, not {wanted}")]
    Shape { found: String, wanted: String },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_names_the_field_and_the_bound() {
        let refusal = |bound: Bound, given| bound.check("frames", given).unwrap_err().to_string();
        assert_eq!(refusal(Bound::Exactly(16), 8), "frames cannot be 8, only 16");
        assert_eq!(refusal(Bound::Between { least: 1, most: 9 }, 0), "frames cannot be 0, only 1 to 9");
        assert_eq!(refusal(Bound::MultipleOf(4), 6), "frames cannot be 6, only a multiple of 4");
        assert_eq!(refusal(Bound::OneMoreThanMultipleOf(4), 0), "frames cannot be 0, only one more than a multiple of 4");
    }

    #[test]
    fn a_picture_is_one_frame_more_than_none() {
        let bound = Bound::OneMoreThanMultipleOf(4);
        assert!([1, 5, 81].iter().all(|frames| bound.check("frames", *frames).is_ok()));
        assert!([2, 4, 80].iter().all(|frames| bound.check("frames", *frames).is_err()));
    }
}
