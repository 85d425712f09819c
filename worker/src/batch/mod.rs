//! The batcher: requests join and leave a running batch between any two denoising steps.
//!
//! A thread of its own owns the loop over steps. It talks in channels that never block it: requests come in
//! through a queue, progress goes out as the latest value, and whoever stops waiting for a result has left.

mod member;
mod preview;
mod thread;

pub use member::{guarded, panic_text};

use crate::{
    device::{
        pace::Pace,
        sharing::{Meter, Sharing},
        watchdog::Watchdog,
    },
    fault::Faults,
    residency::ModelUse,
    trace::JobTrace,
};
use diffusion::{Family, Request, media::Frame};
use std::{
    io,
    num::NonZeroUsize,
    sync::{Arc, atomic::AtomicU64, mpsc},
    time::Duration,
};
use store::queue::Permit;
use tokio::sync::{oneshot, watch};
use tokio_util::sync::CancellationToken;

/// The door to the thread. The thread ends, after what it has begun, when the last door is dropped.
pub struct Batcher {
    requests: mpsc::Sender<Joining>,
}

/// A request on its way to the thread, with the ends of the channels to its owner.
struct Joining {
    request: Request,
    holder: Holder,
    progress: watch::Sender<Progress>,
    reply: oneshot::Sender<Result<Sampled, SamplingError>>,
}

/// What the thread is to know of whoever waits for a sample.
#[derive(Clone, Default)]
pub struct Holder {
    /// Cancelled when the device hangs over the sample.
    pub hung: CancellationToken,
    /// Kept until the thread lets go of the sample: a slot whose thread still computes is not free.
    pub slot: Option<Arc<Permit>>,
    /// Kept as long: the model stays in memory.
    pub model: Option<Arc<ModelUse>>,
    /// Counts what the sample takes of the device.
    pub meter: Meter,
    pub trace: JobTrace,
}

impl Holder {
    /// Whether the sample makes room for an interactive one.
    fn is_paused(&self) -> bool {
        self.slot.as_ref().is_some_and(|slot| slot.is_paused())
    }
}

/// How the thread's calls to the device are watched.
#[derive(Clone)]
pub struct Watch {
    pub watchdog: Watchdog,
    pub sharing: Sharing,
    /// Of a denoising step, per pixel of all frames of all its samples.
    pub pace: Arc<Pace>,
    pub counts: Arc<StepCounts>,
}

/// Steps that were taken so far, and who took part in them.
#[derive(Debug, Default)]
pub struct StepCounts {
    pub steps: AtomicU64,
    /// Counted at each step.
    pub samples: AtomicU64,
}

/// A request that has joined the batch. Dropping it leaves the batch at the next boundary between two steps.
pub struct Joined {
    pub progress: watch::Receiver<Progress>,
    reply: oneshot::Receiver<Result<Sampled, SamplingError>>,
}

/// How far a sample has come.
#[derive(Debug, Clone, Default)]
pub struct Progress {
    /// Denoising steps done.
    pub step: u32,
    pub preview: Option<PreviewFrame>,
}

/// A frame of the clip as the sample points at it after `step` steps.
#[derive(Debug, Clone)]
pub struct PreviewFrame {
    pub step: u32,
    pub frame: Arc<Frame>,
}

/// A sample after its last step.
#[derive(Debug)]
pub struct Sampled {
    /// As the decoder reads them.
    pub latents: Vec<u8>,
    pub took: Took,
}

/// What of a sample's time was no denoising.
#[derive(Debug, Clone, Copy, Default)]
pub struct Took {
    /// Waiting for weights.
    pub loading: Duration,
    /// Encoding its texts.
    pub encoding: Duration,
}

#[derive(Debug, thiserror::Error)]
pub enum SamplingError {
    #[error(transparent)]
    Engine(#[from] diffusion::Error),
    #[error("the engine panicked: {0}")]
    Panicked(String),
    #[error("the batcher's thread has ended")]
    ThreadEnded,
}

impl Batcher {
    /// Starts a thread that denoises at most `capacity` samples of `family` at once. One whose slot is paused keeps its latents and takes no step.
    ///
    /// # Errors
    /// When the system grants no thread.
    pub fn start(family: Arc<dyn Family>, capacity: NonZeroUsize, faults: Faults, watch: Watch) -> io::Result<Self> {
        let (requests, inbox) = mpsc::channel();
        let batch = thread::Batch::new(family, capacity.get(), faults, watch, inbox);
        std::thread::Builder::new().name("batcher".into()).spawn(move || batch.run())?;
        Ok(Self { requests })
    }

    /// Lets a request in at the next boundary between two steps at which there is room.
    pub fn join(&self, request: Request, holder: Holder) -> Joined {
        let (progress, seen) = watch::channel(Progress::default());
        let (reply, answer) = oneshot::channel();
        // If the thread is gone the request is dropped with its ends of the channels, which `Joined` notices.
        let _ = self.requests.send(Joining { request, holder, progress, reply });
        Joined { progress: seen, reply: answer }
    }
}

impl Joined {
    /// Waits for the last step.
    ///
    /// # Errors
    /// [`SamplingError`] when there will be no result.
    pub async fn sampled(self) -> Result<Sampled, SamplingError> {
        self.reply.await.unwrap_or(Err(SamplingError::ThreadEnded))
    }
}

#[cfg(test)]
mod tests;
