//! From the command line to the first job, and from the last one to the exit.

use crate::{
    engine::Engine,
    options::Options,
    process::monitor,
    process::presence,
    process::shutdown::Shutdown,
    process::station::Station,
    process::warm_up::{Measured, warm_up},
    work::lease::Leases,
    work::outcome::WorkError,
};
use anyhow::Context;
use domain::WorkerId;
use service::{Services, config::OpenError, expire_leases};
use std::{sync::Arc, time::Duration};
use store::StoreError;
use uuid::Uuid;

const FIRST_PAUSE: Duration = Duration::from_millis(200);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

pub async fn run(options: Options) -> anyhow::Result<()> {
    let shutdown = Shutdown::on_signals(options.grace()).context("no signals can be received")?;
    let (station, measured) = tokio::select! {
        prepared = prepare(&options, &shutdown) => prepared?,
        () = shutdown.closing.cancelled() => return Ok(()),
    };
    serve(&options, Arc::new(station), measured, &shutdown).await;
    Ok(())
}

/// Loads the models, warms them up, and waits for a database that is ready.
async fn prepare(options: &Options, shutdown: &Shutdown) -> anyhow::Result<(Station, Vec<Measured>)> {
    let (models, device, batch, faults) = (options.models.clone(), options.device, options.batch, options.fault.clone());
    let loaded = tokio::task::spawn_blocking(move || {
        let engine = Engine::load(&models, device, batch, &faults)?;
        let measured = engine.models().iter().map(warm_up).collect::<Result<Vec<_>, WorkError>>()?;
        anyhow::Ok((Arc::new(engine), measured))
    });
    let (engine, measured) = loaded.await.context("the engine panicked while it was started")??;
    let services = open_storage(options).await?;
    let station = Station {
        id: WorkerId::from_uuid(Uuid::now_v7()),
        services,
        engine,
        leases: Leases::new(options.lease(), options.fault.trust),
        faults: options.fault.clone(),
        time_is_up: shutdown.time_is_up.clone(),
    };
    Ok((station, measured))
}

/// Works until the first signal and its aftermath are over.
async fn serve(options: &Options, station: Arc<Station>, measured: Vec<Measured>, shutdown: &Shutdown) {
    for Measured { spec, times } in measured {
        for (stage, device) in times {
            tracing::info!(model.name = spec.model, %stage, device_ms = device.as_millis() as u64, "warmed up");
            station.record(&spec, stage, device).await;
        }
    }
    let store = &station.services.store;
    tokio::select! {
        () = monitor::run(options, &station, shutdown) => {}
        () = presence::be_seen(store, station.id, options) => {}
        () = station.leases.keep(store) => {}
        () = expire_leases(store.clone()) => {}
    }
    presence::retire(store, station.id).await;
    tracing::info!(worker.id = %station.id, "goodbye");
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
    // A look at a table tells whether the database has been migrated.
    services.store.workers().beat(WorkerId::from_uuid(Uuid::nil())).await?;
    Ok(services)
}
