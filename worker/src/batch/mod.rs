//! The batcher: requests join and leave a running batch between any two denoising steps.
//!
//! A thread of its own owns the loop over steps. It talks in channels that never block it: orders come in
//! through a queue, progress goes out as the latest value, and whoever stops waiting for a result has left.

mod member;
mod preview;
mod thread;

pub use member::{guarded, panic_text};

use crate::fault::Faults;
use diffusion::{Family, Request, media::Frame};
use std::{io, num::NonZeroUsize, sync::Arc, sync::mpsc, time::Duration};
use tokio::sync::{oneshot, watch};

/// The door to the thread. The thread ends, after what it has begun, when the last door is dropped.
pub struct Batcher {
    orders: mpsc::Sender<Order>,
}

/// A request on its way to the thread, with the ends of the channels to its owner.
struct Order {
    request: Request,
    progress: watch::Sender<Progress>,
    reply: oneshot::Sender<Result<Sampled, SamplingError>>,
}

/// A place in the batch. Dropping it leaves the batch at the next boundary between two steps.
pub struct Ticket {
    pub progress: watch::Receiver<Progress>,
    reply: oneshot::Receiver<Result<Sampled, SamplingError>>,
}

/// How far a sample has come.
#[derive(Debug, Clone, Default)]
pub struct Progress {
    /// Denoising steps done.
    pub step: u32,
    pub preview: Option<Foreseen>,
}

/// A frame of the clip as foreseen after `step` steps.
#[derive(Debug, Clone)]
pub struct Foreseen {
    pub step: u32,
    pub frame: Arc<Frame>,
}

/// A sample after its last step.
#[derive(Debug)]
pub struct Sampled {
    /// As the decoder reads them.
    pub latents: Vec<u8>,
    /// Its share of the device's time: a step of a batch of four counts a quarter.
    pub device: Duration,
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
    /// Starts a thread that denoises at most `capacity` samples of `family` at once.
    ///
    /// # Errors
    /// When the system grants no thread.
    pub fn start(family: Arc<dyn Family>, capacity: NonZeroUsize, faults: Faults) -> io::Result<Self> {
        let (orders, inbox) = mpsc::channel();
        let batch = thread::Batch::new(family, capacity.get(), faults, inbox);
        std::thread::Builder::new().name("batcher".into()).spawn(move || batch.run())?;
        Ok(Self { orders })
    }

    /// Lets a request in at the next boundary between two steps at which there is room.
    pub fn join(&self, request: Request) -> Ticket {
        let (progress, seen) = watch::channel(Progress::default());
        let (reply, answer) = oneshot::channel();
        // If the thread is gone the order is dropped with its ends of the channels, which the ticket notices.
        let _ = self.orders.send(Order { request, progress, reply });
        Ticket { progress: seen, reply: answer }
    }
}

impl Ticket {
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
