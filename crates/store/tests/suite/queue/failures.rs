//! An attempt fails: what is decided by the class of the failure is done, and is kept with the job.

use crate::{LEASE_MS, MODELS, World, worker};
use domain::{
    Clock, Failure, FailureCode, JobId, JobState, Stage, WorkerId,
    job::{AttemptFailure, Decision, FAILED_ATTEMPTS_KEPT, FailedAttempt, FailureClass, RetryPlace, pause_ms},
    scheduling::Suspects,
};
use store::{LeaseError, LeaseToken, Registration, WorkerRole, on_both_engines};

const GIB: u64 = 1 << 30;

impl World {
    /// A worker with a device of so many GiB.
    async fn registered(&self, gib: u64) -> WorkerId {
        let id = worker();
        let registration = Registration { memory_bytes: Some(gib * GIB), ..Registration::new(WorkerRole::All, "h100", MODELS) };
        self.store.workers().register(id, registration).await.unwrap();
        id
    }

    async fn claim_by(&self, me: WorkerId, suspects: Suspects) -> Option<LeaseToken> {
        let claimed = self.queue().claim(Stage::Sampling, me, MODELS, LEASE_MS, suspects).await.unwrap();
        claimed.map(|claimed| claimed.token)
    }

    /// Claims the only job and fails it; returns what was decided.
    async fn fail_by(&self, me: WorkerId, failure: impl Into<AttemptFailure>) -> &'static str {
        let token = self.claim_by(me, Suspects::Take).await.expect("the job is for this worker");
        self.queue().report_failure(&token, failure).await.unwrap();
        self.job(token.job).await.failed_attempts.last().unwrap().decision.as_str()
    }

    async fn failed_of(&self, job: JobId) -> Option<FailureCode> {
        if let JobState::Failed(failure) = self.job(job).await.lifecycle.state { Some(failure.code) } else { None }
    }
}

