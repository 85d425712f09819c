//! Tells the database how far the samples have come: the newest step of each, all in one statement, and never
//! faster than anyone looks.

use crate::{
    batch::{PreviewFrame, Progress},
    device::sharing::{Meter, Sharing},
    work::lease::Leases,
    work::running::Running,
};
use diffusion::media::{Clip, webp};
use std::{
    collections::HashMap,
    convert::Infallible,
    mem,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};
use store::{LeaseToken, Preview, ProgressReport, Store, in_time};
use tokio::sync::{Notify, watch};

/// At most one write in this time, for all jobs of the process together.
const PAUSE: Duration = Duration::from_millis(120);
/// Frames are looked at so often while they are drawn.
const LOOK_EVERY: Duration = Duration::from_millis(500);
const PREVIEW_QUALITY: f32 = 75.0;

/// Collects what is to be told.
#[derive(Default)]
pub struct Reporter {
    /// Each with the meter of what it says of the device.
    pending: Mutex<HashMap<LeaseToken, (ProgressReport, Meter)>>,
    news: Notify,
}

impl Reporter {
    /// The newest news of a sample; a preview that was not told yet stays.
    fn tell(&self, report: ProgressReport, meter: &Meter) {
        let mut pending = self.pending.lock().unwrap_or_else(PoisonError::into_inner);
        let earlier = pending.remove(&report.token).and_then(|(earlier, _)| earlier.preview);
        let preview = report.preview.or(earlier);
        pending.insert(report.token, (ProgressReport { preview, ..report }, meter.clone()));
        self.news.notify_one();
    }

    /// The sample has left the batch: what comes of it is told by other means.
    pub fn forget(&self, token: &LeaseToken) {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner).remove(token);
    }

    /// Writes what has come together; runs until dropped. A database that does not answer is no reason to stop: the
    /// next step brings the next chance.
    pub async fn run(&self, store: &Store, leases: &Leases) {
        loop {
            self.news.notified().await;
            let pending = mem::take(&mut *self.pending.lock().unwrap_or_else(PoisonError::into_inner));
            let told: Vec<_> = pending.values().map(|(report, meter)| (report.token, report.device_ms, meter.clone())).collect();
            let reports: Vec<_> = pending.into_values().map(|(report, _)| report).collect();
            let jobs = reports.len();
            match in_time(store.queue().progress(reports)).await {
                Ok(lost) => {
                    told.iter().filter(|(token, ..)| !lost.contains(token)).for_each(|(_, ms, meter)| meter.told(*ms));
                    leases.refused(&lost, "progress");
                }
                Err(error) => tracing::warn!(jobs, error = &error as &dyn std::error::Error, "progress was not noted"),
            }
            tokio::time::sleep(PAUSE).await;
        }
    }
}

/// Reports progress until the sample has left the batch.
pub async fn report((reporter, device): (&Reporter, &Sharing), job: &Running, mut progress: watch::Receiver<Progress>) {
    let (token, mut shown) = (job.held.token, 0);
    while progress.changed().await.is_ok() {
        let Progress { step, preview } = progress.borrow_and_update().clone();
        let preview = match preview {
            Some(frame) if frame.step > shown => encode(frame).await,
            _ => None,
        };
        shown = preview.as_ref().map_or(shown, |preview| preview.step);
        reporter.tell(ProgressReport { token, step, decoded_permille: 0, device_ms: job.device_ms(device), preview }, &job.meter);
    }
    reporter.forget(&token);
}

/// How many frames of a clip are drawn.
#[derive(Default)]
pub struct Drawn {
    frames: AtomicUsize,
    of: AtomicUsize,
}

impl Drawn {
    /// The same clip, whose frames are counted here.
    pub fn watch(self: &Arc<Self>, clip: &Clip) -> Clip {
        self.of.store(clip.frames(), Ordering::Relaxed);
        let drawn = Arc::clone(self);
        clip.watched(move || {
            drawn.frames.fetch_add(1, Ordering::Relaxed);
        })
    }

    /// The one that stands for the clip is drawn twice.
    fn permille(&self) -> u32 {
        let (frames, of) = (self.frames.load(Ordering::Relaxed), self.of.load(Ordering::Relaxed));
        (frames * 1000).checked_div(of).map_or(0, |permille| permille.min(1000) as u32)
    }

    /// Reports them until dropped.
    pub async fn report(&self, (reporter, device): (&Reporter, &Sharing), job: &Running) -> Infallible {
        let (token, step) = (job.held.token, job.claimed.job.step);
        let mut told = 0;
        loop {
            tokio::time::sleep(LOOK_EVERY).await;
            let decoded_permille = self.permille();
            if decoded_permille > told {
                let report = ProgressReport { token, step, decoded_permille, device_ms: job.device_ms(device), preview: None };
                reporter.tell(report, &job.meter);
                told = decoded_permille;
            }
        }
    }
}

/// A preview that cannot be encoded is no preview.
async fn encode(preview: PreviewFrame) -> Option<Preview> {
    let PreviewFrame { step, frame } = preview;
    let bytes = tokio::task::spawn_blocking(move || webp(&frame, PREVIEW_QUALITY)).await.ok()?.ok()?;
    Some(Preview { step, content_type: "image/webp".to_owned(), bytes })
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{JobId, Stage, TenantId};
    use uuid::Uuid;

    #[test]
    fn frames_are_counted_as_they_are_drawn() {
        let grey = |_| diffusion::media::Frame { width: 16, height: 16, rgb: vec![128; 16 * 16 * 3] };
        let (drawn, clip) = (Arc::new(Drawn::default()), Clip::drawn(16, 16, 4, 8, grey).unwrap());
        assert_eq!(drawn.permille(), 0);
        let clip = drawn.watch(&clip).resized(8, 8).unwrap();
        let counted: Vec<u32> = [0, 1, 2, 3, 2].map(|index| clip.frame(index).map(|_| drawn.permille()).unwrap()).into();
        assert_eq!(counted, [250, 500, 750, 1000, 1000]);
    }

    #[test]
    fn the_newest_step_is_kept_with_the_newest_preview() {
        let (job, tenant) = (JobId::from_uuid(Uuid::nil()), TenantId::from_uuid(Uuid::nil()));
        let token = LeaseToken { job, tenant, stage: Stage::Sampling, epoch: 1 };
        let preview = |step| Some(Preview { step, content_type: String::new(), bytes: vec![] });
        let reporter = Reporter::default();
        for (step, preview) in [(3, None), (4, preview(4)), (5, None)] {
            reporter.tell(ProgressReport { token, step, decoded_permille: 0, device_ms: 0, preview }, &Meter::default());
        }
        let pending = reporter.pending.lock().unwrap();
        let (newest, _) = &pending[&token];
        assert_eq!((newest.step, &newest.preview), (5, &preview(4)));
    }
}
