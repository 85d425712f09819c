//! From the command line to the first job, and from the last one to the exit.

use crate::{
    device::health::DeviceHealth,
    device::sharing::Sharing,
    device::watchdog::{Patience, Watchdog},
    engine::Engine,
    options::Options,
    process::metrics::{self, Endpoint},
    process::monitor,
    process::presence,
    process::warm_up::{Measured, warm_up},
    shutdown::{Defect, Shutdown},
    work::lease::Leases,
    work::outcome::WorkError,
    work::progress::Reporter,
    work::station::Station,
};
use anyhow::Context;
use domain::WorkerId;
use service::{Services, config::OpenError, expire_leases};
use std::{process, sync::Arc, time::Duration};
use store::{StoreError, chance, queue::Slots};

/// For opening all models, and for loading the weights of each and its first clip, from a slow disk too.
const START_PATIENCE: Patience = Patience { stalled: Duration::from_secs(900), hung: Duration::from_secs(900) };
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
    let (station, measured) = tokio::select! {
        prepared = prepare(&options, &shutdown, watchdog) => prepared?,
        () = shutdown.closing.cancelled() => return end(&shutdown),
    };
    serve(&options, Arc::new(station), measured, endpoint).await;
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

/// Opens the models, warms them up, and waits for a database that is ready.
async fn prepare(options: &Options, shutdown: &Shutdown, watchdog: Watchdog) -> anyhow::Result<(Station, Vec<Measured>)> {
    let faults = options.fault.clone().in_folder(options.fault_folder.clone());
    let sharing = Sharing::start();
    let (chosen, injected, watching, shared) = (options.clone(), faults.clone(), watchdog.clone(), sharing.clone());
    let loaded = tokio::task::spawn_blocking(move || {
        let opening = watching.call(START_PATIENCE, Vec::new());
        let engine = Engine::open(&chosen, &injected, &watching, &shared)?;
        drop(opening);
        let warm_up = |model| {
            let _watched = watching.call(START_PATIENCE, Vec::new());
            warm_up(model, chosen.role.stages())
        };
        let measured = engine.models().iter().map(warm_up).collect::<Result<Vec<_>, WorkError>>()?;
        anyhow::Ok((Arc::new(engine), measured))
    });
    let (engine, measured) = loaded.await.context("the engine panicked while it was started")??;
    let (services, slots) = (open_storage(options).await?, options.slots());
    let station = Station {
        id: WorkerId::from_uuid(chance::new_id()),
        services,
        engine,
        leases: Leases::new(options.lease(), faults.trust),
        reporter: Reporter::default(),
        objects_timeout: options.objects_timeout(),
        device_name: options.device_name(),
        slots: Slots::new(slots.sampling, slots.decoding),
        watchdog,
        sharing,
        health: DeviceHealth::default(),
        faults,
        shutdown: shutdown.clone(),
    };
    Ok((station, measured))
}

/// Works until the first reason to end and its aftermath are over.
async fn serve(options: &Options, station: Arc<Station>, measured: Vec<Measured>, endpoint: Option<Endpoint>) {
    for Measured { spec, times } in measured {
        for (stage, device) in times {
            tracing::info!(model.name = spec.model, %stage, device_ms = device.as_millis() as u64, "warmed up");
            station.record(&spec, stage, device).await;
        }
    }
    let store = &station.services.store;
    tokio::select! {
        () = monitor::run(options, &station) => {}
        () = presence::be_seen(&station, options) => {}
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
            Err(error) => tracing::warn!(error = &error as &dyn std::error::Error, "the storage is not ready yet"),
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
