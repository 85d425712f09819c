//! Runs a load that is made up or was recorded over workers that are made up, and prints what came of it.

use clap::{Parser, ValueEnum};
use domain::scheduling::StageSlots;
use serde::Serialize;
use simulation::{
    Demand, Device, Experiment, Load, Policy, Report, Scaler, Scaling, ServedModel, StageMs, StateError, TraceError, Worker, read_trace,
    run,
};
use std::{fs::File, io::BufReader, path::PathBuf, process::ExitCode, time::Instant};

#[derive(Parser)]
#[command(name = "simulate", about = "Simulate the queue: what a policy does to a load.")]
struct Options {
    /// A recorded load: one job a line, in JSON.
    #[arg(long, conflicts_with_all = ["load", "replay"])]
    trace: Option<PathBuf>,
    /// The same; prints also how long its jobs waited here and there.
    #[arg(long, conflicts_with = "load")]
    replay: Option<PathBuf>,
    /// A load that is made up: what is asked for, as a share of what the devices can do.
    #[arg(long, default_value_t = 0.9)]
    load: f64,
    #[arg(long, default_value_t = 100_000)]
    jobs: usize,
    #[arg(long, default_value_t = 100)]
    tenants: usize,
    /// Jobs that a request of a batch tenant brings, on the average.
    #[arg(long, default_value_t = 20.0)]
    burst: f64,
    /// Workers, each with a device of its own; the most of them, where they are scaled.
    #[arg(long, default_value_t = 100)]
    gpus: usize,
    /// How much of a job's device time each device does in a second.
    #[arg(long, default_value_t = 1.0)]
    speed: f64,
    /// What a batch saves of each step but its first, from 0 to 1.
    #[arg(long, default_value_t = 0.0)]
    batch_gain: f64,
    /// Jobs that a worker samples at once.
    #[arg(long, default_value_t = 4)]
    slots: usize,
    /// Of them, those reserved for interactive jobs. A quarter unless it is given.
    #[arg(long)]
    interactive_slots: Option<usize>,
    #[arg(long, default_value_t = 1)]
    decoding_slots: usize,
    /// Milliseconds of each stage for which a job has its slot and needs no device.
    #[arg(long, default_value_t = 100.0)]
    overhead_ms: f64,
    /// Milliseconds that a claim takes, from a slot and a job that are there until the job has begun.
    #[arg(long, default_value_t = 0.0)]
    claim_ms: f64,
    /// Leaves out the limits of tenants, which only our policy has: numbers at once and release rates.
    #[arg(long)]
    unlimited: bool,
    #[arg(long, value_enum, default_value_t = PolicyName::Ours)]
    policy: PolicyName,
    /// Of scaling: more workers are added when more jobs wait for each.
    #[arg(long, default_value_t = 1.0)]
    scale_at: f64,
    /// Of scaling: seconds until an added worker takes jobs.
    #[arg(long, default_value_t = 120.0)]
    cold_start_s: f64,
    /// Of scaling: seconds that a worker is idle before it is removed.
    #[arg(long, default_value_t = 300.0)]
    idle_s: f64,
    /// What an hour of a device costs, of any currency.
    #[arg(long, default_value_t = 2.5)]
    gpu_hour_price: f64,
    /// Of how many jobs the end is foretold as they come.
    #[arg(long, default_value_t = 200)]
    eta_sample: usize,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// For programs.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum PolicyName {
    Ours,
    Fifo,
    RoundRobin,
    /// In the order of arrival, with workers that come and go.
    ThresholdScaling,
}

impl PolicyName {
    const fn policy(self) -> Policy {
        match self {
            Self::Ours => Policy::Fair,
            Self::Fifo | Self::ThresholdScaling => Policy::Fifo,
            Self::RoundRobin => Policy::RoundRobin,
        }
    }
}

