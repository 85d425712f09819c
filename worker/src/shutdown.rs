//! From the first reason to end to the exit: no new jobs, some time for the running ones, then they are given back.

use std::{
    io, process,
    sync::{Arc, OnceLock},
    time::Duration,
};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_util::sync::CancellationToken;

/// Signals that come so soon after the first are the same one.
const SAME_SIGNAL: Duration = Duration::from_secs(1);

#[derive(Clone)]
pub struct Shutdown {
    /// No further job is taken.
    pub closing: CancellationToken,
    /// Running jobs are given back.
    pub time_is_up: CancellationToken,
    defect: Arc<OnceLock<Defect>>,
    /// From now on running jobs have `grace`.
    hurry: CancellationToken,
    grace: Duration,
}

/// Why a worker ends by itself, so that another is started in its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Defect {
    #[error("the device failed job after job")]
    DeviceFails,
    #[error("the device does not come back from a call")]
    DeviceHangs,
}

impl Shutdown {
    /// Running jobs get `grace` after the first signal, none after the second.
    pub fn new(grace: Duration) -> Self {
        let token = CancellationToken::new;
        Self { closing: token(), time_is_up: token(), defect: Arc::default(), hurry: token(), grace }
    }

    /// Listens to SIGTERM and SIGINT from now on.
    ///
    /// # Errors
    /// When the system refuses to hand over its signals.
    pub fn on_signals(&self) -> io::Result<()> {
        let signals = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
        tokio::spawn(self.clone().listen(signals));
        let shutdown = self.clone();
        tokio::spawn(async move {
            shutdown.hurry.cancelled().await;
            tokio::time::sleep(shutdown.grace).await;
            shutdown.time_is_up.cancel();
        });
        Ok(())
    }

    /// The device failed job after job: what runs may end, nothing more is taken.
    pub fn device_fails(&self) {
        let _ = self.defect.set(Defect::DeviceFails);
        self.closing.cancel();
        self.hurry.cancel();
    }

    /// What runs may end however long it takes, nothing more is taken.
    pub fn drain(&self) {
        if !self.closing.is_cancelled() {
            tracing::info!("draining: no further job is taken");
            self.closing.cancel();
        }
    }

    /// The device does not come back from a call: everything else is given back at once.
    pub fn device_hangs(&self) {
        let _ = self.defect.set(Defect::DeviceHangs);
        self.closing.cancel();
        self.time_is_up.cancel();
    }

    /// What is wrong with this worker, if anything is.
    pub fn defect(&self) -> Option<Defect> {
        self.defect.get().copied()
    }

    async fn listen(self, mut signals: (Signal, Signal)) {
        next(&mut signals).await;
        tracing::info!(grace_ms = self.grace.as_millis() as u64, "closing: no further job is taken");
        self.closing.cancel();
        self.hurry.cancel();
        // Who ends a whole group of processes may say so to each of them as well.
        let _ = tokio::time::timeout(SAME_SIGNAL, async {
            loop {
                next(&mut signals).await
            }
        })
        .await;
        next(&mut signals).await;
        tracing::warn!("a second signal: exiting at once");
        process::exit(130);
    }
}

async fn next((terminate, interrupt): &mut (Signal, Signal)) {
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
}
