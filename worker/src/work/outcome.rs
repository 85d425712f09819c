//! What can end a job's stage early, and what happens next.

use crate::{batch::SamplingError, work::lease::Refusal};
use diffusion::{LoadError, media::MediaError};
use domain::{
    FailureCode,
    job::{AttemptFailure, FailureClass},
};
use std::{error::Error, io};
use store::{StoreError, objects::ObjectError};

/// Why a stage stopped before it was done.
#[derive(Debug)]
pub enum Stop {
    /// The job is somebody else's now, or nobody's: nothing more may be written.
    Lost,
    /// This process shuts down and has no more time.
    Closing,
    /// Its model has left the memory since it was claimed.
    Unloaded,
    /// The device does not come back from a call for this job.
    Hung,
    Failed(WorkError),
}

impl Stop {
    /// In a word.
    pub fn class(&self) -> &'static str {
        match self {
            Self::Lost => "lease_lost",
            Self::Closing => "closing",
            Self::Unloaded => "unloaded",
            Self::Hung => "hung",
            Self::Failed(error) => error.failure().class.as_str(),
        }
    }
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
    #[error("the object store was away for too long")]
    StoreAway,
    #[error("an object broke off while being read")]
    Read(#[from] io::Error),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("a handler panicked: {0}")]
    Panicked(String),
}

impl WorkError {
    /// Whether what was stored whole is not read here: a worker of another version wrote it.
    pub const fn is_of_other_version(&self) -> bool {
        matches!(self, Self::Decoding(SamplingError::Engine(diffusion::Error::Latents(_))))
    }

    /// Whether the object store is full or away, which it will not be for ever.
    pub const fn is_of_store_away(&self) -> bool {
        matches!(self, Self::Object(ObjectError::Full | ObjectError::Unavailable(_)) | Self::Read(_))
    }

    /// Whether the device ran out of memory.
    pub fn is_of_memory(&self) -> bool {
        self.class() == FailureClass::DeviceMemory
    }

    /// Whether the device failed, the engine on it, or its weights; what a job asks for, and want of memory, are not its
    /// fault.
    pub fn is_of_device(&self) -> bool {
        let (Self::Sampling(error) | Self::Decoding(error)) = self else { return matches!(self, Self::Panicked(_)) };
        let broken = !matches!(error, SamplingError::Engine(error) if !is_of_machine(error));
        broken && !is_out_of_memory(error)
    }

    /// What it is to the queue, which decides what follows.
    pub fn failure(&self) -> AttemptFailure {
        let class = self.class();
        let code = match self {
            Self::Object(_) | Self::Read(_) | Self::Store(_) | Self::StoreAway => FailureCode::StorageError,
            _ => class.code(),
        };
        AttemptFailure { class, code, detail: chain(self) }
    }

    fn class(&self) -> FailureClass {
        match self {
            Self::Sampling(error) | Self::Decoding(error) => class_of(error),
            // What depends on the request or on somebody's settings would fail the same way again.
            Self::Media(_) | Self::Object(ObjectError::Key(_) | ObjectError::Denied(_) | ObjectError::TooLarge) => FailureClass::Refused,
            Self::Object(ObjectError::Full | ObjectError::Unavailable(_)) | Self::Read(_) | Self::StoreAway => FailureClass::Network,
            Self::ModelUnknown(_) => FailureClass::BrokenWeights,
            Self::LatentsLost => FailureClass::LostLatents,
            Self::Panicked(_) | Self::Object(_) | Self::Store(_) => FailureClass::Bug,
        }
    }
}

fn class_of(error: &SamplingError) -> FailureClass {
    match error {
        _ if is_out_of_memory(error) => FailureClass::DeviceMemory,
        SamplingError::Panicked(_) | SamplingError::ThreadEnded => FailureClass::Bug,
        SamplingError::Engine(diffusion::Error::Load(error)) if !matches!(**error, LoadError::Device(_)) => FailureClass::BrokenWeights,
        SamplingError::Engine(error) if is_of_machine(error) => FailureClass::Bug,
        SamplingError::Engine(_) => FailureClass::Refused,
    }
}

