//! From the command line to the first job, and from the last one to the exit.

use crate::{
    device::health::DeviceHealth,
    device::sharing::Meter,
    device::sharing::Sharing,
    device::watchdog::Watchdog,
    engine::{Engine, ServedModel},
    options::{Options, Role},
    process::converge::{converge, note},
    process::metrics::{self, Endpoint},
    process::monitor,
    process::presence,
    process::warm_up::{LOAD_PATIENCE, Loaded, load},
    residency::Residency,
    shutdown::{Defect, Shutdown},
    work::lease::Leases,
    work::progress::Reporter,
    work::station::Station,
};
use anyhow::Context;
use domain::WorkerId;
use service::{Services, config::OpenError, expire_leases};
use std::{error::Error, process, sync::Arc, time::Duration};
use store::{StoreError, chance, queue::Slots};

/// What is given back when the device hangs has to be given back in this time.
const GIVE_BACK_WITHIN: Duration = Duration::from_secs(5);
const LOOK_EVERY: Duration = Duration::from_millis(20);

const FIRST_PAUSE: Duration = Duration::from_millis(200);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

pub async fn run(options: Options) -> anyhow::Result<()> {
    let shutdown = Shutdown::new(options.grace());
    shutdown.on_signals().context("no signals can be received")?;
    let endpoint = metrics::listen(&options).await.context("the address for metrics cannot be listened on")?;
    let watchdog = Watchdog::start(shutdown.clone()).context("no thread could be started")?;
    let (station, loaded) = tokio::select! {
        prepared = prepare(&options, &shutdown, watchdog) => prepared?,
        () = shutdown.closing.cancelled() => return end(&shutdown),
    };
    serve(&options, Arc::new(station), loaded, endpoint).await;
    end(&shutdown)
}

fn end(shutdown: &Shutdown) -> anyhow::Result<()> {
    match shutdown.defect() {
        None => Ok(()),
        // No exit in good order: that would wait for the device.
        Some(Defect::DeviceHangs) => process::abort(),
        Some(defect) => Err(defect.into()),
    }
}

/// Opens the models, loads as many as fit, and waits for a database that is ready.
async fn prepare(options: &Options, shutdown: &Shutdown, watchdog: Watchdog) -> anyhow::Result<(Station, Vec<Loaded>)> {
    let faults = options.fault.clone().in_folder(options.fault_folder.clone());
    let sharing = Sharing::start();
    let (chosen, injected, watching, shared) = (options.clone(), faults.clone(), watchdog.clone(), sharing.clone());
    let opened = tokio::task::spawn_blocking(move || {
        let opening = watching.call(LOAD_PATIENCE, Vec::new());
        let engine = Engine::open(&chosen, &injected, &watching, &shared)?;
        drop(opening);
        let models = engine.models().iter().map(|model| (model.entry.id.clone(), model.memory.clone(), expected_bytes(model, chosen.role)));
        let residency = Residency::new(models.collect(), chosen.device_memory);
        let loaded = load_first(&engine, &residency, &chosen, &watching)?;
        anyhow::Ok((Arc::new(engine), residency, loaded))
    });
    let (engine, residency, loaded) = opened.await.context("the engine panicked while it was started")??;
    let (services, slots) = (open_storage(options).await?, options.slots());
    let station = Station {
        id: WorkerId::from_uuid(chance::new_id()),
        services,
        engine,
        residency,
        leases: Leases::new(options.lease(), faults.trust),
        reporter: Reporter::default(),
        objects_timeout: options.objects_timeout(),
        device_name: options.device_name(),
        slots: Slots::new(slots.sampling, slots.decoding),
        watchdog,
        sharing,
        loading: Meter::default(),
        health: DeviceHealth::default(),
        faults,
        shutdown: shutdown.clone(),
    };
    Ok((station, loaded))
}

/// What the weights of a model are expected to take. A decoder needs a part of them, and which one shows when it is loaded.
fn expected_bytes(model: &ServedModel, role: Role) -> u64 {
    if role == Role::Decoder { 0 } else { model.memory.model_bytes() }
}

/// Loads the models that fit, those first that are offered first. Where models come and go, one that cannot be loaded does not end the worker
/// as long as another can.
fn load_first(engine: &Engine, residency: &Residency, options: &Options, watchdog: &Watchdog) -> anyhow::Result<Vec<Loaded>> {
    let (mut loaded, mut failed) = (Vec::new(), None);
    let first = residency.begin_first(&engine.in_order());
    for model in first.iter().filter_map(|model| engine.model(model)) {
        match load(model, options.role.stages(), watchdog) {
            Ok(one) => {
                residency.loaded(&model.entry.id, one.took);
                loaded.push(one);
            }
            Err(error) if residency.is_limited() => {
                tracing::error!(model.name = model.entry.id, error = &error as &dyn Error, "a model cannot be loaded");
                model.memory.unload_model();
                residency.not_loaded(&model.entry.id, error.failure().detail);
                failed.get_or_insert(error);
            }
            Err(error) => return Err(error.into()),
        }
    }
    match failed {
        Some(error) if loaded.is_empty() => Err(error.into()),
        _ => Ok(loaded),
    }
}

/// Works until the first reason to end and its aftermath are over.
async fn serve(options: &Options, station: Arc<Station>, loaded: Vec<Loaded>, endpoint: Option<Endpoint>) {
    for loaded in &loaded {
        note(&station, loaded).await;
    }
    let store = &station.services.store;
    tokio::select! {
        () = monitor::run(options, &station) => {}
        () = presence::be_seen(&station, options) => {}
        () = converge(&station, options.role.stages()) => {}
        () = station.leases.keep(store) => {}
        () = station.leases.reconcile(store, station.id) => {}
        () = station.reporter.run(store, &station.leases) => {}
        () = expire_leases(station.services.clone(), options.lease()) => {}
        () = metrics::serve(endpoint, Arc::clone(&station.services.metrics)) => {}
        () = given_back_for_a_hang(&station) => {}
    }
    presence::retire(store, station.id).await;
    tracing::info!(worker.id = %station.id, "goodbye");
}

/// Returns when the device hangs and all jobs are given back, or nobody takes them.
async fn given_back_for_a_hang(station: &Station) {
    station.shutdown.time_is_up.cancelled().await;
    if station.shutdown.defect() != Some(Defect::DeviceHangs) {
        return std::future::pending().await;
    }
    let settled = async {
        while !station.leases.is_empty() {
            tokio::time::sleep(LOOK_EVERY).await;
        }
    };
    let _ = tokio::time::timeout(GIVE_BACK_WITHIN, settled).await;
}

/// Opens the storage as soon as the database is there and its tables are.
async fn open_storage(options: &Options) -> Result<Services, OpenError> {
    let mut pause = FIRST_PAUSE;
    loop {
        match ready(options).await {
            Ok(services) => return Ok(services),
            Err(error @ OpenError::Store(StoreError::Address { .. })) => return Err(error),
            Err(error) => tracing::warn!(error = &error as &dyn Error, "the storage is not ready yet"),
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

async fn ready(options: &Options) -> Result<Services, OpenError> {
    let services = options.storage.open().await?;
    services.store.check_schema().await?;
    Ok(services)
}
