//! The person's wish to stop: Ctrl-C, a SIGTERM or a closed terminal, remembered until somebody looks.
//!
//! A second Ctrl-C ends xtask at once; the kernel then ends what it started.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use anyhow::{Context, Result};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

static WISH: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// The task was stopped on request; not a failure worth a message.
#[derive(Debug, thiserror::Error)]
#[error("stopped on request")]
pub struct Interrupted;

/// Starts to listen; to be called once, before anything is started.
pub fn listen() -> Result<()> {
    let wish = WISH.get_or_init(Arc::default);
    signal_hook::flag::register_conditional_shutdown(SIGINT, 130, Arc::clone(wish))
        .and_then(|_| signal_hook::flag::register(SIGINT, Arc::clone(wish)))
        .and_then(|_| signal_hook::flag::register(SIGTERM, Arc::clone(wish)))
        .and_then(|_| signal_hook::flag::register(SIGHUP, Arc::clone(wish)))
        .context("cannot listen for signals")?;
    Ok(())
}

pub fn requested() -> bool {
    WISH.get().is_some_and(|wish| wish.load(Ordering::Relaxed))
}

/// # Errors
/// [`Interrupted`] once the person asked to stop.
pub fn check() -> Result<()> {
    if requested() { Err(Interrupted.into()) } else { Ok(()) }
}
