//! The lifecycle of a job: its states, and the only ways from one to the next.
//!
//! A claim hands out a lease with an **epoch**, the fencing token. Whatever a worker reports names its
//! epoch; once another worker has claimed the job, the older epoch is refused. Attempts are counted when
//! a lease is taken, not when it is given back, so a job that kills its worker cannot be tried for ever.

use super::{
    ATTEMPTS_MAX, Attempt, AttemptFailure, Avoided, Decision, Failure, FailureClass, FailureCode, RetryPlace, Setting, Stage, decide,
    limits::{LEASE_AHEAD_MAX_MS, PAUSE_MAX_MS},
};
use crate::{Timestamp, WorkerId};

/// The right to work on a job until `expires_at`, unless renewed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lease {
    pub worker: WorkerId,
    pub expires_at: Timestamp,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JobState {
    /// Admitted and priced; not in the queue yet, by the limits of its tenant's plan.
    Throttled,
    /// In the queue; any sampler may claim it.
    Ready,
    Sampling(Lease),
    /// Latents are stored; any decoder may claim it.
    Sampled,
    Decoding(Lease),
    /// An attempt was lost; the named stage may be claimed again from `not_before` on.
    Retrying {
        stage: Stage,
        not_before: Timestamp,
    },
    Succeeded,
    Failed(Failure),
    Cancelled,
}

impl JobState {
    /// The name under which the state is stored; a waiting retry says which stage it waits for.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Throttled => "throttled",
            Self::Ready => "ready",
            Self::Sampling(_) => "sampling",
            Self::Sampled => "sampled",
            Self::Decoding(_) => "decoding",
            Self::Retrying { stage: Stage::Sampling, .. } => "retry_sampling",
            Self::Retrying { stage: Stage::Decoding, .. } => "retry_decoding",
            Self::Succeeded => "succeeded",
            Self::Failed(_) => "failed",
            Self::Cancelled => "cancelled",
        }
    }

    #[must_use]
    pub const fn is_terminal(&self) -> bool {
        matches!(self, Self::Succeeded | Self::Failed(_) | Self::Cancelled)
    }

    #[must_use]
    pub const fn lease(&self) -> Option<(Stage, &Lease)> {
        match self {
            Self::Sampling(lease) => Some((Stage::Sampling, lease)),
            Self::Decoding(lease) => Some((Stage::Decoding, lease)),
            _ => None,
        }
    }
}

/// A job's state with the three numbers that guard its moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lifecycle {
    pub state: JobState,
    /// Counts claims; the current lease's fencing token.
    pub epoch: u32,
    /// Runs begun. A decode that follows its own sampling belongs to the same attempt.
    pub attempts: u32,
    /// A worker vanished while it held this job: from now on it runs alone, so that a job which kills
    /// its worker takes no other with it twice. So does one for which a device had not enough memory.
    pub suspect: bool,
    pub avoid: Option<Avoided>,
    /// Devices that are known to have less memory are too small for it, in bytes.
    pub needs_memory: Option<u64>,
    /// The operator keeps it from being begun, and from being tried once more; its state stays what it is.
    pub quarantined: bool,
}

/// The move is not allowed from where the job stands.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TransitionError {
    #[error("the lease of epoch {given} is no longer valid: the job is at epoch {current}")]
    StaleLease { given: u32, current: u32 },
    #[error("cannot {event} a job that is {from}")]
    NotFrom { from: &'static str, event: &'static str },
}

type Moved = Result<Lifecycle, TransitionError>;

impl Lifecycle {
    #[must_use]
    pub const fn submitted() -> Self {
        Self { state: JobState::Ready, epoch: 0, attempts: 0, suspect: false, avoid: None, needs_memory: None, quarantined: false }
    }

    /// Admitted, but not to enter the queue yet.
    #[must_use]
    pub fn throttled() -> Self {
        Self { state: JobState::Throttled, ..Self::submitted() }
    }

    /// The limits of its tenant's plan let it enter the queue.
    ///
    /// # Errors
    /// [`TransitionError::NotFrom`] when it has entered already, or ended.
    pub fn release(self) -> Moved {
        match self.state {
            JobState::Throttled => Ok(Self { state: JobState::Ready, ..self }),
            from => Err(TransitionError::NotFrom { from: from.name(), event: "release" }),
        }
    }

    /// A worker takes the job: a new epoch, and a new attempt unless it goes on with fresh latents.
    ///
    /// # Errors
    /// [`TransitionError::NotFrom`] when `stage` is not the one the job waits for, or `now` is too early.
    pub fn claim(self, stage: Stage, lease: Lease, now: Timestamp) -> Moved {
        let counts = match &self.state {
            _ if self.quarantined => return Err(TransitionError::NotFrom { from: "quarantined", event: "claim" }),
            JobState::Ready if stage == Stage::Sampling => true,
            JobState::Sampled if stage == Stage::Decoding => false,
            JobState::Retrying { stage: waiting, not_before, .. } if *waiting == stage && not_before.has_come(now, PAUSE_MAX_MS) => true,
            from => return Err(TransitionError::NotFrom { from: from.name(), event: "claim" }),
        };
        let state = match stage {
            Stage::Sampling => JobState::Sampling(lease),
            Stage::Decoding => JobState::Decoding(lease),
        };
        Ok(Self { state, epoch: self.epoch + 1, attempts: self.attempts + u32::from(counts), ..self })
    }

