//! apalis drives: a worker for each stage of this process's role, under one monitor.

use crate::{options::Options, work::job, work::station::Station};
use apalis::prelude::{Data, Monitor, WorkerBuilder};
use domain::Stage;
use std::{sync::Arc, time::Duration};
use store::clock::Instant;
use store::queue::{Slots, StageBackend, StageWork};
use tokio::task::JoinError;

const OVERTIME: Duration = Duration::from_secs(8);
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// Runs until no further job is taken and every claimed one has found its end.
///
/// The signal goes to the backends first: apalis stops listening to a backend at once, and a job that had
/// just been claimed for it would be left lying.
pub async fn run(options: &Options, station: &Arc<Station>) {
    let (slots, shutdown) = (&station.slots, &station.shutdown);
    let monitor = options.role.stages().iter().fold(Monitor::new(), |monitor, stage| {
        let (stage, station, slots, closing) = (*stage, Arc::clone(station), slots.clone(), shutdown.closing.clone());
        let lease_ms = i64::from(options.lease_ms);
        monitor.register(move |_restarts| {
            let store = station.services.store.clone();
            let metrics = Arc::clone(&station.services.metrics);
            let backend = StageBackend::new(store, stage, station.id, Vec::new(), lease_ms, slots.clone(), closing.clone())
                .with_live_models(station.residency.claimable())
                .with_errors_told(Arc::new(move |stage| metrics.note_claim_error(stage)));
            WorkerBuilder::new(worker_name(stage)).backend(backend).data(Arc::clone(&station)).build(handle)
        })
    });
    let monitor = monitor.should_restart(|worker, error| {
        tracing::error!(worker = worker.name(), %error, "an apalis worker ended; starting it again");
        true
    });
    // What is still computed by then is computed in tasks and threads of its own, and nobody waits for it.
    let monitor = monitor.with_terminator(std::future::ready(()));
    let ended = monitor.run_with_signal(async {
        shutdown.closing.cancelled().await;
        tokio::select! {
            () = idle(slots) => {}
            () = given_back(station) => {}
        }
        Ok(())
    });
    if let Err(error) = ended.await {
        tracing::error!(%error, "the monitor ended");
    }
}

/// Returns when no job runs and no claim is under way.
async fn idle(slots: &Slots) {
    while slots.running() > 0 {
        tokio::time::sleep(LOOK_EVERY).await;
    }
}

/// Jobs have been told to stop, and are given back or have had the time for it; a device may still compute.
async fn given_back(station: &Station) {
    station.shutdown.time_is_up.cancelled().await;
    let told = Instant::now();
    while !station.leases.is_empty() {
        if told.elapsed() > OVERTIME {
            return tracing::warn!("leaving with work in hand: the database does not answer");
        }
        tokio::time::sleep(LOOK_EVERY).await;
    }
}

const fn worker_name(stage: Stage) -> &'static str {
    match stage {
        Stage::Sampling => "sampler",
        Stage::Decoding => "decoder",
    }
}

/// Works on one job in a task of its own, so that whatever befalls apalis' worker leaves the job alone.
async fn handle(work: StageWork, station: Data<Arc<Station>>) -> Result<(), JoinError> {
    tokio::spawn(job::run(Arc::clone(&station), work)).await
}
