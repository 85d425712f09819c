//! The decoding stage: latents become the files that the tenant gets.

use crate::{
    batch::{SamplingError, guarded},
    fault::Point,
    trace::Moment,
    work::files::files,
    work::outcome::{Stop, WorkError},
    work::progress::Drawn,
    work::publish::{Product, patiently, publish, sha256},
    work::running::Running,
    work::station::Station,
};
use diffusion::{Seen, on_decoding_threads};
use domain::job::{Layout, PlacedThing, ShotLayout};
use futures::TryStreamExt;
use std::{sync::Arc, time::Duration};
use store::clock::Instant;
use store::{
    LeaseError, StageTook,
    objects::{ObjectError, Objects},
};
use tokio::time::timeout;

const PING_WITHIN: Duration = Duration::from_secs(10);
/// Whether other objects can be read is looked at so often while latents cannot.
const LOOK_EVERY: Duration = Duration::from_secs(30);

/// Returns the device time that decoding took; the job is booked what it took to make latents again as well.
pub async fn decode(station: &Station, job: &Running) -> Result<Duration, Stop> {
    let (begun, fetching) = (Instant::now(), Moment::now());
    let latents = fetch(station, job).await?;
    job.trace.note("latents.fetch", fetching);
    let mut sampled_ms = 0;
    let (products, layout) = match make(station, job, latents).await {
        Err(Stop::Failed(error)) if error.is_of_other_version() => {
            tracing::warn!(error = &error as &dyn std::error::Error, "latents of another version: making them again here");
            let latents = sampled_here(station, job).await?;
            sampled_ms = job.device_ms(&station.sharing);
            make(station, job, latents).await?
        }
        made => made?,
    };
    let uploading = Instant::now();
    let stored = publish(station, job, products).await?;

    let queue = station.services.store.queue();
    let took = StageTook {
        elapsed_ms: begun.elapsed().as_millis() as u64,
        device_ms: job.device_ms(&station.sharing),
        upload_ms: uploading.elapsed().as_millis() as u64,
        ..StageTook::default()
    };
    job.commit(took.device_ms, || queue.succeed(&job.held.token, stored.clone(), layout.as_ref(), took)).await?;
    Ok(Duration::from_millis(took.device_ms.saturating_sub(sampled_ms)))
}

async fn fetch(station: &Station, job: &Running) -> Result<Vec<u8>, Stop> {
    let queue = station.services.store.queue();
    let stored = job.held.write("latents", || async { queue.latents(&job.held.token).await.map_err(LeaseError::from) }).await?;
    let stored = stored.ok_or(WorkError::LatentsLost)?;
    let objects = &station.services.objects;
    let (begun, mut was_there) = (Instant::now(), false);
    let latents = loop {
        let patience = station.objects_timeout.min(LOOK_EVERY);
        let is_there = match patiently(job, patience, || read(objects, &stored.object_key)).await {
            Err(Stop::Failed(WorkError::StoreAway)) => answers(objects).await,
            latents => break latents?,
        };
        match is_there {
            // Twice the store was there, and this object still could not be read: making it again costs an attempt, waiting has no end.
            true if was_there => return Err(WorkError::LatentsLost.into()),
            false if begun.elapsed() >= station.objects_timeout => return Err(WorkError::StoreAway.into()),
            is_there => was_there = is_there,
        }
    };
    if sha256(&latents) == stored.sha256 { Ok(latents) } else { Err(WorkError::LatentsLost.into()) }
}

async fn read(objects: &Objects, key: &str) -> Result<Vec<u8>, WorkError> {
    let object = match objects.get(key, None).await {
        Err(ObjectError::NotFound { .. }) => return Err(WorkError::LatentsLost),
        object => object?,
    };
    let mut latents = Vec::with_capacity(object.bytes_total as usize);
    let mut body = object.body;
    while let Some(part) = body.try_next().await? {
        latents.extend_from_slice(&part);
    }
    Ok(latents)
}

async fn answers(objects: &Objects) -> bool {
    timeout(PING_WITHIN, objects.ping()).await.is_ok_and(|answer| answer.is_ok())
}

/// Latents as this version makes and reads them. Where that fails, as without the denoiser's weights, they are as good as lost.
async fn sampled_here(station: &Station, job: &Running) -> Result<Vec<u8>, WorkError> {
    let spec = &job.claimed.job.spec;
    let model = station.engine.model(&spec.model).ok_or_else(|| WorkError::ModelUnknown(spec.model.clone()))?;
    let sampled = model.batcher.join(model.request(spec), job.holder()).sampled().await;
    let lost = |error: SamplingError| {
        tracing::warn!(error = &error as &dyn std::error::Error, "latents could not be made here");
        WorkError::LatentsLost
    };
    Ok(sampled.map_err(lost)?.latents)
}

/// The files, and where things are drawn.
type Made = (Vec<Product>, Option<Layout>);

/// Decodes and encodes on a thread that may be blocked.
async fn make(station: &Station, job: &Running, latents: Vec<u8>) -> Result<Made, Stop> {
    let spec = job.claimed.job.spec.clone();
    let model = station.engine.model(&spec.model).ok_or_else(|| WorkError::ModelUnknown(spec.model.clone()))?;
    let (family, faults, stage, units) =
        (Arc::clone(&model.family), station.faults.clone(), job.held.token.stage, model.decode_units(&spec));
    let (pace, watchdog, sharing) = (Arc::clone(&model.decode_pace), station.watchdog.clone(), station.sharing.clone());
    // A thread cannot be broken off: the slot is taken until it is done, even when the job is not ours any more.
    let (holder, trace) = (job.holder(), job.trace.clone());
    let drawn = Arc::new(Drawn::default());
    let counting = Arc::clone(&drawn);
    let made = tokio::task::spawn_blocking(move || {
        // As a whole, with what it keeps.
        let holder = holder;
        let (decoding, loaded) = (Moment::now(), trace.loading());
        let watched = watchdog.call(pace.patience(units), vec![holder.hung.clone()]);
        let using = sharing.begin(vec![holder.meter.clone()]);
        let decoded = guarded(|| {
            faults.strike(stage, &spec.prompt)?;
            on_decoding_threads(|| Ok((family.decode(&latents)?, family.layout(&latents)?)))
        });
        let (clip, layout) = decoded.map_err(WorkError::Decoding)?;
        trace.note_with_loading("job.decode", decoding, loaded);
        let encoding = Moment::now();
        let products = on_decoding_threads(|| files(&counting.watch(&clip), &spec))?;
        trace.note("video.encode", encoding);
        pace.note(watched.took(), units);
        drop((watched, using));
        faults.hold(Point::Decoded);
        faults.delay();
        Ok::<_, WorkError>((products, layout.map(stored)))
    });
    let made = tokio::select! {
        made = made => made,
        never = drawn.report((&station.reporter, &station.sharing), job) => match never {},
    };
    station.reporter.forget(&job.held.token);
    Ok(made.map_err(|panic| WorkError::Panicked(panic.to_string()))??)
}

fn stored(shots: Vec<diffusion::ShotLayout>) -> Layout {
    let thing = |thing: Seen| {
        let Seen { slot, name, x, y, size, left, top, width, height, carried_by } = thing;
        PlacedThing { slot: slot as u32, name, x, y, size, left, top, width, height, carried_by: carried_by.map(|slot| slot as u32) }
    };
    let shot = |shot: diffusion::ShotLayout| ShotLayout {
        seconds: shot.seconds,
        zoom: shot.zoom,
        things: shot.things.into_iter().map(thing).collect(),
    };
    Layout { shots: shots.into_iter().map(shot).collect() }
}