on_both_engines! {
    async fn a_bug_is_tried_again_by_another_worker_after_a_pause_and_then_ends_the_job(database: TempDatabase) {
        let world = World::new(database).await;
        let id = world.submit().await.id;
        let [first, second] = [world.registered(40).await, world.registered(40).await];
        assert_eq!(world.fail_by(first, FailureClass::Bug).await, "retry_elsewhere");
        let pause_ms = pause_ms(id, 1);
        world.dial.advance_ms(pause_ms - 1);
        assert_eq!(world.claim_by(second, Suspects::Take).await, None, "not before the pause is over");
        world.dial.advance_ms(1);
        assert_eq!(world.fail_by(second, FailureClass::Bug).await, "fail");
        assert_eq!(world.job(id).await.lifecycle.state, JobState::Failed(Failure::new(FailureCode::EngineError)));
    }

    async fn what_was_decided_is_kept_with_the_job(database: TempDatabase) {
        let world = World::new(database).await;
        let id = world.submit().await.id;
        let me = world.registered(40).await;
        world.fail_by(me, AttemptFailure::new(FailureClass::Bug, "CUDA_ERROR_ILLEGAL_ADDRESS")).await;
        let job = world.job(id).await;
        let kept = FailedAttempt {
            attempt: 1,
            stage: Stage::Sampling,
            worker: me,
            device: domain::job::Device { kind: "h100".into(), memory_bytes: Some(40 * GIB) },
            class: FailureClass::Bug,
            detail: "CUDA_ERROR_ILLEGAL_ADDRESS".into(),
            decision: Decision::Retry { pause_ms: pause_ms(id, 1), place: RetryPlace::Anywhere },
            failed_at: world.dial.now(),
        };
        assert_eq!(job.failed_attempts, std::slice::from_ref(&kept));
        let failures = world.store.operator().failures(domain::Timestamp::from_ms(0)).await.unwrap();
        assert_eq!((failures.jobs, failures.attempts), (0, vec![(id, kept)]), "the operator sees it before the job has ended");
        world.pass_pause();
        world.fail_by(me, FailureClass::Bug).await;
        let failures = world.store.operator().failures(domain::Timestamp::from_ms(0)).await.unwrap();
        assert_eq!(failures.attempts.iter().map(|(_, attempt)| attempt.decision.as_str()).collect::<Vec<_>>(), ["fail", "retry"]);
        world.store.tenant(world.tenant).jobs().delete(id).await.unwrap();
        world.queue().forget_deleted().await.unwrap();
        assert_eq!(world.texts("SELECT failed_attempts FROM jobs WHERE failed_attempts IS NOT NULL").await, [""; 0], "it goes with the job");
    }

    async fn who_wants_memory_goes_to_a_larger_device_and_no_smaller_one_takes_it(database: TempDatabase) {
        let world = World::new(database).await;
        let id = world.submit().await.id;
        let [small, middle, large] = [world.registered(24).await, world.registered(40).await, world.registered(80).await];
        assert_eq!(world.fail_by(middle, FailureClass::DeviceMemory).await, "retry_on_larger_device");
        world.pass_pause();
        for other in [small, middle] {
            assert_eq!(world.claim_by(other, Suspects::Take).await, None);
        }
        assert_eq!(world.claim_by(large, Suspects::LeaveOut).await, None, "nor a larger one that is busy");
        assert_eq!(world.fail_by(large, FailureClass::DeviceMemory).await, "fail");
        assert_eq!(world.failed_of(id).await, Some(FailureCode::OutOfMemory));
    }

    async fn who_wants_memory_runs_alone_on_a_device_of_the_same_size_first_and_not_on_the_same(database: TempDatabase) {
        let world = World::new(database).await;
        let id = world.submit().await.id;
        let [one, other] = [world.registered(40).await, world.registered(40).await];
        assert_eq!(world.fail_by(one, FailureClass::DeviceMemory).await, "retry_alone");
        world.pass_pause();
        assert_eq!(world.claim_by(one, Suspects::Take).await, None, "while the other is there");
        let token = world.claim_by(other, Suspects::Take).await.unwrap();
        assert_eq!((token.job, world.job(id).await.lifecycle.needs_memory), (id, Some(40 * GIB)));
        world.hand_over(&token).await;
        let job = world.job(id).await.lifecycle;
        assert_eq!((job.suspect, job.needs_memory), (false, None), "what the other stage needs is another question");
    }

    async fn weights_that_are_broken_everywhere_end_the_job(database: TempDatabase) {
        let world = World::new(database).await;
        let id = world.submit().await.id;
        let [one, other] = [world.registered(40).await, world.registered(40).await];
        assert_eq!(world.fail_by(one, FailureClass::BrokenWeights).await, "retry_elsewhere");
        world.pass_pause();
        assert_eq!(world.claim_by(one, Suspects::Take).await, None);
        assert_eq!(world.fail_by(other, FailureClass::BrokenWeights).await, "fail");
        assert_eq!((world.failed_of(id).await, world.job(id).await.lifecycle.attempts), (Some(FailureCode::EngineError), 2));
    }

    async fn outages_cost_no_attempt_however_many_there_are(database: TempDatabase) {
        let world = World::new(database).await;
        let id = world.submit().await.id;
        let me = world.registered(40).await;
        assert_eq!(world.fail_by(me, FailureClass::Bug).await, "retry");
        world.pass_pause();
        for _ in 0..2 * FAILED_ATTEMPTS_KEPT {
            assert_eq!(world.fail_by(me, FailureClass::Network).await, "give_back");
        }
        let job = world.job(id).await;
        assert_eq!((job.lifecycle.attempts, job.failed_attempts.len()), (1, FAILED_ATTEMPTS_KEPT));
        assert_eq!(job.failed_attempts[0].class, FailureClass::Bug, "it is not pushed out");
    }

    async fn three_workers_may_be_lost_over_a_job_whether_they_hang_or_vanish(database: TempDatabase) {
        let world = World::new(database).await;
        let id = world.submit().await.id;
        assert_eq!(world.fail_by(worker(), FailureClass::Timeout).await, "retry");
        world.pass_pause();
        world.claim(Stage::Sampling).await.unwrap();
        assert_eq!(world.lose_leases().await, 1);
        world.pass_pause();
        assert_eq!(world.fail_by(worker(), FailureClass::Timeout).await, "fail");
        let classes: Vec<_> = world.job(id).await.failed_attempts.iter().map(|attempt| attempt.class).collect();
        assert_eq!(classes, [FailureClass::Timeout, FailureClass::Poison, FailureClass::Timeout]);
        assert_eq!(world.failed_of(id).await, Some(FailureCode::WorkerLost));
    }

    async fn what_is_refused_ends_at_once_and_a_sampler_loses_no_latents(database: TempDatabase) {
        let world = World::new(database).await;
        let id = world.submit().await.id;
        let token = world.claim(Stage::Sampling).await.unwrap().token;
        let lost = world.queue().report_failure(&token, FailureClass::LostLatents).await;
        assert!(matches!(lost, Err(LeaseError::Lost { .. })), "{lost:?}");
        world.queue().report_failure(&token, AttemptFailure::refused(FailureCode::StorageError)).await.unwrap();
        assert_eq!(world.failed_of(id).await, Some(FailureCode::StorageError));
    }

    async fn a_list_that_cannot_be_read_keeps_no_job_from_its_worker(database: TempDatabase) {
        let world = World::new(database).await;
        let id = world.submit().await.id;
        world.sql("UPDATE jobs SET failed_attempts = '[{\"class\": \"from_the_future\"}]'").await;
        assert_eq!(world.job(id).await.failed_attempts, []);
        assert_eq!(world.fail_by(worker(), FailureClass::Bug).await, "retry");
    }
}
