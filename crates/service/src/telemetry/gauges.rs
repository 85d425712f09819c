//! What is read when somebody collects metrics: how the queue and the workers stand, told by servers, and what a worker's device does, told by
//! the worker.

use super::labels::{OfBuild, OfDevice, OfDeviceTime, OfLedger, OfLine, OfLineOnDevice, OfModel, OfStage, escaped};
use domain::{
    Stage, VideoTime,
    scheduling::{Fleet, StageJobs},
};
use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{counter::Counter, family::Family, gauge::Gauge},
    registry::{Registry, Unit},
};
use std::{fmt::Debug, hash::Hash, sync::atomic::AtomicU64, time::Duration};

/// What the database knows for all processes together; what could not be had in time is left out.
#[derive(Debug, Default)]
pub(super) struct Shared {
    pub stages: Option<[(Stage, StageJobs); 2]>,
    pub open_work: Option<VideoTime>,
    pub fleet: Option<Fleet>,
    /// By the name of the kind of device.
    pub workers_wanted: Option<(String, u32)>,
    pub lines: Option<Vec<Line>>,
    /// Of the time of all workers, of 1, what the jobs of the last hour fill.
    pub utilisation: Option<f64>,
    pub ledger: Option<LedgerTotals>,
}

/// What waits of one model in one lane, on one kind of device that has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    pub model: String,
    /// `None`: no worker has it.
    pub device: Option<String>,
    pub lane: &'static str,
    pub billed: VideoTime,
    /// Since the oldest was submitted.
    pub longest_wait: Duration,
}

/// What all tenants together have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct LedgerTotals {
    /// To use.
    pub available: VideoTime,
    /// Set aside for jobs that have not ended.
    pub held: VideoTime,
}

impl Shared {
    #[rustfmt::skip] // One line for each metric: its name and what it is.
    pub fn register(&self, list: &mut Registry) {
        if let Some(stages) = self.stages {
            by_stage(list, "jobs_waiting", "Jobs that wait for a stage", stages.map(|(stage, jobs)| (stage, jobs.waiting)));
            by_stage(list, "jobs_running", "Jobs that workers have in a stage", stages.map(|(stage, jobs)| (stage, jobs.running)));
        }
        if let Some(open_work) = self.open_work {
            let gauge = Gauge::default();
            set(&gauge, open_work.ms());
            list.register_with_unit("open_work", "Video time of all jobs that have not ended, as it is billed", video_milliseconds(), gauge);
        }
        if let Some(fleet) = self.fleet {
            by_stage(list, "workers_alive", "Workers that take jobs, by the stage they take them for", [(Stage::Sampling, fleet.samplers), (Stage::Decoding, fleet.decoders)]);
        }
        if let Some((device, wanted)) = &self.workers_wanted {
            let gauges = Family::<OfDevice, Gauge>::default();
            set(&gauges.get_or_create(&OfDevice { device: escaped(device) }), u64::from(*wanted));
            list.register("workers_wanted", "Workers that there should be, by the kind of device", gauges);
        }
        if let Some(utilisation) = self.utilisation {
            let gauge = Gauge::<f64, AtomicU64>::default();
            gauge.set(utilisation);
            list.register_with_unit("workers_utilisation", "Of the time of all workers, what the jobs of the last hour fill", Unit::Other("ratio".to_owned()), gauge);
        }
        if let Some(lines) = &self.lines {
            register_lines(list, lines);
        }
        if let Some(LedgerTotals { available, held }) = self.ledger {
            let gauges = Family::<OfLedger, Gauge>::default();
            set(&gauges.get_or_create(&OfLedger { state: "available" }), available.ms());
            set(&gauges.get_or_create(&OfLedger { state: "held" }), held.ms());
            list.register_with_unit("ledger", "Video time that all tenants together have: available to use, or held for jobs that have not ended", video_milliseconds(), gauges);
        }
    }
}

#[rustfmt::skip] // As above.
fn register_lines(list: &mut Registry, lines: &[Line]) {
    let (depth, wait) = (Family::<OfLineOnDevice, Gauge>::default(), Family::<OfLine, Gauge<f64, AtomicU64>>::default());
    for Line { model, device, lane, billed, longest_wait } in lines {
        let device = device.as_deref().map_or_else(|| "none".to_owned(), escaped);
        set(&depth.get_or_create(&OfLineOnDevice { model: model.clone(), device, lane }), billed.ms());
        wait.get_or_create(&OfLine { model: model.clone(), lane }).set(longest_wait.as_secs_f64());
    }
    list.register_with_unit("queue_depth", "Video time that waits, as it is billed, by model and lane, for each kind of device that has the model", video_milliseconds(), depth);
    list.register_with_unit("queue_oldest_wait", "How long the oldest job waits for a worker or a decoder, of a team that is not paused, by model and lane", Unit::Seconds, wait);
}

