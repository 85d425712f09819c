//! `reelmill-worker`: one process for each device. It claims jobs, denoises them in a running batch, decodes
//! them and publishes the files.

mod batch;
mod device;
mod engine;
mod fault;
mod memory;
mod options;
mod process;
mod residency;
mod shutdown;
mod trace;
mod work;

use anyhow::Context;
use clap::Parser;
use options::Options;

/// The runtime only waits for answers; computing has threads of its own.
const RUNTIME_THREADS: usize = 2;

fn main() -> anyhow::Result<()> {
    memory::keep_freed_pages();
    let options = Options::parse();
    service::telemetry::start_log(options.log_json, "info,apalis_core=warn");
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(RUNTIME_THREADS).enable_all().build().context("no runtime")?;
    let outcome = runtime.block_on(process::start::run(options));
    // A decode that nobody waits for any more must not hold up the exit.
    runtime.shutdown_background();
    outcome
}
