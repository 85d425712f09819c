//! Why a job failed, in a code for programs and a sentence for people.

use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// What went wrong, as far as its owner is concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureCode {
    /// The worker vanished in the middle of the job as often as a job is tried.
    WorkerLost,
    OutOfMemory,
    /// The engine refused or broke; the details are in the operator's log.
    EngineError,
    /// The finished files could not be stored.
    StorageError,
    /// The model left the catalog while the job waited.
    ModelWithdrawn,
    /// It still waited when it was to have begun or ended.
    DeadlinePassed,
}

impl FailureCode {
    const ALL: [Self; 6] =
        [Self::WorkerLost, Self::OutOfMemory, Self::EngineError, Self::StorageError, Self::ModelWithdrawn, Self::DeadlinePassed];

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::WorkerLost => "worker_lost",
            Self::OutOfMemory => "out_of_memory",
            Self::EngineError => "engine_error",
            Self::StorageError => "storage_error",
            Self::ModelWithdrawn => "model_withdrawn",
            Self::DeadlinePassed => "deadline_passed",
        }
    }
}

impl fmt::Display for FailureCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for FailureCode {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|code| code.as_str() == text).ok_or(())
    }
}

/// The end of a job that could not be made. Nothing is charged for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    pub code: FailureCode,
    /// A sentence a person understands; free of internals.
    pub message: String,
}

impl Failure {
    #[must_use]
    pub fn new(code: FailureCode) -> Self {
        let message = match code {
            FailureCode::WorkerLost => "The worker stopped unexpectedly every time this video was tried.",
            FailureCode::OutOfMemory => "This video needs more memory than the device has. Try a smaller size.",
            FailureCode::EngineError => "The model could not make this video. Nothing was charged; try again or change the prompt.",
            FailureCode::StorageError => "The finished video could not be stored. Nothing was charged; please try again.",
            FailureCode::ModelWithdrawn => "The model is not on offer any more. Nothing was charged; choose another model.",
            FailureCode::DeadlinePassed => "Its deadline passed while it waited. Nothing was charged.",
        };
        Self { code, message: message.to_owned() }
    }
}