#[derive(Debug, thiserror::Error)]
enum SimulateError {
    #[error("{path} cannot be opened: {source}")]
    Open { path: String, source: std::io::Error },
    #[error("{path}: {source}")]
    Trace { path: String, source: TraceError },
    #[error(transparent)]
    State(#[from] StateError),
    #[error("the report cannot be written: {0}")]
    Json(#[from] serde_json::Error),
    #[error("--{0} is to be more than nothing")]
    Nothing(&'static str),
}

#[derive(Serialize)]
struct Output<'a> {
    #[serde(flatten)]
    report: &'a Report,
    cost: f64,
    took_s: f64,
}

fn main() -> ExitCode {
    match simulate(&Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn simulate(options: &Options) -> Result<(), SimulateError> {
    let is_nothing = [("gpus", options.gpus == 0), ("slots", options.slots == 0), ("decoding-slots", options.decoding_slots == 0)];
    let is_nothing =
        is_nothing.into_iter().chain([("tenants", options.tenants == 0), ("speed", options.speed <= 0.0), ("load", options.load <= 0.0)]);
    if let Some((name, _)) = is_nothing.into_iter().find(|(_, is_nothing)| *is_nothing) {
        return Err(SimulateError::Nothing(name));
    }
    let began = Instant::now();
    let mut load = load(options)?;
    if options.unlimited {
        load.tenants.iter_mut().for_each(|tenant| tenant.gate = None);
    }
    let report = run(&experiment(options, load.models.len()), &load)?;
    let (cost, took_s) = (report.devices.hours * options.gpu_hour_price, began.elapsed().as_secs_f64());
    if options.json {
        println!("{}", serde_json::to_string_pretty(&Output { report: &report, cost, took_s })?);
    } else {
        print!("{report}");
        println!("Cost: {cost:.2} at {:.2} for an hour of a device.", options.gpu_hour_price);
        println!("Simulated in {took_s:.1} s.");
    }
    Ok(())
}

fn load(options: &Options) -> Result<Load, SimulateError> {
    let overhead_ms = StageMs { sampling: options.overhead_ms, decoding: options.overhead_ms };
    let Some(path) = options.trace.as_ref().or(options.replay.as_ref()) else {
        let Options { jobs, tenants, load, burst, seed, .. } = *options;
        let devices_load = load * options.speed;
        return Ok(Demand { jobs, tenants, load: devices_load, devices: options.gpus, burst, overhead_ms, seed }.make());
    };
    let name = || path.display().to_string();
    let file = File::open(path).map_err(|source| SimulateError::Open { path: name(), source })?;
    read_trace(BufReader::new(file), overhead_ms).map_err(|source| SimulateError::Trace { path: name(), source })
}

fn experiment(options: &Options, models: usize) -> Experiment {
    let worker = Worker {
        sampling: options.interactive_slots.map_or_else(|| options.slots.into(), |reserved| StageSlots::new(options.slots, reserved)),
        decoding: options.decoding_slots.into(),
        device: Device { speed: options.speed, batch_gain: options.batch_gain.clamp(0.0, 1.0) },
        models: (0..models).map(ServedModel::loaded).collect(),
        available_at_ms: 0.0,
        claim_ms: options.claim_ms,
    };
    let is_scaled = options.policy == PolicyName::ThresholdScaling;
    // A tenth is always there.
    let always = if is_scaled { options.gpus.div_ceil(10) } else { options.gpus };
    let scaler = is_scaled.then(|| {
        Scaler::new(Scaling {
            waiting_per_worker: options.scale_at,
            workers_min: always,
            workers_max: options.gpus,
            cold_start_ms: options.cold_start_s * 1000.0,
            idle_ms: options.idle_s * 1000.0,
            look_every_ms: 5000.0,
            worker: worker.clone(),
        })
    });
    Experiment {
        policy: options.policy.policy(),
        workers: vec![worker; always],
        scaler,
        eta_sample: options.eta_sample,
        seed: options.seed,
    }
}
