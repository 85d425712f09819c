//! From the first signal to the exit: no new jobs, some time for the running ones, then they are given back.

use std::{io, process, time::Duration};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_util::sync::CancellationToken;

#[derive(Clone, Default)]
pub struct Shutdown {
    /// No further job is taken.
    pub closing: CancellationToken,
    /// Running jobs are given back.
    pub time_is_up: CancellationToken,
}

impl Shutdown {
    /// Listens to SIGTERM and SIGINT from now on; running jobs get `grace` after the first, none after the second.
    ///
    /// # Errors
    /// When the system refuses to hand over its signals.
    pub fn on_signals(grace: Duration) -> io::Result<Self> {
        let shutdown = Self::default();
        let signals = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
        tokio::spawn(shutdown.clone().listen(signals, grace));
        Ok(shutdown)
    }

    async fn listen(self, mut signals: (Signal, Signal), grace: Duration) {
        next(&mut signals).await;
        tracing::info!(grace_ms = grace.as_millis() as u64, "closing: no further job is taken");
        self.closing.cancel();
        tokio::select! {
            () = tokio::time::sleep(grace) => self.time_is_up.cancel(),
            () = next(&mut signals) => at_once(),
        }
        next(&mut signals).await;
        at_once();
    }
}

async fn next((terminate, interrupt): &mut (Signal, Signal)) {
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
}

fn at_once() {
    tracing::warn!("a second signal: exiting at once");
    process::exit(130);
}
