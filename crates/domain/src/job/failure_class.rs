//! What kind of thing went wrong with an attempt, and what is kept of it: for the operator with its device, for the owner of the job in words.

use super::{Decision, FailureCode, RetryPlace, Stage};
use crate::{Timestamp, WorkerId};
use serde::{Deserialize, Serialize};

/// Of a job so many failed attempts are kept.
pub const FAILED_ATTEMPTS_KEPT: usize = 8;
/// So much is kept of what was said of one, in characters.
const DETAIL_MAX: usize = 300;

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
}

impl FailureClass {
    pub const ALL: [Self; 8] =
        [Self::DeviceMemory, Self::Network, Self::Timeout, Self::BrokenWeights, Self::Poison, Self::Bug, Self::LostLatents, Self::Refused];

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
        }
    }

    /// Whether the worker is gone.
    #[must_use]
    pub const fn loses_worker(self) -> bool {
        matches!(self, Self::Timeout | Self::Poison)
    }

    /// What happened, as the owner of the job is told.
    const fn told(self) -> &'static str {
        match self {
            Self::DeviceMemory => "The machine ran out of memory.",
            Self::Network => "A part of the service could not be reached.",
            Self::Timeout => "The machine did not answer in time.",
            Self::BrokenWeights => "The model could not be loaded on the machine.",
            Self::Poison => "The machine stopped while it worked on this.",
            Self::Bug => "The model failed while it worked on this.",
            Self::LostLatents => "What was half made could not be read again.",
            Self::Refused => "The model cannot make this as it was asked for.",
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

/// A failed attempt, as it is kept with its job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedAttempt {
    /// Counts from 1.
    pub attempt: u32,
    pub stage: Stage,
    pub worker: WorkerId,
    pub device: Device,
    pub class: FailureClass,
    /// For the operator alone.
    pub detail: String,
    pub decision: Decision,
    pub failed_at: Timestamp,
}

/// A failed attempt, as the owner of its job is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToldFailure {
    /// Counts from 1.
    pub attempt: u32,
    pub failed_at: Timestamp,
    /// `retry`, `resume`, `other_model` or `fail`.
    pub decision: &'static str,
    pub message: String,
}

impl FailedAttempt {
    #[must_use]
    pub fn told(&self) -> ToldFailure {
        let decision = match self.decision {
            Decision::GiveBack => "resume",
            Decision::Retry { .. } => "retry",
            Decision::FallBack { .. } => "other_model",
            Decision::Fail => "fail",
        };
        ToldFailure { attempt: self.attempt, failed_at: self.failed_at, decision, message: self.class.told_with(self.decision) }
    }
}

impl FailureClass {
    /// What happened and what follows, as the owner of the job is told.
    pub(super) fn told_with(self, decision: Decision) -> String {
        let follows = match decision {
            Decision::GiveBack => "It goes on when that is back; this does not count as a try.",
            Decision::Retry { place: RetryPlace::Anywhere, .. } => "It is tried again in a moment.",
            Decision::Retry { place: RetryPlace::Elsewhere, .. } => "It is tried again on another machine.",
            Decision::Retry { place: RetryPlace::LargerDevice, .. } => "It is tried again on a larger machine.",
            Decision::Retry { place: RetryPlace::Alone, .. } => "It is tried again with a machine for itself.",
            Decision::FallBack { .. } => "It is made with the other model that you allowed.",
            Decision::Fail => "It is not tried again.",
        };
        format!("{} {follows}", self.told())
    }
}

/// Adds what failed last; where that is too much, the oldest outage goes first, and then what is oldest.
pub fn keep(attempts: &mut Vec<FailedAttempt>, mut last: FailedAttempt) {
    last.detail = last.detail.chars().take(DETAIL_MAX).collect();
    if attempts.len() >= FAILED_ATTEMPTS_KEPT {
        let outage = attempts.iter().position(|attempt| attempt.class == FailureClass::Network);
        attempts.remove(outage.unwrap_or(0));
    }
    attempts.push(last);
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    fn failed(class: FailureClass, decision: Decision) -> FailedAttempt {
        FailedAttempt {
            attempt: 1,
            stage: Stage::Sampling,
            worker: WorkerId::from_uuid(Uuid::nil()),
            device: Device { kind: "h100".into(), memory_bytes: None },
            class,
            detail: "CUDA_ERROR in /models/secret".repeat(40),
            decision,
            failed_at: Timestamp::from_ms(1),
        }
    }

    #[test]
    fn a_customer_is_told_what_happened_and_what_follows_and_nothing_of_the_inside() {
        let decisions = [
            Decision::GiveBack,
            Decision::Retry { pause_ms: 1000, place: RetryPlace::Anywhere },
            Decision::Retry { pause_ms: 1000, place: RetryPlace::Elsewhere },
            Decision::Retry { pause_ms: 1000, place: RetryPlace::LargerDevice },
            Decision::Retry { pause_ms: 1000, place: RetryPlace::Alone },
            Decision::FallBack { pause_ms: 1000 },
            Decision::Fail,
        ];
        let mut told = Vec::new();
        for class in FailureClass::ALL {
            for decision in decisions {
                let text = failed(class, decision).told().message;
                assert!(text.ends_with('.') && !told.contains(&text), "{text}");
                assert!(!["CUDA", "h100", "worker", "latents", "weights", "poison"].iter().any(|word| text.contains(word)), "{text}");
                told.push(text);
            }
        }
    }

    #[test]
    fn outages_push_no_other_attempt_out_and_texts_are_cut() {
        let mut kept = Vec::new();
        keep(&mut kept, failed(FailureClass::Bug, Decision::Fail));
        for _ in 0..20 {
            keep(&mut kept, failed(FailureClass::Network, Decision::GiveBack));
        }
        assert_eq!((kept.len(), kept[0].class), (FAILED_ATTEMPTS_KEPT, FailureClass::Bug));
        assert!(kept.iter().all(|attempt| attempt.detail.chars().count() == DETAIL_MAX));
    }

    #[test]
    fn what_is_kept_is_read_again() {
        for class in FailureClass::ALL {
            let attempt = failed(class, Decision::Retry { pause_ms: 700, place: RetryPlace::Alone });
            let json = serde_json::to_string(&attempt).unwrap();
            assert!(json.contains(class.as_str()), "{json}");
            assert_eq!(serde_json::from_str::<FailedAttempt>(&json).unwrap(), attempt);
        }
    }
}