/// What a worker knows of its device when it is asked.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct WorkerGauges {
    /// What the kind of device is called.
    pub device: String,
    /// Used by jobs and by loading models, since the process began.
    pub busy: Duration,
    pub idle: Duration,
    /// Of the device, where it is known.
    pub memory_bytes: Option<u64>,
    /// Samples that are denoised at once, at most.
    pub batch_size_max: u64,
    pub jobs: u64,
    /// Whether it takes jobs: its device answers, and it is not about to end.
    pub is_healthy: bool,
    pub models: Vec<ModelGauges>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ModelGauges {
    pub model: String,
    /// Of its weights that are loaded.
    pub memory_bytes: u64,
    /// Denoising steps that were taken, each by a batch of samples.
    pub steps: u64,
    /// Samples that took part in them, counted at each step.
    pub step_samples: u64,
}

impl WorkerGauges {
    #[rustfmt::skip] // As above.
    pub(super) fn register(&self, list: &mut Registry) {
        let times = Family::<OfDeviceTime, Counter<f64, AtomicU64>>::default();
        for (state, time) in [("busy", self.busy), ("idle", self.idle)] {
            times.get_or_create(&OfDeviceTime { device: escaped(&self.device), state }).inc_by(time.as_secs_f64());
        }
        list.register_with_unit("device_time", "Time of the device since the process began: busy with jobs and models, or idle", Unit::Seconds, times);
        if let Some(bytes) = self.memory_bytes {
            list.register_with_unit("device_memory", "Memory of the device", Unit::Bytes, gauge_of(OfDevice { device: escaped(&self.device) }, bytes));
        }
        list.register("worker_healthy", "1 while the device answers and the worker is not about to end", gauge_of(OfDevice { device: escaped(&self.device) }, u64::from(self.is_healthy)));
        list.register("worker_jobs", "Jobs that the worker has", gauge_of(OfDevice { device: escaped(&self.device) }, self.jobs));
        list.register("batch_size_max", "Samples that are denoised at once, at most", gauge_of(OfDevice { device: escaped(&self.device) }, self.batch_size_max));
        let (memory, steps, samples) = (Family::<OfModel, Gauge>::default(), Family::<OfModel, Counter>::default(), Family::<OfModel, Counter>::default());
        for model in &self.models {
            let of = OfModel { model: model.model.clone() };
            set(&memory.get_or_create(&of), model.memory_bytes);
            steps.get_or_create(&of).inc_by(model.steps);
            samples.get_or_create(&of).inc_by(model.step_samples);
        }
        list.register_with_unit("model_memory", "Bytes of a model's weights that are loaded", Unit::Bytes, memory);
        list.register("batch_steps", "Denoising steps, each of a whole batch, by model", steps);
        list.register("batch_step_samples", "Samples that took part in denoising steps, counted at each step, by model", samples);
    }
}

/// Which version this is.
pub(super) fn register_build(list: &mut Registry) {
    list.register("build", "1, with the version as its label", gauge_of(OfBuild { version: env!("CARGO_PKG_VERSION") }, 1));
}

fn gauge_of<L: EncodeLabelSet + Clone + Eq + Hash + Debug + Send + Sync + 'static>(label: L, value: u64) -> Family<L, Gauge> {
    let gauges = Family::<L, Gauge>::default();
    set(&gauges.get_or_create(&label), value);
    gauges
}

fn by_stage(list: &mut Registry, name: &str, help: &str, values: [(Stage, u64); 2]) {
    let gauges = Family::<OfStage, Gauge>::default();
    for (stage, value) in values {
        set(&gauges.get_or_create(&OfStage { stage: stage.as_str() }), value);
    }
    list.register(name, help, gauges);
}

fn video_milliseconds() -> Unit {
    Unit::Other("video_milliseconds".to_owned())
}

fn set(gauge: &Gauge, value: u64) {
    gauge.set(i64::try_from(value).unwrap_or(i64::MAX));
}
