//! What follows when an attempt fails: by what went wrong, where it did so before, and who else is there.
//!
//! | class          | tried again                                             | ends the job                                  |
//! |----------------|---------------------------------------------------------|-----------------------------------------------|
//! | device memory  | alone, and on a larger device where there is one        | alone, where none is larger                   |
//! | network        | as soon as that is back, which costs no attempt         | never                                         |
//! | timeout        | alone, by another worker                                | the third worker lost                         |
//! | broken weights | by a worker whose weights are not known to be broken    | there is none                                 |
//! | poison         | alone, by another worker                                | the third worker lost                         |
//! | bug            | by another worker                                       | it has failed two workers, or the only one twice |
//! | lost latents   | from the beginning                                      | no attempt is left                            |
//! | refused        | never                                                   | at once                                       |
//! | withdrawn      | never                                                   | at once                                       |
//!
//! Whatever it is, a job is tried as often as [`ATTEMPTS_MAX`] says and no more. Before it ends because of its model, it falls back to the other
//! one where its request allows that; the last attempt is kept for it.

use super::{ATTEMPTS_MAX, Decision, Device, FailedAttempt, FailureClass, RetryPlace, pause_ms};
use crate::{JobId, WorkerId};

/// So many workers may be lost over a job.
pub const WORKERS_LOST_MAX: usize = 3;

/// Another worker that takes jobs of the same stage and model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OtherWorker {
    pub worker: WorkerId,
    pub device: Device,
}

/// What is known where an attempt fails, beside the state of its job.
#[derive(Debug, Clone, Copy)]
pub struct Setting<'a> {
    pub job: JobId,
    /// On which it failed.
    pub device: &'a Device,
    /// What failed before, the newest last.
    pub past: &'a [FailedAttempt],
    pub others: &'a [OtherWorker],
    /// Whether the request allows another model, which is on offer and has not made it yet.
    pub allows_fallback: bool,
}

/// The attempt that has just failed.
#[derive(Debug, Clone, Copy)]
pub struct Attempt<'a> {
    /// Begun so far, this one included.
    pub attempts: u32,
    pub worker: WorkerId,
    /// Nothing ran beside it.
    pub was_alone: bool,
    pub setting: &'a Setting<'a>,
}

/// What follows when `attempt` has failed of `class`.
#[must_use]
pub fn decide(class: FailureClass, attempt: &Attempt) -> Decision {
    let place = match class {
        FailureClass::Network => return Decision::GiveBack,
        FailureClass::Refused | FailureClass::Withdrawn => None,
        FailureClass::LostLatents => Some(RetryPlace::Anywhere),
        FailureClass::DeviceMemory => attempt.with_more_memory(),
        FailureClass::Timeout | FailureClass::Poison => attempt.with_another_worker(),
        FailureClass::BrokenWeights => attempt.with_other_weights(),
        FailureClass::Bug => attempt.with_a_second_worker(),
    };
    let pause_ms = pause_ms(attempt.setting.job, attempt.attempts);
    let falls_back = attempt.setting.allows_fallback && may_pass_with_another_model(class);
    match place {
        _ if attempt.attempts >= ATTEMPTS_MAX => Decision::Fail,
        Some(place) if !falls_back || attempt.attempts + 1 < ATTEMPTS_MAX => Decision::Retry { pause_ms, place },
        _ if falls_back => Decision::FallBack { pause_ms },
        _ => Decision::Fail,
    }
}

/// Whether it may be the model's fault.
const fn may_pass_with_another_model(class: FailureClass) -> bool {
    match class {
        FailureClass::DeviceMemory
        | FailureClass::BrokenWeights
        | FailureClass::Bug
        | FailureClass::Timeout
        | FailureClass::Poison
        | FailureClass::Withdrawn => true,
        FailureClass::Network | FailureClass::LostLatents | FailureClass::Refused => false,
    }
}

impl Attempt<'_> {
    /// What failed before of this class, with the model that makes it now.
    fn past(&self, class: FailureClass) -> impl Iterator<Item = &FailedAttempt> {
        let past = self.setting.past;
        let since = past.iter().rposition(|attempt| matches!(attempt.decision, Decision::FallBack { .. })).map_or(0, |last| last + 1);
        past[since..].iter().filter(move |attempt| attempt.class == class)
    }

    fn elsewhere(&self) -> RetryPlace {
        if self.setting.others.is_empty() { RetryPlace::Anywhere } else { RetryPlace::Elsewhere }
    }

    fn with_more_memory(&self) -> Option<RetryPlace> {
        let too_small = || self.past(FailureClass::DeviceMemory).map(|attempt| &attempt.device).chain([self.setting.device]);
        let is_larger = |other: &OtherWorker| too_small().all(|device| may_be_larger(&other.device, device));
        match self.setting.others.iter().any(is_larger) {
            true => Some(RetryPlace::LargerDevice),
            false => (!self.was_alone).then_some(RetryPlace::Alone),
        }
    }

    fn with_another_worker(&self) -> Option<RetryPlace> {
        let lost = self.setting.past.iter().filter(|attempt| attempt.class.loses_worker()).count() + 1;
        (lost < WORKERS_LOST_MAX).then(|| self.elsewhere())
    }

    fn with_other_weights(&self) -> Option<RetryPlace> {
        let is_broken = |other: &OtherWorker| self.past(FailureClass::BrokenWeights).any(|attempt| attempt.worker == other.worker);
        self.setting.others.iter().any(|other| !is_broken(other)).then_some(RetryPlace::Elsewhere)
    }

    fn with_a_second_worker(&self) -> Option<RetryPlace> {
        let mut before = self.past(FailureClass::Bug).peekable();
        let has_failed_the_only_one = before.peek().is_some() && self.setting.others.is_empty();
        let has_failed_two = before.any(|attempt| attempt.worker != self.worker);
        (!has_failed_two && !has_failed_the_only_one).then(|| self.elsewhere())
    }
}

/// Where one of them does not say how much memory it has, a device of another kind may have more.
fn may_be_larger(device: &Device, than: &Device) -> bool {
    match (device.memory_bytes, than.memory_bytes) {
        (Some(bytes), Some(than)) => bytes > than,
        _ => device.kind != than.kind,
    }
}

#[cfg(test)]
mod tests;
