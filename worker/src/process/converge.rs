//! Loading and unloading models at run time, one after the other, until this process has those that it should have. Others go on meanwhile.

use crate::{
    fault::Point,
    process::warm_up::{Loaded, load_or_try_again},
    residency::{Action, Residency},
    work::outcome::WorkError,
    work::station::Station,
};
use domain::Stage;
use std::{error::Error, sync::Arc, thread, time::Duration};
use store::{StoreError, clock::Instant, in_time};

/// A pause after a load that failed may be over.
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// A call that uses a part ends soon: no job of the model runs.
const FREED_EVERY: Duration = Duration::from_millis(10);

/// Runs until dropped. A call to the device that has begun by then runs on in its thread.
pub async fn converge(station: &Station, stages: &'static [Stage]) {
    let mut changes = station.residency.changes();
    loop {
        changes.mark_unchanged();
        if station.shutdown.closing.is_cancelled() {
            station.residency.close();
        }
        match station.residency.next() {
            Some(Action::Unload(model)) => unload(station, &model).await,
            Some(Action::Load(model)) => load_here(station, stages, &model).await,
            None => tokio::select! {
                _ = changes.changed() => {}
                () = tokio::time::sleep(LOOK_EVERY) => {}
            },
        }
    }
}

async fn unload(station: &Station, model: &str) {
    let Some(served) = station.engine.model(model) else { return };
    let (memory, begun) = (served.memory.clone(), Instant::now());
    let freed = tokio::task::spawn_blocking(move || {
        while !memory.unload_model() {
            thread::sleep(FREED_EVERY);
        }
    });
    if let Err(panic) = freed.await {
        tracing::error!(model.name = model, error = &panic as &dyn Error, "a model was not unloaded in good order");
    }
    let took_ms = begun.elapsed().as_millis() as u64;
    tracing::info!(model.name = model, took_ms, "unloaded");
    station.residency.unloaded(model);
    let noted = in_time(station.services.store.placement().note_unload((model, &station.device_name), took_ms)).await;
    warn(noted, "what unloading took was not noted");
}

async fn load_here(station: &Station, stages: &'static [Stage], model: &str) {
    tracing::info!(model.name = model, "loading");
    station.services.metrics.expect_loads(model);
    match loaded(station, stages, model).await {
        Ok(loaded) => {
            station.residency.loaded(model, loaded.took);
            note(station, &loaded).await;
        }
        Err(error) => {
            station.services.metrics.note_load(model, None);
            tracing::error!(model.name = model, error = &error as &dyn Error, "a model cannot be loaded; it is tried again after a pause");
            if let Some(served) = station.engine.model(model) {
                served.memory.unload_model();
            }
            tell_failed(&station.residency, model, &error);
        }
    }
}

/// A load that failed, and what it was of.
pub fn tell_failed(residency: &Residency, model: &str, error: &WorkError) {
    let problem = error.failure().detail;
    if error.is_of_memory() { residency.ran_out_of_memory(model, problem) } else { residency.not_loaded(model, problem) }
}

/// On a thread of its own, as the device may take minutes.
async fn loaded(station: &Station, stages: &'static [Stage], model: &str) -> Result<Loaded, WorkError> {
    let (engine, watchdog, sharing) = (Arc::clone(&station.engine), station.watchdog.clone(), station.sharing.clone());
    let (meter, faults, name) = (station.loading.clone(), station.faults.clone(), model.to_owned());
    let closing = station.shutdown.closing.clone();
    let loading = tokio::task::spawn_blocking(move || {
        faults.hold(Point::Load);
        let served = engine.model(&name).ok_or_else(|| WorkError::ModelUnknown(name.clone()))?;
        let _using = sharing.begin(vec![meter.clone()]);
        let taken = || {
            sharing.settle();
            meter.taken()
        };
        load_or_try_again(served, stages, &watchdog, &taken, || closing.is_cancelled())
    });
    loading.await.unwrap_or_else(|panic| Err(WorkError::Panicked(panic.to_string())))
}

/// Notes what loading took, and what the stages of its first clip did.
pub async fn note(station: &Station, Loaded { spec, times, took, memory_bytes }: &Loaded) {
    let took_ms = took.as_millis() as u64;
    station.services.metrics.note_load(&spec.model, Some(*took));
    tracing::info!(model.name = spec.model, took_ms, memory_bytes, "loaded");
    for (stage, device) in times {
        tracing::info!(model.name = spec.model, %stage, device_ms = device.as_millis() as u64, "warmed up");
        station.record(spec, *stage, *device).await;
    }
    let placement = station.services.store.placement();
    warn(
        in_time(placement.note_load((&spec.model, &station.device_name), took_ms, *memory_bytes)).await,
        "what loading took was not noted",
    );
}

fn warn(noted: Result<(), StoreError>, message: &str) {
    if let Err(error) = noted {
        tracing::warn!(error = &error as &dyn Error, "{message}");
    }
}
