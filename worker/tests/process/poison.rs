//! A job that ends the process it runs in: tried three times, and no harm to its neighbours.

use crate::plant::{Plant, eventually};
use domain::{FailureCode, JobState};
use std::cell::{Cell, RefCell};
use store::testing::TempDatabase;

/// Workers with these arguments, one after the other, until all jobs have ended.
async fn jobs_beside_a_poisonous_one(database: TempDatabase, arguments: &str) {
    let plant = Plant::new(database).await;
    let mut jobs = Vec::new();
    for (seed, prompt) in ["sea", "sky", "poison", "rain", "snow", "fire"].into_iter().enumerate() {
        jobs.push((prompt, plant.submit(prompt, seed as u64, 6).await));
    }
    let ids: Vec<_> = jobs.iter().map(|(_, job)| *job).collect();
    // A supervisor: whenever the worker has died, another is started.
    let (worker, deaths) = (RefCell::new(plant.start(arguments)), Cell::new(0));
    eventually("all jobs have ended", || async {
        if worker.borrow_mut().has_exited() {
            deaths.set(deaths.get() + 1);
            plant.expire(&ids).await;
            worker.replace(plant.start(arguments));
        }
        for (_, job) in &jobs {
            if !plant.job(*job).await.lifecycle.state.is_terminal() {
                return None;
            }
        }
        Some(())
    })
    .await;

    assert_eq!(deaths.get(), 3);
    for (prompt, job) in jobs {
        let job = plant.job(job).await;
        match job.lifecycle.state {
            JobState::Failed(failure) if prompt == "poison" => {
                assert_eq!((failure.code, job.lifecycle.attempts), (FailureCode::WorkerLost, 3));
            }
            JobState::Succeeded if prompt != "poison" => assert!(job.lifecycle.attempts <= 2, "{job:?}"),
            state => panic!("{prompt}: {state:?}"),
        }
    }
}

store::on_both_engines! {
    async fn a_job_that_aborts_its_sampler_fails_after_three_starts_and_its_neighbours_succeed(database: TempDatabase) {
        jobs_beside_a_poisonous_one(database, "--batch 3 --fault abort:sampling:poison").await;
    }

    async fn a_job_that_aborts_its_decoder_fails_after_three_starts_and_its_neighbours_succeed(database: TempDatabase) {
        jobs_beside_a_poisonous_one(database, "--batch 3 --fault abort:decoding:poison").await;
    }
}