    /// Sampler hands the latents over; the denoising device is free from here on.
    ///
    /// # Errors
    /// [`TransitionError::StaleLease`] when another worker has claimed the job since.
    pub fn hand_over(self, epoch: u32) -> Moved {
        self.check("hand over", Some(Stage::Sampling), epoch)?;
        Ok(Self { state: JobState::Sampled, suspect: false, avoid: None, needs_memory: None, ..self })
    }

    /// Decoder has stored the files.
    ///
    /// # Errors
    /// As [`Self::hand_over`].
    pub fn succeed(self, epoch: u32) -> Moved {
        self.check("finish", Some(Stage::Decoding), epoch)?;
        Ok(Self { state: JobState::Succeeded, ..self })
    }

    /// The attempt failed; [`decide`] says what follows.
    ///
    /// # Errors
    /// As [`Self::hand_over`].
    pub fn fail(
        self,
        epoch: u32,
        failure: &AttemptFailure,
        setting: &Setting,
        now: Timestamp,
    ) -> Result<(Self, Decision), TransitionError> {
        let loses_latents = failure.class == FailureClass::LostLatents;
        let Held { stage, worker } = self.check("fail", loses_latents.then_some(Stage::Decoding), epoch)?;
        let attempt = Attempt { attempts: self.attempts, worker, was_alone: self.suspect, setting };
        let decision = decide(failure.class, &attempt);
        let next = match decision {
            Decision::GiveBack => self.give_back(epoch, now)?,
            Decision::Retry { pause_ms, .. } if loses_latents => self.begin_again(now.plus_ms(pause_ms)),
            Decision::FallBack { pause_ms } => {
                // What kills workers may do so with either model.
                let suspect = failure.class.loses_worker() || setting.past.iter().any(|attempt| attempt.class.loses_worker());
                Self { suspect, needs_memory: None, ..self.begin_again(now.plus_ms(pause_ms)) }
            }
            Decision::Retry { pause_ms, place } => {
                let not_before = now.plus_ms(pause_ms);
                let suspect = self.suspect || failure.class.loses_worker() || matches!(place, RetryPlace::LargerDevice | RetryPlace::Alone);
                let needs_memory = self.needs_memory.max(place.needs_memory(setting.device));
                let avoid = Some(Avoided { worker, from: not_before });
                Self { state: JobState::Retrying { stage, not_before }, suspect, avoid, needs_memory, ..self }
            }
            Decision::Fail => Self { state: JobState::Failed(Failure::new(failure.code)), avoid: None, ..self },
        };
        Ok((next, decision))
    }

    /// Sampling is done anew.
    fn begin_again(self, not_before: Timestamp) -> Self {
        Self { state: JobState::Retrying { stage: Stage::Sampling, not_before }, avoid: None, ..self }
    }

    /// The lease ran out: its holder is presumed dead and the job suspected of having killed it. Others go
    /// first for a moment, so that a few such jobs do not hold up all.
    ///
    /// # Errors
    /// [`TransitionError::NotFrom`] when nobody holds the job or the lease is still good.
    pub fn expire_lease(self, failure: &AttemptFailure, setting: &Setting, now: Timestamp) -> Result<(Self, Decision), TransitionError> {
        match self.state.lease() {
            Some((_, lease)) if lease.expires_at.has_come(now, LEASE_AHEAD_MAX_MS) => {
                let epoch = self.epoch;
                self.fail(epoch, failure, setting, now)
            }
            _ => Err(TransitionError::NotFrom { from: self.state.name(), event: "expire the lease of" }),
        }
    }

    /// A worker that shuts down gives the job back unharmed; the attempt does not count.
    ///
    /// # Errors
    /// As [`Self::hand_over`].
    pub fn give_back(self, epoch: u32, now: Timestamp) -> Moved {
        let Held { stage, .. } = self.check("give back", None, epoch)?;
        let attempts = self.attempts.saturating_sub(1);
        // Whoever failed it before is left out for as long as if nobody had taken it meanwhile.
        let not_before = self.avoid.map_or(now, |avoid| avoid.from.min(now));
        let avoid = self.avoid.map(|avoid| Avoided { from: not_before, ..avoid });
        Ok(Self { state: JobState::Retrying { stage, not_before }, attempts, avoid, ..self })
    }

    /// The owner does not want it any more; a worker that holds it notices at its next report.
    ///
    /// # Errors
    /// [`TransitionError::NotFrom`] when the job has already ended.
    pub fn cancel(self) -> Moved {
        if self.state.is_terminal() {
            return Err(TransitionError::NotFrom { from: self.state.name(), event: "cancel" });
        }
        Ok(Self { state: JobState::Cancelled, quarantined: false, ..self })
    }

