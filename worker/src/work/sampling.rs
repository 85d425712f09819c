//! The sampling stage: a prompt becomes latents in the object store.

use crate::{
    batch::{Holder, Sampled},
    work::outcome::{Stop, WorkError},
    work::progress,
    work::publish::{Product, publish},
    work::running::Running,
    work::station::Station,
};
use std::{sync::Arc, time::Duration};
use store::ArtifactKind;
use store::clock::Instant;

/// Returns the device time that it took.
pub async fn sample(station: &Station, job: &Running) -> Result<Duration, Stop> {
    let spec = &job.claimed.job.spec;
    let model = station.engine.model(&spec.model).ok_or_else(|| WorkError::ModelUnknown(spec.model.clone()))?;
    let begun = Instant::now();

    let holder = Holder { hung: job.held.hung.clone(), slot: Some(Arc::clone(&job.permit)) };
    let joined = model.batcher.join(model.request(spec), holder);
    let told = progress::report(&station.reporter, job, joined.progress.clone());
    let made = async {
        let Sampled { latents, device } = joined.sampled().await.map_err(WorkError::Sampling)?;
        let latents = Product { kind: ArtifactKind::Latents, bytes: latents.into() };
        Ok::<_, Stop>((publish(station, job, vec![latents]).await?, device))
    };
    let ((), made) = tokio::join!(told, made);
    let (stored, device) = made?;

    let sampling_ms = begun.elapsed().as_millis() as u64;
    for latents in stored {
        let queue = station.services.store.queue();
        job.commit(|| queue.hand_over(&job.held.token, latents.clone(), sampling_ms)).await?;
    }
    Ok(device)
}
