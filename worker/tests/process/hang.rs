//! A device that does not come back from a call, or fails one after the other.

use crate::plant::{Plant, eventually};
use domain::{JobState, Stage};
use std::os::unix::process::ExitStatusExt;

/// Short, so that a hang is found soon; calls that come back take a thousandth of it.
const TIMEOUT: &str = "--device-timeout-ms 8000";
const SIGABRT: i32 = 6;

store::on_both_engines! {
    async fn a_job_that_hangs_its_sampler_is_done_by_another_and_its_neighbours_lose_nothing(database: TempDatabase) {
        let plant = Plant::new(database).await;
        // Held before it hangs, until two more jobs are claimed.
        let mut hangs = plant.start(&format!("{TIMEOUT} --batch 3 --fault hold:step:0,hang:sampling:stuck"));
        let stuck = plant.submit("stuck", 1, 4).await;
        plant.until_held(&hangs, "step-0").await;
        let neighbours = [plant.submit("sea", 2, 4).await, plant.submit("sky", 3, 4).await];
        for job in neighbours {
            plant.until_sampling(job, 0).await;
        }
        plant.let_go(&hangs);
        let status = hangs.exited().await;
        assert_eq!(status.signal(), Some(SIGABRT), "{status:?}");
        assert_eq!(plant.alive().await, 0, "it does not count as a worker any more");
        for job in neighbours {
            let lifecycle = plant.job(job).await.lifecycle;
            assert_eq!((lifecycle.attempts, lifecycle.suspect), (0, false), "given back");
        }
        let lifecycle = plant.job(stuck).await.lifecycle;
        assert!(matches!(lifecycle.state, JobState::Retrying { stage: Stage::Sampling, .. }) && lifecycle.suspect, "{lifecycle:?}");

        let _healthy = plant.start("");
        assert_eq!(plant.until_succeeded(stuck).await.lifecycle.attempts, 2);
        for job in neighbours {
            assert_eq!(plant.until_succeeded(job).await.lifecycle.attempts, 1);
        }
    }

    async fn a_job_that_hangs_its_decoder_is_decoded_by_another(database: TempDatabase) {
        let plant = Plant::new(database).await;
        let mut hangs = plant.start(&format!("{TIMEOUT} --fault hang:decoding:stuck"));
        let stuck = plant.submit("stuck", 1, 4).await;
        assert_eq!(hangs.exited().await.signal(), Some(SIGABRT));
        let sampled = plant.job(stuck).await;
        assert!(matches!(sampled.lifecycle.state, JobState::Retrying { stage: Stage::Decoding, .. }), "{sampled:?}");
        let _healthy = plant.start("");
        let done = plant.until_succeeded(stuck).await;
        assert_eq!((done.lifecycle.attempts, done.sampling_ms), (2, sampled.sampling_ms));
    }

    async fn a_slot_whose_thread_hangs_swallows_no_other_job_and_nobody_is_ready(database: TempDatabase) {
        let plant = Plant::new(database).await;
        let mut hangs = plant.start("--device-timeout-ms 30000 --batch 1 --role sampler --fault hold:step:0,hang:sampling:stuck");
        let stuck = plant.submit("stuck", 1, 4).await;
        plant.until_held(&hangs, "step-0").await;
        plant.services.cancel(plant.user.actor(), stuck).await.unwrap();
        let next = plant.submit("sea", 2, 4).await;
        plant.let_go(&hangs);
        eventually("the worker does not count as one that works", || async { (plant.alive().await == 0).then_some(()) }).await;
        assert_eq!(hangs.exited().await.signal(), Some(SIGABRT));
        assert_eq!(plant.job(next).await.lifecycle.epoch, 0, "it was not claimed");
        let _healthy = plant.start("");
        assert_eq!(plant.until_succeeded(next).await.lifecycle.attempts, 1);
    }

    async fn a_device_that_only_fails_ends_and_its_jobs_are_done_elsewhere(database: TempDatabase) {
        let plant = Plant::new(database).await;
        let mut jobs = Vec::new();
        // It has a job in hand, so that the other one gets those that come.
        let healthy = plant.start_many(1, "--batch 1 --fault hold:step:1").await.remove(0);
        jobs.push(plant.submit("sea", 9, 2).await);
        plant.until_held(&healthy, "step-1").await;
        let mut failing = plant.start_many(1, "--batch 1 --fault fail:sampling:").await.remove(0);
        for seed in 0..6 {
            jobs.push(plant.submit("sky", seed, 2).await);
        }
        let status = failing.exited().await;
        assert_eq!(status.code(), Some(1), "{status:?}");
        assert!(failing.has_said("the device failed job after job"));
        plant.let_go(&healthy);
        for job in jobs {
            let done = plant.until_succeeded(job).await;
            assert!(done.lifecycle.attempts <= 2, "{done:?}");
        }
    }
}
