//! Tells the database how far a sample has come: the newest step, never faster than anyone looks.

use crate::{
    batch::{Foreseen, Progress},
    work::outcome::Stop,
    work::running::Running,
};
use diffusion::media::webp;
use std::time::Duration;
use store::{LeaseError, Preview, Store};
use tokio::{sync::watch, time::Instant};

/// At most one write in this time for each job.
const PAUSE: Duration = Duration::from_millis(120);
const PREVIEW_QUALITY: f32 = 75.0;

/// Writes progress until the sample has left the batch; its last step is always written.
///
/// # Errors
/// [`Stop::Lost`] when the job is somebody else's. A database that does not answer is no reason to stop:
/// the next step brings the next chance.
pub async fn report(store: &Store, job: &Running, mut progress: watch::Receiver<Progress>) -> Result<(), Stop> {
    let (mut shown, mut not_before) = (0, Instant::now());
    while progress.changed().await.is_ok() {
        tokio::time::sleep_until(not_before).await;
        not_before = Instant::now() + PAUSE;
        let Progress { step, preview } = progress.borrow_and_update().clone();
        let preview = match preview {
            Some(foreseen) if foreseen.step > shown => encode(foreseen).await,
            _ => None,
        };
        shown = preview.as_ref().map_or(shown, |preview| preview.step);
        write(store, job, step, preview).await?;
    }
    Ok(())
}

async fn write(store: &Store, job: &Running, step: u32, preview: Option<Preview>) -> Result<(), Stop> {
    if !job.held.is_good() {
        return Err(Stop::Lost);
    }
    match store.queue().progress(&job.held.token, step, preview).await {
        Ok(()) => Ok(()),
        Err(LeaseError::Lost { .. }) => {
            job.held.refused("progress");
            Err(Stop::Lost)
        }
        Err(LeaseError::Store(error)) => {
            tracing::warn!(step, error = &error as &dyn std::error::Error, "progress was not noted");
            Ok(())
        }
    }
}

/// A preview that cannot be encoded is no preview.
async fn encode(foreseen: Foreseen) -> Option<Preview> {
    let Foreseen { step, frame } = foreseen;
    let bytes = tokio::task::spawn_blocking(move || webp(&frame, PREVIEW_QUALITY)).await.ok()?.ok()?;
    Some(Preview { step, content_type: "image/webp".to_owned(), bytes })
}
