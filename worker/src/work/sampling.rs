//! The sampling stage: a prompt becomes latents in the object store.

use crate::{
    batch::Sampled,
    engine,
    process::station::Station,
    work::outcome::{Stop, WorkError},
    work::progress,
    work::publish::{Product, publish},
    work::running::Running,
};
use std::time::{Duration, Instant};
use store::ArtifactKind;

/// Returns the device time that it took.
pub async fn sample(station: &Station, job: &Running) -> Result<Duration, Stop> {
    let spec = &job.claimed.job.spec;
    let model = station.engine.model(&spec.model).ok_or_else(|| WorkError::ModelUnknown(spec.model.clone()))?;
    let begun = Instant::now();

    let ticket = model.batcher.join(engine::request(spec));
    let told = progress::report(&station.services.store, job, ticket.progress.clone());
    let made = async {
        let Sampled { latents, device } = ticket.sampled().await.map_err(WorkError::Sampling)?;
        let latents = Product { kind: ArtifactKind::Latents, bytes: latents.into() };
        Ok((publish(station, job, vec![latents]).await?, device))
    };
    // The last step is told while the latents are uploaded; losing the lease in either ends both.
    let ((), (stored, device)) = tokio::try_join!(told, made)?;

    let sampling_ms = begun.elapsed().as_millis() as u64;
    for latents in stored {
        let queue = station.services.store.queue();
        job.commit(|| queue.hand_over(&job.held.token, latents.clone(), sampling_ms)).await?;
    }
    Ok(device)
}
