//! What can end a job's stage early, and what happens next.

use crate::{batch::SamplingError, work::lease::Refusal};
use diffusion::{LoadError, media::MediaError};
use domain::FailureCode;
use std::io;
use store::{StoreError, objects::ObjectError};

/// Why a stage stopped before it was done.
#[derive(Debug)]
pub enum Stop {
    /// The job is somebody else's now, or nobody's: nothing more may be written.
    Lost,
    /// This process shuts down and has no more time.
    Closing,
    /// The device does not come back from a call for this job.
    Hung,
    Failed(WorkError),
}

#[derive(Debug, thiserror::Error)]
pub enum WorkError {
    #[error("sampling failed")]
    Sampling(#[source] SamplingError),
    #[error("decoding failed")]
    Decoding(#[source] SamplingError),
    #[error("the video could not be encoded")]
    Media(#[from] MediaError),
    #[error("the model {0} is not loaded here")]
    ModelUnknown(String),
    #[error("the latents are missing, or not those that were stored")]
    LatentsLost,
    #[error("the object store refused")]
    Object(#[from] ObjectError),
    #[error("an object broke off while being read")]
    Read(#[from] io::Error),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("a handler panicked: {0}")]
    Panicked(String),
}

/// What the owner is told, and whether another try makes sense.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verdict {
    pub code: FailureCode,
    pub retry: bool,
}

impl WorkError {
    /// Whether sampling has to be done again.
    pub const fn is_of_latents(&self) -> bool {
        matches!(self, Self::LatentsLost)
    }

    /// Whether what was stored whole is not read here: a worker of another version wrote it.
    pub const fn is_of_other_version(&self) -> bool {
        matches!(self, Self::Decoding(SamplingError::Engine(diffusion::Error::Latents(_))))
    }

    /// Whether the object store is full or away, which it will not be for ever.
    pub const fn is_of_store_away(&self) -> bool {
        matches!(self, Self::Object(ObjectError::Full | ObjectError::Unavailable(_)) | Self::Read(_))
    }

    /// Whether the device failed, the engine on it, or its weights; what a job asks for, and want of memory, are not its
    /// fault.
    pub fn is_of_device(&self) -> bool {
        let (Self::Sampling(error) | Self::Decoding(error)) = self else { return matches!(self, Self::Panicked(_)) };
        let broken = !matches!(error, SamplingError::Engine(error) if !is_of_machine(error));
        broken && !is_out_of_memory(error)
    }

    /// `attempt` counts from 1. What depends on the request alone would fail the same way again.
    pub fn verdict(&self, attempt: u32) -> Verdict {
        let fail = |code| Verdict { code, retry: false };
        let retry = |code| Verdict { code, retry: true };
        match self {
            Self::Sampling(error) | Self::Decoding(error) if is_out_of_memory(error) => fail(FailureCode::OutOfMemory),
            Self::Sampling(error) | Self::Decoding(error) => Verdict { code: FailureCode::EngineError, retry: may_pass(error, attempt) },
            Self::Media(_) => fail(FailureCode::EngineError),
            Self::Panicked(_) | Self::ModelUnknown(_) => retry(FailureCode::EngineError),
            Self::Object(ObjectError::Key(_) | ObjectError::Denied(_) | ObjectError::TooLarge) => fail(FailureCode::StorageError),
            Self::LatentsLost | Self::Object(_) | Self::Read(_) | Self::Store(_) => retry(FailureCode::StorageError),
        }
    }
}

/// Whether this machine failed, its device or the weights that lie on it, and not what was asked of it.
const fn is_of_machine(error: &diffusion::Error) -> bool {
    matches!(error, diffusion::Error::Compute(_) | diffusion::Error::Load(_))
}

/// Whether a failure of the engine may not happen again: a machine's is given a second chance.
fn may_pass(error: &SamplingError, attempt: u32) -> bool {
    match error {
        SamplingError::Engine(error) => is_of_machine(error) && attempt < 2,
        SamplingError::Panicked(_) | SamplingError::ThreadEnded => true,
    }
}

/// The device's libraries say it in words only.
fn is_out_of_memory(error: &SamplingError) -> bool {
    let SamplingError::Engine(error) = error else { return false };
    let cause = match error {
        diffusion::Error::Compute(cause) => cause,
        diffusion::Error::Load(error) => {
            let LoadError::Device(cause) = error.as_ref() else { return false };
            cause
        }
        _ => return false,
    };
    let text = cause.to_string().to_lowercase();
    text.contains("out of memory") || text.contains("out_of_memory")
}

impl<E: Into<WorkError>> From<E> for Stop {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

impl From<Refusal> for Stop {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Lost | Refusal::Uncertain => Self::Lost,
            Refusal::Store(error) => Self::Failed(error.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn engine(error: diffusion::Error) -> WorkError {
        WorkError::Sampling(SamplingError::Engine(error))
    }

    fn device(text: &str) -> WorkError {
        engine(diffusion::Error::Compute(candle_core::Error::Msg(text.into())))
    }

    fn loading(error: LoadError) -> WorkError {
        engine(error.into())
    }

    fn refusal() -> WorkError {
        engine(diffusion::Error::Guidance { guidance: f64::NAN })
    }

    #[test]
    fn what_the_engine_refuses_is_not_tried_again() {
        assert_eq!(refusal().verdict(1), Verdict { code: FailureCode::EngineError, retry: false });
        assert_eq!(WorkError::Media(MediaError::NoFrames).verdict(1), Verdict { code: FailureCode::EngineError, retry: false });
    }

    #[test]
    fn only_what_broke_on_the_device_is_its_fault() {
        assert!(device("launch failed").is_of_device() && WorkError::Panicked("x".into()).is_of_device());
        assert!(WorkError::Decoding(SamplingError::ThreadEnded).is_of_device());
        assert!(!device("out of memory").is_of_device() && !refusal().is_of_device());
        assert!(!WorkError::LatentsLost.is_of_device());
    }

    #[test]
    fn a_failing_device_gets_a_second_chance_and_a_full_one_none() {
        assert!(device("launch failed").verdict(1).retry && !device("launch failed").verdict(2).retry);
        assert_eq!(device("CUDA_ERROR_OUT_OF_MEMORY").verdict(1), Verdict { code: FailureCode::OutOfMemory, retry: false });
    }

    #[test]
    fn weights_that_cannot_be_loaded_are_this_machines_fault_unless_they_do_not_fit() {
        let broken = loading(LoadError::Configuration { problem: "no".into() });
        assert!(broken.is_of_device() && broken.verdict(1).retry && !broken.verdict(2).retry);
        let full = loading(LoadError::Device(candle_core::Error::Msg("out of memory".into())));
        assert_eq!(full.verdict(1), Verdict { code: FailureCode::OutOfMemory, retry: false });
        assert!(!full.is_of_device());
    }

    #[test]
    fn storage_that_refuses_ends_the_job_at_once() {
        for error in [ObjectError::Denied("no right".into()), ObjectError::TooLarge] {
            let error = WorkError::Object(error);
            assert!(!error.is_of_store_away());
            assert_eq!(error.verdict(1), Verdict { code: FailureCode::StorageError, retry: false });
        }
    }

    #[test]
    fn storage_that_is_full_or_away_is_tried_again() {
        let away = ObjectError::Unavailable("no route".into());
        for error in [WorkError::Object(ObjectError::Full), WorkError::Object(away), WorkError::Panicked("x".into())] {
            assert!(error.verdict(2).retry, "{error}");
        }
        assert!(WorkError::LatentsLost.verdict(1).retry && WorkError::LatentsLost.is_of_latents());
    }
}
