//! From the command line to the first job, and from the last one to the exit.

use crate::{
    device::health::DeviceHealth,
    device::sharing::Meter,
    device::sharing::Sharing,
    device::watchdog::Watchdog,
    engine::{Engine, ServedModel},
    options::{Options, Role},
    process::converge::{converge, note, tell_failed},
    process::metrics::{self, Readiness},
    process::monitor,
    process::presence,
    process::warm_up::{LOAD_PATIENCE, Loaded, load, load_or_try_again},
    residency::Residency,
    shutdown::{Defect, Shutdown},
    work::lease::Leases,
    work::outcome::WorkError,
    work::progress::Reporter,
    work::station::Station,
};
use anyhow::Context;
use domain::{WorkerId, scheduling::fleet::memory_max_bytes};
use service::{
    Services,
    config::OpenError,
    expire_leases,
    telemetry::{Traces, trace},
};
use std::{collections::BTreeMap, error::Error, process, sync::Arc, time::Duration};
use store::{StoreError, chance, clock::Instant, in_time, queue::Slots};
use tokio_util::sync::CancellationToken;

/// What is given back when the device hangs has to be given back in this time.
const GIVE_BACK_WITHIN: Duration = Duration::from_secs(5);
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// Spans that were not sent by then are lost.
const FLUSHED_WITHIN: Duration = Duration::from_secs(2);

const FIRST_PAUSE: Duration = Duration::from_millis(200);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

