//! Workers that are stopped beyond their leases and come back: nothing that they still have in hand counts.

use crate::plant::{Plant, Worker, eventually};
use domain::{JobId, JobState, Stage, WorkerId};
use std::collections::HashSet;

const OF_EACH_KIND: usize = 10;

/// Whether each of these jobs is held, in this stage, by a worker of its own.
async fn all_held(plant: &Plant, jobs: &[JobId], stage: Stage) -> bool {
    let mut holders: HashSet<WorkerId> = HashSet::new();
    for job in jobs {
        holders.extend(plant.job(*job).await.lifecycle.state.lease().filter(|(at, _)| *at == stage).map(|(_, lease)| lease.worker));
    }
    holders.len() == jobs.len()
}

async fn submit(plant: &Plant, prompt: &str) -> Vec<JobId> {
    let mut jobs = Vec::new();
    for seed in 0..OF_EACH_KIND as u64 {
        jobs.push(plant.submit(prompt, seed, 2).await);
    }
    jobs
}

/// Stops the workers, none of them inside a transaction: SQLite's one write lock would be stopped with it.
async fn stop(plant: &Plant, workers: &[Worker]) {
    for worker in workers {
        worker.signal("STOP");
        while !plant.can_be_written().await {
            worker.signal("CONT");
            worker.signal("STOP");
        }
    }
}

store::on_both_engines! {
    async fn twenty_workers_that_return_from_a_pause_change_nothing_and_carry_on(database: TempDatabase) {
        let plant = Plant::new(database).await;
        let sampler = plant.start("--role sampler");
        let mut jobs = submit(&plant, "the sea").await;
        for job in &jobs {
            plant.until(*job, "the job is sampled", |job| job.lifecycle.state == JobState::Sampled).await;
        }
        drop(sampler);
        let mut workers = plant.start_many(OF_EACH_KIND, "--role decoder --lease-ms 3000 --fault slow:5000").await;
        eventually("ten jobs are being decoded", || async { all_held(&plant, &jobs, Stage::Decoding).await.then_some(()) }).await;
        stop(&plant, &workers).await;

        let samplers = plant.start_many(OF_EACH_KIND, "--role sampler --batch 1 --lease-ms 3000 --fault slow:3000").await;
        let sampled = submit(&plant, "the sky").await;
        eventually("ten jobs are being sampled", || async { all_held(&plant, &sampled, Stage::Sampling).await.then_some(()) }).await;
        stop(&plant, &samplers).await;
        workers.extend(samplers);
        jobs.extend(sampled);

        let finishers = plant.start_many(2, "--role sampler --lease-ms 3000").await;
        let finishing_decoders = plant.start_many(2, "--role decoder --lease-ms 3000").await;
        let mut before = Vec::new();
        for job in &jobs {
            let done = plant.until_succeeded(*job).await;
            assert_eq!(done.lifecycle.attempts, 2, "{done:?}");
            before.push((done.lifecycle, done.revision, plant.files(*job).await));
        }
        drop((finishers, finishing_decoders));

        workers.iter().for_each(|worker| worker.signal("CONT"));
        for job in submit(&plant, "new work").await {
            plant.until_succeeded(job).await;
        }
        for (job, before) in jobs.iter().zip(before) {
            let now = plant.job(*job).await;
            assert_eq!(now.lifecycle.state, JobState::Succeeded);
            assert_eq!((now.lifecycle, now.revision, plant.files(*job).await), before);
        }
        assert!(!workers.iter_mut().any(Worker::has_exited), "the workers carry on");
    }
}
