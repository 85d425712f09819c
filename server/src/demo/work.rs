//! What workers do, done with clips that are there: each stage through its claim, its uploads and the writes that end it.

use super::Stage;
use anyhow::{Context, Result, ensure};
use bytes::Bytes;
use domain::{
    Actor, Clock, Stage as Step,
    billing::{Currency, Money},
    job::{FailureClass, PAUSE_MAX_MS},
    scheduling::Suspects,
};
use sha2::{Digest, Sha256};
use std::{fs, path::Path, sync::atomic::Ordering};
use store::{ArtifactKind, Beat, Claimed, LeaseToken, ProgressReport, Registration, SpareTime, StoredObject, WorkerCondition, WorkerRole};

/// Longer than any stage takes here.
const LEASE_MS: i64 = 10 * 60 * 1000;

const DEVICE: &str = "demo GPU";

/// A clip that is there, and the prompt that it was made from.
pub struct Clip {
    pub prompt: &'static str,
    video: Bytes,
    picture: Bytes,
}

pub struct Clips(pub Vec<Clip>);

impl Clips {
    pub fn read(folder: &Path) -> Result<Self> {
        let read = |name: &str, kind: &str| {
            let file = folder.join(format!("{name}.{kind}"));
            fs::read(&file).map(Bytes::from).with_context(|| format!("{} cannot be read", file.display()))
        };
        let clip = |(name, prompt)| Ok(Clip { prompt, video: read(name, "mp4")?, picture: read(name, "webp")? });
        app::GALLERY.into_iter().map(clip).collect::<Result<_>>().map(Self)
    }
}

/// What becomes of a video.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Made,
    Failed,
}

/// The one worker of the month, and what its device costs.
pub async fn begin(stage: &Stage) -> Result<()> {
    let catalog = stage.services.catalog().await?;
    let models: Vec<_> = catalog.models().iter().map(|model| &*model.id).collect();
    stage.services.store.workers().register(stage.worker, Registration::new(WorkerRole::All, DEVICE, &models)).await?;
    stage.told_ms.store(stage.clock.now().ms(), Ordering::SeqCst);
    stage.services.set_device_price(Actor::Operator, DEVICE, Some(Money::of_minor(250, Currency::USD))).await?;
    Ok(())
}

/// Takes the only waiting video through its stages, in so many milliseconds each; until then the device was idle.
pub async fn finish(stage: &Stage, clip: &Clip, outcome: Outcome, took: (u32, u32)) -> Result<()> {
    let idle_ms = stage.clock.now().ms() - stage.told_ms.load(Ordering::SeqCst);
    tell(stage, idle_ms.max(0).unsigned_abs()).await?;
    work(stage, clip, outcome, took).await?;
    tell(stage, 0).await
}

async fn tell(stage: &Stage, idle_ms: u64) -> Result<()> {
    let spare = SpareTime { idle_ms, ..SpareTime::default() };
    let is_known = stage.services.store.workers().beat(stage.worker, WorkerCondition::Working, spare).await? != Beat::Unknown;
    stage.told_ms.store(stage.clock.now().ms(), Ordering::SeqCst);
    ensure!(is_known, "the worker of the demo is gone");
    Ok(())
}

async fn work(stage: &Stage, clip: &Clip, outcome: Outcome, (sampling_ms, decoding_ms): (u32, u32)) -> Result<()> {
    let queue = stage.services.store.queue();
    let sampling = claim(stage, Step::Sampling).await?;
    let steps = sampling.job.spec.steps;
    stage.advance_ms(i64::from(sampling_ms) / 2);
    queue
        .progress(vec![ProgressReport {
            token: sampling.token,
            step: steps / 2,
            device_ms: u64::from(sampling_ms) / 2,
            decoded_permille: 0,
            preview: None,
        }])
        .await?;
    stage.advance_ms(i64::from(sampling_ms) / 2);
    if outcome == Outcome::Failed {
        queue.report_failure(&sampling.token, FailureClass::DeviceMemory).await?;
        // Tried alone, it fails again.
        stage.advance_ms(PAUSE_MAX_MS);
        let again = claim(stage, Step::Sampling).await?;
        return Ok(queue.report_failure(&again.token, FailureClass::DeviceMemory).await?);
    }
    let latents = upload(stage, &sampling.token, &[ArtifactKind::Latents], clip).await?.pop().context("latents were uploaded")?;
    queue.hand_over(&sampling.token, latents, u64::from(sampling_ms)).await?;
    let decoding = claim(stage, Step::Decoding).await?;
    stage.advance_ms(decoding_ms.into());
    let files = upload(stage, &decoding.token, ArtifactKind::results(&decoding.job.spec), clip).await?;
    Ok(queue.succeed(&decoding.token, files, None, u64::from(decoding_ms)).await?)
}

async fn claim(stage: &Stage, step: Step) -> Result<Claimed> {
    let catalog = stage.services.catalog().await?;
    let models: Vec<_> = catalog.models().iter().map(|model| &*model.id).collect();
    let claimed = stage.services.store.queue().claim(step, stage.worker, &models, LEASE_MS, Suspects::Take).await?;
    claimed.context("a video should be waiting")
}

async fn upload(stage: &Stage, token: &LeaseToken, kinds: &[ArtifactKind], clip: &Clip) -> Result<Vec<StoredObject>> {
    let keys = stage.services.store.queue().announce(token, kinds).await?;
    let mut stored = Vec::new();
    for (kind, key) in kinds.iter().zip(keys) {
        let bytes = match kind {
            ArtifactKind::Latents => Bytes::from_static(b"latents"),
            ArtifactKind::Video => clip.video.clone(),
            ArtifactKind::Image | ArtifactKind::Thumbnail | ArtifactKind::Spritesheet => clip.picture.clone(),
        };
        let sha256 = hex::encode(Sha256::digest(&bytes));
        stored.push(StoredObject { kind: *kind, bytes: bytes.len() as u64, sha256 });
        stage.services.objects.put(&key, kind.content_type(), bytes).await?;
    }
    Ok(stored)
}
