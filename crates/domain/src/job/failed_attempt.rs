//! What is kept of an attempt that failed: for the operator with its class and device, for the owner of the job in words.

use super::{Device, FailureClass, Stage};
use crate::{Timestamp, WorkerId};
use serde::{Deserialize, Serialize};

/// Of a job so many failed attempts are kept.
pub const FAILED_ATTEMPTS_KEPT: usize = 8;
/// So much is kept of what was said of one, in characters.
const DETAIL_MAX: usize = 300;

/// What follows when an attempt has failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// Waits as if it had not been tried.
    GiveBack,
    Retry {
        pause_ms: i64,
        place: RetryPlace,
    },
    /// Is made with the other model that its request allows.
    FallBack {
        pause_ms: i64,
    },
    Fail,
}

impl Decision {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::GiveBack => "give_back",
            Self::Retry { place: RetryPlace::Anywhere, .. } => "retry",
            Self::Retry { place: RetryPlace::Elsewhere, .. } => "retry_elsewhere",
            Self::Retry { place: RetryPlace::LargerDevice, .. } => "retry_on_larger_device",
            Self::Retry { place: RetryPlace::Alone, .. } => "retry_alone",
            Self::FallBack { .. } => "fall_back",
            Self::Fail => "fail",
        }
    }
}

/// Where a job is tried again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RetryPlace {
    Anywhere,
    /// Left to other workers than the one that failed it.
    Elsewhere,
    /// On a device with more memory, with nothing beside it.
    LargerDevice,
    /// With nothing beside it, and left to others than the one that failed it.
    Alone,
}

impl RetryPlace {
    /// What a device must have, where it says what it has, by that on which the job failed.
    pub(super) fn needs_memory(self, failed_on: &Device) -> Option<u64> {
        match self {
            Self::Anywhere | Self::Elsewhere => None,
            Self::LargerDevice => failed_on.memory_bytes.map(|bytes| bytes.saturating_add(1)),
            Self::Alone => failed_on.memory_bytes,
        }
    }
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
