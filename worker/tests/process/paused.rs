//! Workers that are stopped beyond their leases and come back: nothing that they still have in hand counts.

use crate::plant::{Plant, Worker, eventually};
use domain::{JobId, JobState, Stage, WorkerId};
use std::{collections::HashSet, time::Duration};
use tokio::time::Instant;

const OF_EACH_KIND: usize = 5;

/// Workers of one kind: how they are started, where they are held, and what they say when they come back too late.
struct Kind {
    arguments: &'static str,
    point: &'static str,
    last_words: &'static str,
}

/// These leave it to the database to tell them that a lease is lost.
const DECODERS: [Kind; 2] = [
    Kind { arguments: "--role decoder --lease-ms 600000 --fault trust,hold:decoded", point: "decoded", last_words: r#""write":"upload""# },
    Kind {
        arguments: "--role decoder --lease-ms 600000 --fault trust,hold:uploaded",
        point: "uploaded",
        last_words: r#""write":"result""#,
    },
];
/// Of these the last one looks at its own clock.
const SAMPLERS: [Kind; 2] = [
    Kind { arguments: "--role sampler --batch 1 --lease-ms 600000 --fault trust,hold:step:1", point: "step-1", last_words: r#""write":""# },
    Kind { arguments: "--role sampler --batch 1 --lease-ms 30000 --fault hold:step:1", point: "step-1", last_words: "not renewed in time" },
];

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
    for seed in 0..2 * OF_EACH_KIND as u64 {
        jobs.push(plant.submit(prompt, seed, 2).await);
    }
    jobs
}

/// Starts workers of each kind, and stops them all when each has one of the jobs in hand.
async fn caught(plant: &Plant, kinds: &'static [Kind], jobs: &[JobId], stage: Stage) -> Vec<(Worker, &'static Kind)> {
    let mut workers = Vec::new();
    for kind in kinds {
        workers.extend(plant.start_many(OF_EACH_KIND, kind.arguments).await.into_iter().map(|worker| (worker, kind)));
    }
    for (worker, kind) in &workers {
        plant.until_held(worker, kind.point).await;
    }
    eventually("each worker has a job in hand", || async { all_held(plant, jobs, stage).await.then_some(()) }).await;
    for (worker, _) in &workers {
        stop(plant, worker).await;
    }
    plant.expire(jobs).await;
    workers
}

/// Stops a worker, but not inside a transaction: SQLite's one write lock would be stopped with it.
async fn stop(plant: &Plant, worker: &Worker) {
    worker.signal("STOP");
    while !plant.can_be_written().await {
        worker.signal("CONT");
        worker.signal("STOP");
    }
}

store::on_both_engines! {
    async fn twenty_workers_that_return_from_a_pause_are_refused_and_carry_on(database: TempDatabase) {
        let plant = Plant::new(database).await;
        let sampler = plant.start("--role sampler");
        let mut jobs = submit(&plant, "the sea").await;
        for job in &jobs {
            plant.until(*job, "the job is sampled", |job| job.lifecycle.state == JobState::Sampled).await;
        }
        drop(sampler);
        let mut workers = caught(&plant, &DECODERS, &jobs, Stage::Decoding).await;
        let sampled = submit(&plant, "the sky").await;
        workers.extend(caught(&plant, &SAMPLERS, &sampled, Stage::Sampling).await);
        let stopped = Instant::now();
        jobs.extend(sampled);

        let finishers = plant.start_many(2, "--role sampler").await;
        let finishing_decoders = plant.start_many(2, "--role decoder").await;
        let mut before = Vec::new();
        for job in &jobs {
            let done = plant.until_succeeded(*job).await;
            assert!(done.lifecycle.attempts >= 2, "{done:?}");
            before.push((done.lifecycle, done.revision, plant.files(*job).await));
        }
        drop((finishers, finishing_decoders));

        // So long that the workers that look at their own clock see it.
        tokio::time::sleep_until(stopped + Duration::from_secs(31)).await;
        for (worker, _) in &workers {
            plant.let_go(worker);
            worker.signal("CONT");
        }
        for (worker, kind) in &workers {
            let refused = || async { worker.has_said(kind.last_words).then_some(()) };
            eventually(&format!("`{}` says {}", kind.arguments, kind.last_words), refused).await;
        }
        for job in submit(&plant, "new work").await {
            plant.until_succeeded(job).await;
        }
        for (job, before) in jobs.iter().zip(before) {
            let now = plant.job(*job).await;
            assert_eq!(now.lifecycle.state, JobState::Succeeded);
            assert_eq!((now.lifecycle, now.revision, plant.files(*job).await), before);
        }
        assert!(!workers.iter_mut().any(|(worker, _)| worker.has_exited()), "the workers carry on");
    }
}
