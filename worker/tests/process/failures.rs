//! An attempt fails for want of memory or of good weights: it is tried where that may be otherwise, or not at all.

use crate::plant::Plant;
use domain::{
    FailureCode, JobState,
    job::{FailedAttempt, FailureClass},
};
use store::Job;

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
