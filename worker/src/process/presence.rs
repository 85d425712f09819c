//! Being seen: the row that says this process is alive and how it fares, from the first job it could take to its exit.

use crate::{options::Options, work::station::Station};
use domain::WorkerId;
use std::time::Duration;
use store::clock::Instant;
use store::{Beat, Registration, SpareTime, Store, StoreError, WorkerCondition, in_time};

const BEAT_EVERY: Duration = Duration::from_secs(3);
const LOOK_EVERY: Duration = Duration::from_millis(250);
const RETIRE_WITHIN: Duration = Duration::from_secs(4);

/// Registers, then gives a sign of life again and again, and at once when the worker's condition changes; a
/// worker whose device stalls takes no jobs meanwhile. Runs until dropped.
pub async fn be_seen(station: &Station, options: &Options) {
    // Until now it has loaded models.
    let mut loading = station.sharing.take_spare();
    loop {
        let condition = condition(station);
        station.slots.pause(condition == WorkerCondition::Stalled);
        if let Err(error) = beat(station, condition, options, &mut loading).await {
            tracing::warn!(error = &error as &dyn std::error::Error, "no sign of life could be given");
        }
        let beaten = Instant::now();
        while beaten.elapsed() < BEAT_EVERY && self::condition(station) == condition {
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }
}

fn condition(station: &Station) -> WorkerCondition {
    if station.shutdown.defect().is_some() {
        WorkerCondition::Failing
    } else if station.watchdog.is_stalled() {
        WorkerCondition::Stalled
    } else {
        WorkerCondition::Working
    }
}

/// A sign of life; registers a worker whose row is not there, be it new or long silent.
async fn beat(station: &Station, condition: WorkerCondition, options: &Options, loading: &mut Duration) -> Result<(), StoreError> {
    let (store, id, idle) = (&station.services.store, station.id, station.sharing.take_spare());
    let spare = SpareTime { idle_ms: idle.as_millis() as u64, loading_ms: loading.as_millis() as u64 };
    let noted = in_time(store.workers().beat(id, condition, spare)).await;
    if matches!(noted, Ok(Beat::GoOn | Beat::Drain)) {
        *loading = Duration::ZERO;
        station.sharing.put_back(idle - Duration::from_millis(spare.idle_ms));
    } else {
        station.sharing.put_back(idle);
    }
    let told = noted?;
    if told == Beat::Drain {
        station.shutdown.drain();
    }
    if told == Beat::Unknown {
        let models: Vec<_> = station.engine.models().iter().map(|model| &*model.entry.id).collect();
        let device = options.device_name();
        let (role, slots, memory_bytes) = (options.role.into(), options.slots(), options.device_memory);
        let registration = Registration { role, device: &device, models: &models, slots, memory_bytes };
        in_time(store.workers().register(id, registration)).await?;
        tracing::info!(worker.id = %id, "registered");
    }
    Ok(())
}

/// Takes the row away, if the database answers soon.
pub async fn retire(store: &Store, id: WorkerId) {
    match tokio::time::timeout(RETIRE_WITHIN, store.workers().retire(id)).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::warn!(error = &error as &dyn std::error::Error, "could not retire"),
        Err(_) => tracing::warn!("could not retire in time"),
    }
}
