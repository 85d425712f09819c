//! Being seen: the row that says this process is alive and how it fares, from the first job it could take to its exit.

use crate::{options::Options, work::station::Station};
use domain::WorkerId;
use std::time::Duration;
use store::clock::Instant;
use store::{Beat, Registration, SpareTime, Store, StoreError, Told, WorkerCondition, in_time};

const BEAT_EVERY: Duration = Duration::from_secs(3);
/// While models come and go.
const BEAT_IN_CHANGE_EVERY: Duration = Duration::from_secs(1);
const LOOK_EVERY: Duration = Duration::from_millis(250);
const RETIRE_WITHIN: Duration = Duration::from_secs(4);

/// Registers, then gives a sign of life again and again, and at once when the worker's condition changes or its models do; a
/// worker whose device stalls takes no jobs meanwhile. Runs until dropped.
pub async fn be_seen(station: &Station, options: &Options) {
    // Until now it has loaded models.
    let mut loading = Loading { at_start: station.sharing.take_spare(), told_ms: 0 };
    let mut models = station.residency.claimable();
    loop {
        models.mark_unchanged();
        let condition = condition(station);
        station.slots.pause(condition == WorkerCondition::Stalled);
        if let Err(error) = beat(station, condition, options, &mut loading).await {
            tracing::warn!(error = &error as &dyn std::error::Error, "no sign of life could be given");
        }
        let beaten = Instant::now();
        let pause = if station.residency.is_changing() { BEAT_IN_CHANGE_EVERY } else { BEAT_EVERY };
        let is_same = || self::condition(station) == condition && models.has_changed().is_ok_and(|changed| !changed);
        while beaten.elapsed() < pause && is_same() {
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }
}

/// What of the device's time went into loading models and was not told.
struct Loading {
    at_start: Duration,
    /// Of what was loaded since.
    told_ms: u64,
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
async fn beat(station: &Station, condition: WorkerCondition, options: &Options, loading: &mut Loading) -> Result<(), StoreError> {
    let (store, id, idle) = (&station.services.store, station.id, station.sharing.take_spare());
    let (loading_ms, unseen_ms) = (station.loading.taken_ms(), loading.at_start.as_millis() as u64);
    let spare =
        SpareTime { idle_ms: idle.as_millis() as u64, loading_ms: unseen_ms + loading_ms.saturating_sub(loading.told_ms), unseen_ms };
    let noted = in_time(store.workers().report(id, condition, spare, &station.residency.report())).await;
    if noted.as_ref().is_ok_and(|told| told.beat != Beat::Unknown) {
        *loading = Loading { at_start: Duration::ZERO, told_ms: loading_ms };
        station.sharing.put_back(idle - Duration::from_millis(spare.idle_ms));
    } else {
        station.sharing.put_back(idle);
    }
    let Told { beat, desired } = noted?;
    if beat == Beat::Drain {
        station.shutdown.drain();
    }
    if beat == Beat::Unknown {
        let servable = station.residency.servable();
        let models: Vec<_> = servable.iter().map(String::as_str).collect();
        let device = options.device_name();
        let (role, slots, memory_bytes) = (options.role.into(), options.slots(), options.device_memory);
        let registration = Registration { role, device: &device, models: &models, slots, memory_bytes };
        in_time(store.workers().register(id, registration)).await?;
        in_time(store.workers().report(id, condition, SpareTime::default(), &station.residency.report())).await?;
        tracing::info!(worker.id = %id, "registered");
    } else if desired.is_some() {
        station.residency.want(desired.as_deref());
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
