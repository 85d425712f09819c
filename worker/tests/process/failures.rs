//! An attempt fails for want of memory or of good weights: it is tried where that may be otherwise, or not at all.

use crate::{plant::Plant, small_model};
use domain::{
    Actor, FailureCode, JobRequest, JobState,
    job::{FailedAttempt, FailureClass},
};
use service::Submission;
use store::{ArtifactKind, Job};

/// What failed, and what was decided.
fn failed(job: &Job) -> Vec<(FailureClass, &'static str, Option<u64>)> {
    let told = |attempt: &FailedAttempt| (attempt.class, attempt.decision.as_str(), attempt.device.memory_bytes);
    job.failed_attempts.iter().map(told).collect()
}

/// A worker with a job in hand, so that the next one is another's, and one that fails what it takes; the job that it failed is made by the first.
async fn failed_by_one_and_made_by_another(database: store::testing::TempDatabase, fault: &str) -> Job {
    let plant = Plant::new(database).await;
    let healthy = plant.start_many(1, "--batch 1 --device-memory 2000 --fault hold:step:1").await.remove(0);
    let before = plant.submit("sea", 9, 2).await;
    plant.until_held(&healthy, "step-1").await;
    let _failing = plant.start_many(1, &format!("--batch 1 --device-memory 1000 --fault {fault}:sampling:sky")).await;
    let job = plant.submit("sky", 1, 2).await;
    plant.until(job, "an attempt has failed", |job| !job.failed_attempts.is_empty()).await;
    plant.let_go(&healthy);
    plant.until_succeeded(before).await;
    plant.until_succeeded(job).await
}

store::on_both_engines! {
    async fn a_job_that_wants_memory_is_made_on_the_larger_device(database: TempDatabase) {
        let done = failed_by_one_and_made_by_another(database, "memory").await;
        assert_eq!(failed(&done), [(FailureClass::DeviceMemory, "retry_on_larger_device", Some(1000))]);
        assert_eq!(done.lifecycle.attempts, 2);
    }

    async fn a_job_that_meets_broken_weights_is_made_by_another_worker(database: TempDatabase) {
        let done = failed_by_one_and_made_by_another(database, "weights").await;
        assert_eq!(failed(&done), [(FailureClass::BrokenWeights, "retry_elsewhere", Some(1000))]);
        assert!(done.failed_attempts[0].detail.contains("broken, as this fault was asked for"), "{done:?}");
    }

    async fn what_its_own_model_cannot_make_is_made_by_the_other_that_its_request_allows(database: TempDatabase) {
        let plant = Plant::new(database).await;
        plant.services.offer_models(Actor::System, small_model::three()).await.unwrap();
        let of_one = |id: &str| {
            let models = tempfile::tempdir().unwrap();
            std::os::unix::fs::symlink(small_model::three().join(id), models.path().join(id)).unwrap();
            models
        };
        let (first, other) = (of_one("tiny-a"), of_one("tiny-b"));
        let arguments = |models: &tempfile::TempDir, fault: &str| format!("--models {} {fault}", models.path().display());
        let _failing = plant.start_many(1, &arguments(&first, "--fault weights:sampling:pebble")).await;
        let request = JobRequest { prompt: "a pebble".into(), model: Some("tiny-a".into()), ..JobRequest::default() };
        let job = plant.ask_with(Submission { request, fallback_model: Some("tiny-b".into()), ..Submission::default() }).await;
        let waits = plant.until(job, "the other model is to make it", |job| job.requested_model.is_some()).await;
        assert_eq!((failed(&waits), waits.spec.model.as_str()), (vec![(FailureClass::BrokenWeights, "fall_back", None)], "tiny-b"));
        let _other = plant.start_many(1, &arguments(&other, "")).await;
        let made = plant.until_succeeded(job).await;
        assert_eq!((made.lifecycle.attempts, made.requested_model.as_deref()), (2, Some("tiny-a")));
        assert_eq!(made.charge.charged, Some(made.quote.billed));
        assert_eq!(plant.files(job).await[0].kind, ArtifactKind::Image);
    }

    async fn a_lone_worker_tries_alone_what_wants_memory_and_not_what_meets_broken_weights(database: TempDatabase) {
        let plant = Plant::new(database).await;
        let _worker = plant.start_many(1, "--fault memory:sampling:sea,weights:sampling:sky").await;
        let (sea, sky) = (plant.submit("sea", 1, 2).await, plant.submit("sky", 2, 2).await);
        let ended = async |job| plant.until(job, "the job has ended", |job| job.lifecycle.state.is_terminal()).await;
        let (sea, sky) = (ended(sea).await, ended(sky).await);
        assert_eq!(failed(&sea), [(FailureClass::DeviceMemory, "retry_alone", None), (FailureClass::DeviceMemory, "fail", None)]);
        assert_eq!(failed(&sky), [(FailureClass::BrokenWeights, "fail", None)]);
        let codes = [sea, sky].map(|job| if let JobState::Failed(failure) = job.lifecycle.state { Some(failure.code) } else { None });
        assert_eq!(codes, [Some(FailureCode::OutOfMemory), Some(FailureCode::EngineError)]);
    }
}