    /// No worker will come for it: its model is not on offer any more.
    ///
    /// # Errors
    /// [`TransitionError::NotFrom`] unless the job waits. Whoever holds it has the model.
    pub fn withdraw(self) -> Moved {
        match self.state {
            JobState::Throttled | JobState::Ready | JobState::Sampled | JobState::Retrying { .. } => {
                Ok(Self { state: JobState::Failed(Failure::new(FailureCode::ModelWithdrawn)), quarantined: false, ..self })
            }
            from => Err(TransitionError::NotFrom { from: from.name(), event: "withdraw" }),
        }
    }

    /// No worker can load its model.
    ///
    /// # Errors
    /// [`TransitionError::NotFrom`] unless it waits for a worker. Whoever holds it has the model.
    pub fn find_no_model(self) -> Moved {
        match self.state {
            JobState::Ready | JobState::Sampled | JobState::Retrying { .. } => {
                Ok(Self { state: JobState::Failed(Failure::new(FailureClass::BrokenWeights.code())), avoid: None, ..self })
            }
            from => Err(TransitionError::NotFrom { from: from.name(), event: "find no model for" }),
        }
    }

    /// Its model is not on offer any more or cannot be loaded, and the other one that its request allows makes it, from the beginning.
    ///
    /// # Errors
    /// [`TransitionError::NotFrom`] unless it waits, and may be begun once more.
    pub fn fall_back(self) -> Moved {
        match self.state {
            JobState::Throttled => Ok(self),
            JobState::Ready | JobState::Sampled | JobState::Retrying { .. } if self.attempts < ATTEMPTS_MAX => {
                Ok(Self { state: JobState::Ready, avoid: None, needs_memory: None, ..self })
            }
            from => Err(TransitionError::NotFrom { from: from.name(), event: "make with another model" }),
        }
    }

    /// Its deadline has passed.
    ///
    /// # Errors
    /// [`TransitionError::NotFrom`] unless the job waits. Whoever holds it finishes it.
    pub fn miss_deadline(self) -> Moved {
        match self.state {
            JobState::Throttled | JobState::Ready | JobState::Sampled | JobState::Retrying { .. } => {
                Ok(Self { state: JobState::Failed(Failure::new(FailureCode::DeadlinePassed)), quarantined: false, ..self })
            }
            from => Err(TransitionError::NotFrom { from: from.name(), event: "miss the deadline of" }),
        }
    }

    /// The stage that may claim it. `None`: none may.
    #[must_use]
    pub const fn waits_for(&self) -> Option<Stage> {
        match self.state {
            _ if self.quarantined => None,
            JobState::Ready => Some(Stage::Sampling),
            JobState::Sampled => Some(Stage::Decoding),
            JobState::Retrying { stage, .. } => Some(stage),
            _ => None,
        }
    }

    /// The stage in whose line it can be moved to the front.
    ///
    /// # Errors
    /// [`TransitionError::NotFrom`] unless it waits there.
    pub const fn expedite(&self) -> Result<Stage, TransitionError> {
        match self.waits_for() {
            Some(stage) => Ok(stage),
            None => Err(self.refused("move to the front")),
        }
    }

    /// The operator has it tried once more after it has failed. What it had made is gone, and what failed before is known still.
    ///
    /// # Errors
    /// [`TransitionError::NotFrom`] unless it has failed, and is in no quarantine.
    pub fn requeue(self) -> Moved {
        match self.state {
            JobState::Failed(_) if !self.quarantined => Ok(Self { state: JobState::Ready, ..self }),
            _ => Err(self.refused("requeue")),
        }
    }

    /// The operator keeps it from being claimed.
    ///
    /// # Errors
    /// [`TransitionError::NotFrom`] unless it waits or has failed, and is in no quarantine yet.
    pub fn quarantine(self) -> Moved {
        match self.state {
            JobState::Throttled | JobState::Ready | JobState::Sampled | JobState::Retrying { .. } | JobState::Failed(_)
                if !self.quarantined =>
            {
                Ok(Self { quarantined: true, ..self })
            }
            _ => Err(self.refused("quarantine")),
        }
    }

    /// The quarantine ends: it is in the state that it was in.
    ///
    /// # Errors
    /// [`TransitionError::NotFrom`] when it is in none.
    pub fn lift(self) -> Moved {
        if self.quarantined { Ok(Self { quarantined: false, ..self }) } else { Err(self.refused("lift the quarantine of")) }
    }

    const fn refused(&self, event: &'static str) -> TransitionError {
        let from = if self.quarantined { "quarantined" } else { self.state.name() };
        TransitionError::NotFrom { from, event }
    }

    /// What is held under `epoch`, and by whom.
    fn check(&self, event: &'static str, wanted: Option<Stage>, epoch: u32) -> Result<Held, TransitionError> {
        match self.state.lease() {
            Some(_) if self.epoch != epoch => Err(TransitionError::StaleLease { given: epoch, current: self.epoch }),
            Some((stage, lease)) if wanted.is_none_or(|wanted| wanted == stage) => Ok(Held { stage, worker: lease.worker }),
            _ => Err(TransitionError::NotFrom { from: self.state.name(), event }),
        }
    }
}

/// A stage under a lease.
struct Held {
    stage: Stage,
    worker: WorkerId,
}

#[cfg(test)]
mod tests;
