//! The sampling stage: a prompt becomes latents in the object store.

use crate::{
    batch::Sampled,
    work::outcome::{Stop, WorkError},
    work::progress,
    work::publish::{Product, publish},
    work::running::Running,
    work::station::Station,
};
use std::time::Duration;
use store::{ArtifactKind, StageTook, clock::Instant};

/// Returns the device time that it took.
pub async fn sample(station: &Station, job: &Running) -> Result<Duration, Stop> {
    let spec = &job.claimed.job.spec;
    let model = station.engine.model(&spec.model).ok_or_else(|| WorkError::ModelUnknown(spec.model.clone()))?;
    let begun = Instant::now();

    let joined = model.batcher.join(model.request(spec), job.holder());
    let told = progress::report((&station.reporter, &station.sharing), job, joined.progress.clone());
    let made = async {
        let Sampled { latents, took, .. } = joined.sampled().await.map_err(WorkError::Sampling)?;
        let latents = Product { kind: ArtifactKind::Latents, bytes: latents.into() };
        let begun = Instant::now();
        let stored = publish(station, job, vec![latents]).await?;
        Ok::<_, Stop>((stored, took, begun.elapsed()))
    };
    let ((), made) = tokio::join!(told, made);
    let (stored, made, upload) = made?;

    let took = StageTook {
        elapsed_ms: begun.elapsed().as_millis() as u64,
        device_ms: job.device_ms(&station.sharing),
        load_ms: made.loading.as_millis() as u64,
        encode_ms: made.encoding.as_millis() as u64,
        upload_ms: upload.as_millis() as u64,
    };
    for latents in stored {
        let queue = station.services.store.queue();
        job.commit(took.device_ms, || queue.hand_over(&job.held.token, latents.clone(), took)).await?;
    }
    Ok(Duration::from_millis(took.device_ms))
}
