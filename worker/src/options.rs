//! What the operator chooses when starting a worker. Read and checked before anything starts.

use crate::fault::Faults;
use clap::{Parser, ValueEnum};
use domain::{Stage, WorkerId, scheduling::StageSlots};
use service::{
    config::{ModelsFolder, Storage},
    telemetry::MetricsToken,
};
use std::{fmt, net::SocketAddr, num::NonZeroUsize, path::PathBuf, str::FromStr, time::Duration};
use store::{WorkerRole, WorkerSlots};

/// One decode at a time: it uses all cores by itself.
const DECODES_AT_ONCE: usize = 1;
/// For loading the weights of a call, from a slow disk too.
const LOADING: Duration = Duration::from_secs(600);

/// Makes videos: one process for each device
#[derive(Debug, Clone, Parser)]
#[command(name = "reelmill-worker", version)]
pub struct Options {
    /// Which stages of a job to work on
    #[arg(long, env = "REELMILL_ROLE", value_enum, default_value_t = Role::All)]
    pub role: Role,
    /// cpu or cuda:N, the latter in a worker that was built with the feature `cuda`
    #[arg(long, env = "REELMILL_DEVICE", default_value_t = DeviceName::Cpu)]
    pub device: DeviceName,
    /// What the device is called on the operator's pages, where all of one name have one price, such as h100 [default: as the device]
    #[arg(long, env = "REELMILL_DEVICE_NAME", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub device_name: Option<String>,
    /// As whom to register, as told by a server that starts workers beside itself [default: a new one]
    #[arg(long, env = "REELMILL_WORKER_ID", hide = true)]
    pub worker_id: Option<WorkerId>,
    #[command(flatten)]
    pub folder: ModelsFolder,
    /// At most so many bytes of weights stay loaded; others are loaded again when they are needed. Without it, all that
    /// were used stay
    #[arg(long, env = "REELMILL_MEMORY_BUDGET")]
    pub memory_budget: Option<u64>,
    /// How many bytes of memory the device has. Models are then loaded and unloaded by what waits for them, so that they stay within 95 % of
    /// it; and a job that it is too small for is tried on one with more
    #[arg(long, env = "REELMILL_DEVICE_MEMORY")]
    pub device_memory: Option<u64>,
    /// How many samples are denoised at once
    #[arg(long, env = "REELMILL_BATCH", default_value = "4")]
    pub batch: NonZeroUsize,
    /// How many of them are reserved for jobs that somebody waits for; what these do not need is lent to batches [default: all but a quarter]
    #[arg(long, env = "REELMILL_INTERACTIVE_SLOTS")]
    pub interactive_slots: Option<NonZeroUsize>,
    /// How long a job stays ours without a sign of life, in milliseconds
    #[arg(long, env = "REELMILL_LEASE_MS", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(200..=domain::job::LEASE_MAX_MS))]
    pub lease_ms: u32,
    /// How long running jobs may go on after SIGTERM before they are given back, in milliseconds; that takes moments, and nine
    /// seconds where the database hardly answers
    #[arg(long, env = "REELMILL_GRACE_MS", default_value_t = 8000)]
    pub grace_ms: u32,
    /// A call to the device that takes longer than this, and ten times what such calls took, ends the process,
    /// in milliseconds
    #[arg(long, env = "REELMILL_DEVICE_TIMEOUT_MS", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(200..=3_600_000))]
    pub device_timeout_ms: u32,
    /// How long a job waits for the object store before it is given back, in milliseconds
    #[arg(long, env = "REELMILL_OBJECTS_TIMEOUT_MS", default_value_t = 600_000, value_parser = clap::value_parser!(u32).range(1000..))]
    pub objects_timeout_ms: u32,
    /// Address at which `/livez` and `/readyz` answer, and `/metrics` can be read with a token, such as 127.0.0.1:9464
    #[arg(long, env = "REELMILL_METRICS_LISTEN")]
    pub metrics_listen: Option<SocketAddr>,
    /// Secret of at least 16 characters that opens `/metrics` as `Authorization: Bearer`; without it there is no such page
    #[arg(long, env = "REELMILL_METRICS_TOKEN", hide_env_values = true)]
    pub metrics_token: Option<MetricsToken>,
    /// Print one JSON object a line
    #[arg(long, env = "REELMILL_LOG_JSON")]
    pub log_json: bool,
    /// Breaks the worker on purpose, for torture tests; see [`Faults`].
    #[arg(long, hide = true, default_value = "")]
    pub fault: Faults,
    /// Where held workers say so and are told to go on; see [`Faults`].
    #[arg(long, hide = true)]
    pub fault_folder: Option<PathBuf>,
    #[command(flatten)]
    pub storage: Storage,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Role {
    /// Prompt to latents
    Sampler,
    /// Latents to files
    Decoder,
    All,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeviceName {
    Cpu,
    Cuda(usize),
}

impl Options {
    pub fn lease(&self) -> Duration {
        Duration::from_millis(self.lease_ms.into())
    }

    /// How long any call to the device may take, whatever such calls took before.
    pub fn device_timeout(&self) -> Duration {
        Duration::from_millis(self.device_timeout_ms.into())
    }

    /// What a call may take beside that: where weights do not stay loaded, it may have to load them first.
    pub const fn loading(&self) -> Duration {
        if self.memory_budget.is_some() { LOADING } else { Duration::ZERO }
    }

    pub fn slots(&self) -> WorkerSlots {
        let all = self.batch.get();
        let sampling = self.interactive_slots.map_or_else(|| all.into(), |reserved| StageSlots::new(all, reserved.get()));
        WorkerSlots { sampling, decoding: DECODES_AT_ONCE.into() }
    }

    pub fn device_name(&self) -> String {
        self.device_name.clone().unwrap_or_else(|| self.device.to_string())
    }

    pub fn objects_timeout(&self) -> Duration {
        Duration::from_millis(self.objects_timeout_ms.into())
    }

    pub fn grace(&self) -> Duration {
        Duration::from_millis(self.grace_ms.into())
    }
}

impl Role {
    pub const fn stages(self) -> &'static [Stage] {
        match self {
            Self::Sampler => &[Stage::Sampling],
            Self::Decoder => &[Stage::Decoding],
            Self::All => &[Stage::Sampling, Stage::Decoding],
        }
    }
}

impl From<Role> for WorkerRole {
    fn from(role: Role) -> Self {
        match role {
            Role::Sampler => Self::Sampler,
            Role::Decoder => Self::Decoder,
            Role::All => Self::All,
        }
    }
}

impl fmt::Display for DeviceName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cpu => f.write_str("cpu"),
            Self::Cuda(ordinal) => write!(f, "cuda:{ordinal}"),
        }
    }
}

impl FromStr for DeviceName {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.split_once(':') {
            None if text == "cpu" => Ok(Self::Cpu),
            Some(("cuda", ordinal)) => ordinal.parse().map(Self::Cuda).map_err(|_| "name the GPU by its number, as in cuda:0"),
            _ => Err("choose cpu or cuda:N"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_options_are_consistent_and_faults_are_not_advertised() {
        Options::command().debug_assert();
        assert!(!Options::command().render_long_help().to_string().contains("--fault"));
    }

    #[test]
    fn a_device_is_spelt_as_it_is_printed() {
        for text in ["cpu", "cuda:0", "cuda:7"] {
            assert_eq!(text.parse::<DeviceName>().unwrap().to_string(), text);
        }
        for text in ["", "gpu", "cuda", "cuda:", "cuda:x", "cpu:0"] {
            assert!(text.parse::<DeviceName>().is_err(), "{text}");
        }
    }
}
