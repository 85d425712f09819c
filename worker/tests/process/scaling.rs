//! Workers that are started when there is enough to do, and drained when there is not.

use crate::plant::{Plant, eventually};
use domain::Status;
use service::scaling::{LocalProcesses, ScalingOptions};
use std::{fs, os::unix::fs::PermissionsExt, sync::Arc, time::Duration};
use store::on_both_engines;

const BURST: u64 = 40;

/// A program that starts a worker of the plant, and takes it with it when these tests are killed.
fn worker_program(plant: &Plant) -> std::path::PathBuf {
    let program = plant.data.path().join("worker");
    let worker = env!("CARGO_BIN_EXE_reelmill-worker");
    fs::write(&program, format!("#!/bin/sh\nexec setpriv --pdeathsig KILL {worker} --grace-ms 1000\n")).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o700)).unwrap();
    program
}

fn options() -> ScalingOptions {
    let (workers_min, workers_max, workers_headroom, workers_idle) = (1, 2, 0, 6);
    ScalingOptions { workers_min, workers_max, workers_headroom, workers_idle, workers_device: "cpu".into(), workers_command: None }
}

on_both_engines! {
    /// Two servers, one of which decides.
    async fn a_burst_takes_the_workers_from_one_to_two_and_back(database: TempDatabase) {
        let plant = Plant::new(database).await;
        let environment = plant.environment();
        let program = worker_program(&plant);
        let servers: Vec<_> = (0..2).map(|_| {
            let provisioner = LocalProcesses { program: program.clone(), environment: environment.clone() };
            let services = plant.services.clone().with_scaling(&options(), Arc::new(provisioner));
            tokio::spawn(service::reconcile(services))
        }).collect();
        let workers = async |count: usize| plant.alive().await == 2 * count;
        eventually("the worker that is always there", || async { workers(1).await.then_some(()) }).await;
        let mut jobs = Vec::new();
        for n in 0..BURST {
            jobs.push(plant.submit("a burst", n, 100).await);
        }
        eventually("a second worker", || async { workers(2).await.then_some(()) }).await;
        for id in &jobs {
            eventually("a video is made", || async {
                let made = plant.services.job(plant.user.actor(), *id).await.unwrap().unwrap();
                (made.status == Status::Completed).then_some(())
            }).await;
        }
        eventually("one worker again", || async { workers(1).await.then_some(()) }).await;
        tokio::time::sleep(Duration::from_secs(3)).await;
        assert!(workers(1).await, "and no fewer");
        let decisions = plant.services.store.scaling().decisions(50).await.unwrap();
        let (started, drained) = decisions.iter().fold((0, 0), |(started, drained), decision| (started + decision.started, drained + decision.drained));
        assert_eq!((started, drained), (2, 1), "{decisions:#?}");
        assert!(decisions.iter().all(|decision| !decision.reason.is_empty()));
        for id in &jobs {
            assert_eq!(plant.job(*id).await.lifecycle.attempts, 1, "nothing was interrupted");
        }
        servers.iter().for_each(tokio::task::JoinHandle::abort);
    }
}
