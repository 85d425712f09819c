//! What kind of thing went wrong with an attempt, and how a worker reports it.

use super::FailureCode;
use serde::{Deserialize, Serialize};

/// What went wrong. It decides what follows ([`super::decide`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureClass {
    /// The device had not enough memory for it.
    DeviceMemory,
    /// The database or the object store could not be reached.
    Network,
    /// The device did not come back from a call in time.
    Timeout,
    /// The weights cannot be loaded on this machine, or are not what they say.
    BrokenWeights,
    /// The worker was lost over it: perhaps the job kills whatever runs it.
    Poison,
    /// The engine or the device broke.
    Bug,
    /// What sampling had stored is gone or damaged.
    LostLatents,
    /// It would fail in the same way wherever it runs.
    Refused,
    /// Its model is not on offer any more. No worker reports it.
    Withdrawn,
}

impl FailureClass {
    pub const ALL: [Self; 9] = [
        Self::DeviceMemory,
        Self::Network,
        Self::Timeout,
        Self::BrokenWeights,
        Self::Poison,
        Self::Bug,
        Self::LostLatents,
        Self::Refused,
        Self::Withdrawn,
    ];

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::DeviceMemory => "device_memory",
            Self::Network => "network",
            Self::Timeout => "timeout",
            Self::BrokenWeights => "broken_weights",
            Self::Poison => "poison",
            Self::Bug => "bug",
            Self::LostLatents => "lost_latents",
            Self::Refused => "refused",
            Self::Withdrawn => "withdrawn",
        }
    }

    /// What a job is told to have failed of that ends by it.
    #[must_use]
    pub const fn code(self) -> FailureCode {
        match self {
            Self::DeviceMemory => FailureCode::OutOfMemory,
            Self::Network | Self::LostLatents => FailureCode::StorageError,
            Self::Timeout | Self::Poison => FailureCode::WorkerLost,
            Self::BrokenWeights | Self::Bug | Self::Refused => FailureCode::EngineError,
            Self::Withdrawn => FailureCode::ModelWithdrawn,
        }
    }

    /// Whether the worker is gone.
    #[must_use]
    pub const fn loses_worker(self) -> bool {
        matches!(self, Self::Timeout | Self::Poison)
    }

    /// What happened, as the owner of the job is told.
    pub(super) const fn told(self) -> &'static str {
        match self {
            Self::DeviceMemory => "The machine ran out of memory.",
            Self::Network => "A part of the service could not be reached.",
            Self::Timeout => "The machine did not answer in time.",
            Self::BrokenWeights => "The model could not be loaded on the machine.",
            Self::Poison => "The machine stopped while it worked on this.",
            Self::Bug => "The model failed while it worked on this.",
            Self::LostLatents => "What was half made could not be read again.",
            Self::Refused => "The model cannot make this as it was asked for.",
            Self::Withdrawn => "The model is not on offer any more.",
        }
    }
}

/// That an attempt failed, as its worker reports it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttemptFailure {
    pub class: FailureClass,
    /// What the job is told to have failed of, if it ends by it.
    pub code: FailureCode,
    /// For the operator alone.
    pub detail: String,
}

impl AttemptFailure {
    #[must_use]
    pub fn new(class: FailureClass, detail: impl Into<String>) -> Self {
        Self { class, code: class.code(), detail: detail.into() }
    }

    /// It would fail in the same way wherever it runs.
    #[must_use]
    pub fn refused(code: FailureCode) -> Self {
        Self { class: FailureClass::Refused, code, detail: String::new() }
    }
}

impl From<FailureClass> for AttemptFailure {
    fn from(class: FailureClass) -> Self {
        Self::new(class, "")
    }
}

/// The kind of device that a worker owns.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Device {
    /// By the name that the operator gives it.
    pub kind: String,
    /// `None`: the worker does not say.
    pub memory_bytes: Option<u64>,
}