pub async fn run(options: Options) -> anyhow::Result<()> {
    let shutdown = Shutdown::new(options.grace());
    shutdown.on_signals().context("no signals can be received")?;
    let traces = trace::start("reelmill-worker").context("spans cannot be sent")?;
    let ready = Readiness::default();
    let _endpoint = metrics::listen(&options, &ready).await.context("the address for metrics cannot be listened on")?;
    let watchdog = Watchdog::start(shutdown.clone()).context("no thread could be started")?;
    let (station, loaded) = tokio::select! {
        prepared = prepare(&options, &shutdown, watchdog, traces.clone()) => prepared?,
        () = shutdown.closing.cancelled() => return end(&shutdown),
    };
    let station = Arc::new(station);
    ready.begin(&station, &options);
    serve(&options, station, loaded).await;
    traces.flush(FLUSHED_WITHIN).await;
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
async fn prepare(options: &Options, shutdown: &Shutdown, watchdog: Watchdog, traces: Traces) -> anyhow::Result<(Station, Vec<Loaded>)> {
    let faults = options.fault.clone().in_folder(options.fault_folder.clone());
    let sharing = Sharing::start();
    let (chosen, injected, watching, shared) = (options.clone(), faults.clone(), watchdog.clone(), sharing.clone());
    let closing = shutdown.closing.clone();
    let (early, measured) = measured(options).await?;
    let opened = tokio::task::spawn_blocking(move || {
        let opening = watching.call(LOAD_PATIENCE, Vec::new());
        let engine = Engine::open(&chosen, &injected, &watching, &shared)?;
        drop(opening);
        let models =
            engine.models().iter().map(|model| (model.entry.id.clone(), model.memory.clone(), expected_bytes(model, &chosen, &measured)));
        let residency = Residency::new(models.collect(), chosen.device_memory);
        let loaded = load_first(&engine, &residency, &chosen, &watching, &closing)?;
        anyhow::Ok((Arc::new(engine), residency, loaded))
    });
    let (engine, residency, loaded) = opened.await.context("the engine panicked while it was started")??;
    let services = match early {
        Some(services) => services,
        None => open_storage(options).await?,
    };
    let slots = options.slots();
    let station = Station {
        id: options.worker_id.unwrap_or_else(|| WorkerId::from_uuid(chance::new_id())),
        services: services.with_traces(traces),
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

/// What was measured of the models that a decoder loads a part of, in bytes; it needs the storage for that before anything is loaded.
async fn measured(options: &Options) -> anyhow::Result<(Option<Services>, BTreeMap<String, u64>)> {
    if options.role != Role::Decoder || options.device_memory.is_none() {
        return Ok((None, BTreeMap::new()));
    }
    let (services, device) = (open_storage(options).await?, options.device_name());
    let costs = in_time(services.store.placement().costs()).await.unwrap_or_else(|error| {
        tracing::warn!(error = &error as &dyn Error, "it is not known what models take");
        Vec::new()
    });
    let measured = costs.into_iter().filter(|cost| cost.device == device).filter_map(|cost| Some((cost.model, cost.memory_bytes?)));
    Ok((Some(services), measured.collect()))
}

/// What the weights of a model are expected to take. A decoder needs a part of them, and which one shows when it is loaded: until then it is
/// expected to take as much as elsewhere, or else all of them, as far as the device has room.
fn expected_bytes(model: &ServedModel, options: &Options, measured: &BTreeMap<String, u64>) -> u64 {
    let all = model.memory.model_bytes();
    match (options.role, options.device_memory) {
        (Role::Decoder, Some(device)) => {
            let known = measured.get(&model.entry.id).copied().filter(|bytes| *bytes > 0);
            known.unwrap_or_else(|| all.min(memory_max_bytes(device)))
        }
        _ => all,
    }
}

/// Loads the models that fit, those first that are offered first. Where models come and go, those that cannot be loaded do not end the worker
/// as long as another can.
fn load_first(
    engine: &Engine,
    residency: &Residency,
    options: &Options,
    watchdog: &Watchdog,
    closing: &CancellationToken,
) -> anyhow::Result<Vec<Loaded>> {
    // Nobody uses the device beside this.
    let begun = Instant::now();
    let taken = || begun.elapsed();
    if residency.is_limited() {
        let is_closing = || closing.is_cancelled();
        let load = |model: &str| {
            let served = engine.model(model).ok_or_else(|| WorkError::ModelUnknown(model.to_owned()))?;
            let loaded = load_or_try_again(served, options.role.stages(), watchdog, &taken, is_closing).inspect_err(|_| {
                served.memory.unload_model();
            })?;
            residency.loaded(model, loaded.took);
            Ok(loaded)
        };
        return Ok(load_until_one_is(residency, engine.in_order(), load)?);
    }
    let mut loaded = Vec::new();
    for model in residency.begin_first(&engine.in_order()).iter().filter_map(|model| engine.model(model)) {
        let one = load(model, options.role.stages(), watchdog, &taken)?;
        residency.loaded(&model.entry.id, one.took);
        loaded.push(one);
    }
    Ok(loaded)
}

/// As many as fit; where none of them can be loaded, the next that fit, until one is or none is left.
fn load_until_one_is<T>(
    residency: &Residency,
    mut order: Vec<String>,
    load: impl Fn(&str) -> Result<T, WorkError>,
) -> Result<Vec<T>, WorkError> {
    let (mut loaded, mut failed) = (Vec::new(), None);
    while loaded.is_empty() {
        let first = residency.begin_first(&order);
        if first.is_empty() {
            break;
        }
        order.retain(|model| !first.contains(model));
        for model in &first {
            match load(model) {
                Ok(one) => loaded.push(one),
                Err(error) => {
                    tracing::error!(model.name = model, error = &error as &dyn Error, "a model cannot be loaded");
                    tell_failed(residency, model, &error);
                    failed.get_or_insert(error);
                }
            }
        }
    }
    match failed {
        Some(error) if loaded.is_empty() => Err(error),
        _ => Ok(loaded),
    }
}

/// Works until the first reason to end and its aftermath are over.
async fn serve(options: &Options, station: Arc<Station>, loaded: Vec<Loaded>) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use diffusion::Memory;

    /// Models a, b, c and d, of which two fit, and `whole` can be loaded; which were, or that the first problem ends it.
    fn loaded_first(whole: &[&str]) -> Option<Vec<String>> {
        let models = ["a", "b", "c", "d"].map(|model| (model.to_owned(), Memory::new(None), 40));
        let residency = Residency::new(models.into(), Some(100));
        let load = |model: &str| {
            let broken = || WorkError::Panicked(format!("{model} is broken"));
            let loaded = whole.contains(&model).then(|| model.to_owned()).ok_or_else(broken)?;
            residency.loaded(model, Duration::ZERO);
            Ok(loaded)
        };
        load_until_one_is(&residency, residency.servable(), load).ok()
    }

    #[test]
    fn where_those_that_fit_first_cannot_be_loaded_the_next_are() {
        assert_eq!(loaded_first(&["a", "b", "c", "d"]), Some(vec!["a".into(), "b".into()]), "more do not fit");
        assert_eq!(loaded_first(&["b", "c", "d"]), Some(vec!["b".into()]), "the plan fills the rest");
        assert_eq!(loaded_first(&["d"]), Some(vec!["d".into()]));
        assert_eq!(loaded_first(&[]), None, "a worker without a model is of no use");
    }
}