/// The error and what caused it.
fn chain(error: &dyn Error) -> String {
    error.source().map_or_else(|| error.to_string(), |cause| format!("{error}: {}", chain(cause)))
}

/// Whether this machine failed, its device or the weights that lie on it, and not what was asked of it.
const fn is_of_machine(error: &diffusion::Error) -> bool {
    matches!(error, diffusion::Error::Compute(_) | diffusion::Error::Load(_))
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
    fn each_error_is_of_the_class_that_says_what_follows() {
        use FailureClass::{BrokenWeights, Bug, DeviceMemory, LostLatents, Network, Refused};
        let broken = || LoadError::Configuration { problem: "no".into() };
        let full = || candle_core::Error::Msg("CUDA_ERROR_OUT_OF_MEMORY".into());
        let away = ObjectError::Unavailable("no route".into());
        for (error, class, code) in [
            (device("launch failed"), Bug, FailureCode::EngineError),
            (engine(diffusion::Error::Compute(full())), DeviceMemory, FailureCode::OutOfMemory),
            (loading(LoadError::Device(full())), DeviceMemory, FailureCode::OutOfMemory),
            (loading(LoadError::Device(candle_core::Error::Msg("launch failed".into()))), Bug, FailureCode::EngineError),
            (loading(broken()), BrokenWeights, FailureCode::EngineError),
            (WorkError::ModelUnknown("flipbook-1".into()), BrokenWeights, FailureCode::EngineError),
            (WorkError::Decoding(SamplingError::ThreadEnded), Bug, FailureCode::EngineError),
            (WorkError::Panicked("x".into()), Bug, FailureCode::EngineError),
            (refusal(), Refused, FailureCode::EngineError),
            (WorkError::Media(MediaError::NoFrames), Refused, FailureCode::EngineError),
            (WorkError::Object(ObjectError::Denied("no right".into())), Refused, FailureCode::StorageError),
            (WorkError::Object(ObjectError::TooLarge), Refused, FailureCode::StorageError),
            (WorkError::Object(ObjectError::Full), Network, FailureCode::StorageError),
            (WorkError::Object(away), Network, FailureCode::StorageError),
            (WorkError::StoreAway, Network, FailureCode::StorageError),
            (WorkError::LatentsLost, LostLatents, FailureCode::StorageError),
            (WorkError::Store(StoreError::NotMigrated), Bug, FailureCode::StorageError),
        ] {
            let failure = error.failure();
            assert_eq!((failure.class, failure.code), (class, code), "{error}");
        }
    }

    #[test]
    fn the_operator_is_told_the_whole_chain() {
        assert_eq!(device("launch failed").failure().detail, "sampling failed: the device failed while computing: launch failed");
    }

    #[test]
    fn only_what_broke_on_the_device_is_its_fault() {
        assert!(device("launch failed").is_of_device() && WorkError::Panicked("x".into()).is_of_device());
        assert!(WorkError::Decoding(SamplingError::ThreadEnded).is_of_device());
        assert!(!device("out of memory").is_of_device() && !refusal().is_of_device());
        assert!(!WorkError::LatentsLost.is_of_device());
    }

    #[test]
    fn weights_that_cannot_be_loaded_are_this_machines_fault_unless_they_do_not_fit() {
        assert!(loading(LoadError::Configuration { problem: "no".into() }).is_of_device());
        assert!(!loading(LoadError::Device(candle_core::Error::Msg("out of memory".into()))).is_of_device());
    }

    #[test]
    fn storage_that_is_full_or_away_is_waited_for_and_none_that_refuses() {
        assert!(WorkError::Object(ObjectError::Full).is_of_store_away());
        for error in [ObjectError::Denied("no right".into()), ObjectError::TooLarge] {
            assert!(!WorkError::Object(error).is_of_store_away());
        }
    }
}
