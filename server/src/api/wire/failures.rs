//! Why a video failed, and what became of tries that did, in words for its owner.

use domain::{Failure, job::ToldFailure};
use serde::Serialize;
use utoipa::ToSchema;

/// Why a video failed. Nothing is charged for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct VideoError {
    /// Such as `out_of_memory`.
    pub code: &'static str,
    pub message: String,
}

/// A try that failed, and what was decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct FailedAttempt {
    /// Which try it was; the first is 1.
    #[schema(example = 1)]
    pub attempt: u32,
    /// In Unix seconds.
    #[schema(example = 1_795_219_230)]
    pub failed_at: i64,
    /// `retry`: it is tried again. `resume`: it goes on when the service is whole again, and the try does not count. `other_model`: it is made
    /// with the other model that was allowed. `fail`: the video has failed.
    #[schema(example = "retry")]
    pub decision: &'static str,
    /// What happened and what follows, in words.
    #[schema(example = "The machine ran out of memory. It is tried again on a larger machine.")]
    pub message: String,
}

impl From<&ToldFailure> for FailedAttempt {
    fn from(told: &ToldFailure) -> Self {
        Self { attempt: told.attempt, failed_at: told.failed_at.unix_seconds(), decision: told.decision, message: told.message.clone() }
    }
}

impl From<&Failure> for VideoError {
    fn from(failure: &Failure) -> Self {
        Self { code: failure.code.as_str(), message: failure.message.clone() }
    }
}
