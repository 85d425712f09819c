//! `reelmill-worker`: one process for each device. It claims jobs, denoises them in a running batch, decodes
//! them and publishes the files.

mod batch;
mod engine;
mod fault;
mod memory;
mod options;
mod process;
mod work;

use anyhow::Context;
use clap::Parser;
use options::Options;
use std::io::IsTerminal;
use tracing_subscriber::EnvFilter;

/// The runtime only waits for answers; computing has threads of its own.
const RUNTIME_THREADS: usize = 2;

fn main() -> anyhow::Result<()> {
    memory::keep_freed_pages();
    let options = Options::parse();
    start_log(options.log_json);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(RUNTIME_THREADS).enable_all().build().context("no runtime")?;
    let outcome = runtime.block_on(process::start::run(options));
    // A decode that nobody waits for any more must not hold up the exit.
    runtime.shutdown_background();
    outcome
}

fn start_log(json: bool) {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info,apalis_core=warn"));
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_ansi(std::io::stderr().is_terminal()).with_writer(std::io::stderr);
    // Where the log cannot be written, a complaint there would end the process.
    let log = log.log_internal_errors(false);
    if json { log.json().init() } else { log.with_target(false).init() }
}
