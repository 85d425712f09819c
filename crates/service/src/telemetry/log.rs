//! The log of the server and of the worker: lines for people, or one JSON object a line for programs.

use std::io::{IsTerminal, stderr};
use tracing_subscriber::EnvFilter;

/// Starts the log on standard error. `RUST_LOG` says what is logged, else `default` does.
pub fn start_log(json: bool, default: &str) {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(default));
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_ansi(stderr().is_terminal()).with_writer(stderr);
    // Where the log cannot be written, a complaint there would end the process.
    let log = log.log_internal_errors(false);
    if json { log.json().init() } else { log.init() }
}
