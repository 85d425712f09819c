//! The lifecycle of a job: its states, and the only ways from one to the next.
//!
//! A claim hands out a lease with an **epoch**, the fencing token. Whatever a worker reports names its
//! epoch; once another worker has claimed the job, the older epoch is refused. Attempts are counted when
//! a lease is taken, not when it is given back, so a job that kills its worker cannot be tried for ever.

use super::{
    Avoided, Failure, FailureCode, Stage,
    limits::{ATTEMPTS_MAX, LEASE_AHEAD_MAX_MS, PAUSE_MAX_MS, pause_ms},
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

    /// `None`: the job is not tried again.
    const fn avoided_for(&self, worker: WorkerId) -> Option<Avoided> {
        if let Self::Retrying { not_before, .. } = self { Some(Avoided { worker, from: *not_before }) } else { None }
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
    /// its worker takes no other with it twice.
    pub suspect: bool,
    pub avoid: Option<Avoided>,
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
        Self { state: JobState::Ready, epoch: 0, attempts: 0, suspect: false, avoid: None }
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
        Ok(Self { state: JobState::Sampled, suspect: false, avoid: None, ..self })
    }

    /// Decoder has stored the files.
    ///
    /// # Errors
    /// As [`Self::hand_over`].
    pub fn succeed(self, epoch: u32) -> Moved {
        self.check("finish", Some(Stage::Decoding), epoch)?;
        Ok(Self { state: JobState::Succeeded, ..self })
    }

    /// The holder reports that it could not do it: tried again after a pause, or failed for good.
    ///
    /// # Errors
    /// As [`Self::hand_over`].
    pub fn report_failure(self, epoch: u32, failure: Failure, retry: bool, now: Timestamp) -> Moved {
        let Held { stage, worker } = self.check("fail", None, epoch)?;
        let state = if retry { self.again_or(stage, failure, now) } else { JobState::Failed(failure) };
        Ok(Self { avoid: state.avoided_for(worker), state, ..self })
    }

    /// The decoder finds no latents, or others than were stored: they are made again, if an attempt is left.
    ///
    /// # Errors
    /// As [`Self::hand_over`].
    pub fn lose_latents(self, epoch: u32, now: Timestamp) -> Moved {
        self.check("lose the latents of", Some(Stage::Decoding), epoch)?;
        let state = self.again_or(Stage::Sampling, Failure::new(FailureCode::StorageError), now);
        Ok(Self { state, avoid: None, ..self })
    }

    /// The lease ran out: its holder is presumed dead and the job suspected of having killed it. Others go
    /// first for a moment, so that a few such jobs do not hold up all.
    ///
    /// # Errors
    /// [`TransitionError::NotFrom`] when nobody holds the job or the lease is still good.
    pub fn expire_lease(self, now: Timestamp) -> Moved {
        match self.state.lease() {
            Some((_, lease)) if lease.expires_at.has_come(now, LEASE_AHEAD_MAX_MS) => {
                let epoch = self.epoch;
                self.lose_worker(epoch, now)
            }
            _ => Err(TransitionError::NotFrom { from: self.state.name(), event: "expire the lease of" }),
        }
    }

    /// The holder is lost over the job: it is presumed dead, or ends itself because its device does not come back
    /// from a call for this job.
    ///
    /// # Errors
    /// As [`Self::hand_over`].
    pub fn lose_worker(self, epoch: u32, now: Timestamp) -> Moved {
        let Held { stage, worker } = self.check("lose the worker of", None, epoch)?;
        let state = self.again_or(stage, Failure::new(FailureCode::WorkerLost), now);
        Ok(Self { avoid: state.avoided_for(worker), state, suspect: true, ..self })
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
        Ok(Self { state: JobState::Cancelled, ..self })
    }

    /// No worker will come for it: its model is not on offer any more.
    ///
    /// # Errors
    /// [`TransitionError::NotFrom`] unless the job waits. Whoever holds it has the model.
    pub fn withdraw(self) -> Moved {
        match self.state {
            JobState::Throttled | JobState::Ready | JobState::Sampled | JobState::Retrying { .. } => {
                Ok(Self { state: JobState::Failed(Failure::new(FailureCode::ModelWithdrawn)), ..self })
            }
            from => Err(TransitionError::NotFrom { from: from.name(), event: "withdraw" }),
        }
    }

    /// Another try of `stage` after a pause, or `failure` when none is left.
    fn again_or(&self, stage: Stage, failure: Failure, now: Timestamp) -> JobState {
        if self.attempts < ATTEMPTS_MAX {
            JobState::Retrying { stage, not_before: now.plus_ms(pause_ms(self.attempts)) }
        } else {
            JobState::Failed(failure)
        }
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
mod tests {
    use super::*;
    use proptest::prelude::*;
    use uuid::Uuid;

    const NOW: Timestamp = Timestamp::from_ms(1_000_000);

    fn lease() -> Lease {
        Lease { worker: WorkerId::from_uuid(Uuid::from_u128(1)), expires_at: NOW.plus_ms(10_000) }
    }

    fn claimed(job: Lifecycle, stage: Stage) -> Lifecycle {
        job.claim(stage, lease(), NOW.plus_ms(100_000)).unwrap()
    }

    fn lost(job: Lifecycle) -> Lifecycle {
        job.expire_lease(NOW.plus_ms(10_000)).unwrap()
    }

    #[test]
    fn a_job_of_a_model_that_is_not_on_offer_any_more_fails_unless_somebody_has_it() {
        let running = claimed(Lifecycle::submitted(), Stage::Sampling);
        assert!(running.clone().withdraw().is_err());
        let waiting =
            [Lifecycle::throttled(), Lifecycle::submitted(), running.clone().hand_over(1).unwrap(), running.give_back(1, NOW).unwrap()];
        for job in waiting {
            let ended = job.withdraw().unwrap();
            assert_eq!(ended.state, JobState::Failed(Failure::new(FailureCode::ModelWithdrawn)));
            assert!(ended.withdraw().is_err());
        }
    }

    #[test]
    fn a_throttled_job_is_claimed_when_it_has_been_released_and_once() {
        let job = Lifecycle::throttled();
        assert!(job.clone().claim(Stage::Sampling, lease(), NOW).is_err());
        assert_eq!(job.clone().cancel().unwrap().state, JobState::Cancelled);
        let released = job.release().unwrap();
        assert_eq!(released, Lifecycle::submitted());
        assert!(released.release().is_err());
    }

    #[test]
    fn an_undisturbed_job_is_one_attempt_in_two_leases() {
        let job = claimed(Lifecycle::submitted(), Stage::Sampling).hand_over(1).unwrap();
        let job = claimed(job, Stage::Decoding).succeed(2).unwrap();
        assert_eq!((job.state, job.epoch, job.attempts), (JobState::Succeeded, 2, 1));
    }

    #[test]
    fn a_worker_lost_in_either_stage_costs_one_attempt_and_resumes_there() {
        let job = lost(claimed(Lifecycle::submitted(), Stage::Sampling));
        assert_eq!((job.state.name(), job.attempts, job.suspect), ("retry_sampling", 1, true));
        let job = claimed(job, Stage::Sampling).hand_over(2).unwrap();
        assert_eq!((job.attempts, job.suspect), (2, false));
        let job = lost(claimed(job, Stage::Decoding));
        assert_eq!((job.state.name(), job.attempts), ("retry_decoding", 2));
    }

    #[test]
    fn a_job_that_kills_every_worker_is_started_exactly_three_times() {
        let mut job = Lifecycle::submitted();
        for _ in 0..2 {
            job = lost(claimed(job, Stage::Sampling));
        }
        job = lost(claimed(job, Stage::Sampling));
        assert_eq!(job.state, JobState::Failed(Failure::new(FailureCode::WorkerLost)));
    }

    #[test]
    fn a_stale_epoch_is_refused_whatever_it_reports() {
        let job = claimed(lost(claimed(Lifecycle::submitted(), Stage::Sampling)), Stage::Sampling);
        let stale = TransitionError::StaleLease { given: 1, current: 2 };
        assert_eq!(job.clone().hand_over(1), Err(stale.clone()));
        assert_eq!(job.clone().give_back(1, NOW), Err(stale.clone()));
        assert_eq!(job.report_failure(1, Failure::new(FailureCode::EngineError), true, NOW), Err(stale));
    }

    #[test]
    fn a_lease_cannot_expire_early_nor_a_retry_start_early() {
        let job = claimed(Lifecycle::submitted(), Stage::Sampling);
        assert!(job.clone().expire_lease(NOW).is_err());
        let job = job.report_failure(1, Failure::new(FailureCode::EngineError), true, NOW).unwrap();
        assert!(job.clone().claim(Stage::Sampling, lease(), NOW).is_err());
        assert!(job.claim(Stage::Sampling, lease(), NOW.plus_ms(1000)).is_ok());
    }

    #[test]
    fn lost_latents_are_made_again_while_an_attempt_is_left() {
        let mut job = Lifecycle::submitted();
        for attempt in 1..=3 {
            let (sampling, decoding) = (2 * attempt - 1, 2 * attempt);
            job = claimed(job, Stage::Sampling).hand_over(sampling).unwrap();
            job = claimed(job, Stage::Decoding).lose_latents(decoding, NOW).unwrap();
            assert_eq!(job.attempts, attempt);
        }
        assert_eq!(job.state, JobState::Failed(Failure::new(FailureCode::StorageError)));
    }

    #[test]
    fn a_retry_remembers_who_failed_it_until_its_stage_is_done() {
        let avoided = Some(Avoided { worker: lease().worker, from: NOW.plus_ms(1000) });
        let failure = || Failure::new(FailureCode::EngineError);
        let job = || claimed(Lifecycle::submitted(), Stage::Sampling);
        assert_eq!(job().lose_worker(1, NOW).unwrap().avoid, avoided);
        assert_eq!(job().give_back(1, NOW).unwrap().avoid, None, "nobody has failed it");
        let failed = job().report_failure(1, failure(), true, NOW).unwrap();
        assert_eq!(failed.avoid, avoided);
        let again = failed.claim(Stage::Sampling, lease(), NOW.plus_ms(1000)).unwrap();
        let given_back = again.clone().give_back(2, NOW.plus_ms(60_000)).unwrap();
        assert_eq!(given_back.avoid, avoided);
        assert_eq!(given_back.state, JobState::Retrying { stage: Stage::Sampling, not_before: NOW.plus_ms(1000) });
        let put_back = again.clone().give_back(2, NOW.plus_ms(-3_600_000)).unwrap();
        assert_eq!(put_back.avoid.map(|avoid| avoid.from), Some(NOW.plus_ms(-3_600_000)), "by a clock that was put back");
        assert_eq!(again.hand_over(2).unwrap().avoid, None);
    }

    #[test]
    fn a_job_that_hangs_its_worker_is_what_one_is_that_kills_it() {
        let held = claimed(Lifecycle::submitted(), Stage::Sampling);
        assert_eq!(held.clone().lose_worker(1, NOW.plus_ms(10_000)), held.clone().expire_lease(NOW.plus_ms(10_000)));
        assert!(held.clone().lose_worker(1, NOW).is_ok() && held.lose_worker(2, NOW).is_err());
    }

    #[test]
    fn giving_back_costs_no_attempt_and_a_cancelled_job_stays_cancelled() {
        let job = claimed(Lifecycle::submitted(), Stage::Sampling).give_back(1, NOW).unwrap();
        assert_eq!((job.state.name(), job.attempts, job.suspect), ("retry_sampling", 0, false));
        let job = claimed(job, Stage::Sampling).cancel().unwrap();
        assert!(job.clone().hand_over(2).is_err());
        assert!(job.cancel().is_err());
    }

    proptest! {
        #[test]
        fn whatever_happens_a_job_is_begun_at_most_three_times_and_ends_once(moves in prop::collection::vec(0_u8..8, 0..60)) {
            let (mut job, mut now, mut starts, mut given_back) = (Lifecycle::submitted(), NOW, 0_u32, 0_u32);
            for step in moves {
                now = now.plus_ms(20_000);
                let lease = Lease { worker: lease().worker, expires_at: now.plus_ms(10_000) };
                let (before, epoch) = (job.clone(), job.epoch);
                let moved = match step {
                    0 => job.claim(Stage::Sampling, lease, now),
                    1 => job.claim(Stage::Decoding, lease, now),
                    2 => job.hand_over(epoch),
                    3 => job.succeed(epoch),
                    4 => job.expire_lease(now),
                    5 => job.report_failure(epoch, Failure::new(FailureCode::EngineError), true, now),
                    6 => job.give_back(epoch, now),
                    _ => job.lose_latents(epoch, now),
                };
                prop_assert!(!(before.state.is_terminal() && moved.is_ok()));
                starts += u32::from(moved.as_ref().is_ok_and(|after| after.attempts > before.attempts));
                given_back += u32::from(step == 6 && moved.is_ok());
                job = moved.unwrap_or(before);
                prop_assert!(job.attempts <= ATTEMPTS_MAX);
                prop_assert!(starts <= ATTEMPTS_MAX + given_back);
            }
        }
    }
}
