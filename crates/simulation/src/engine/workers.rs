//! Workers: what each serves, its slots and its device.

use super::device::{Device, SharedDevice};
use domain::{
    Stage,
    scheduling::{LaneOrder, LaneRotations, Occupancy, StageSlots},
};

/// A model that a worker serves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ServedModel {
    pub model: usize,
    /// How long it takes to load when it is first used; 0: it is loaded. Others go on meanwhile.
    pub load_ms: f64,
    /// From when until when the worker takes no jobs of it.
    pub away: Option<Away>,
}

/// A time in which a model is not in the memory of a worker, or about to leave it: by the clock of the engine.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Away {
    pub from_ms: f64,
    /// Infinite: for good.
    pub until_ms: f64,
}

impl ServedModel {
    #[must_use]
    pub const fn loaded(model: usize) -> Self {
        Self::loads_in(model, 0.0)
    }

    #[must_use]
    pub const fn loads_in(model: usize, load_ms: f64) -> Self {
        Self { model, load_ms, away: None }
    }

    pub(super) fn is_away(&self, now_ms: f64) -> bool {
        self.away.is_some_and(|away| away.from_ms <= now_ms && now_ms < away.until_ms)
    }
}

/// A worker process with a device of its own.
#[derive(Debug, Clone, PartialEq)]
pub struct Worker {
    pub sampling: StageSlots,
    pub decoding: StageSlots,
    pub device: Device,
    /// What it serves, each model once.
    pub models: Vec<ServedModel>,
    /// From when on it takes jobs.
    pub available_at_ms: f64,
    /// How long a claim takes of a worker that has nothing else: from a slot and a job that are there until the job has begun. Where it takes no
    /// time, nor does leaving jobs to others.
    pub claim_ms: f64,
}

/// What a worker's device was used for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DeviceUse {
    /// How long anything ran on it.
    pub busy_ms: f64,
    /// What it has done of jobs, in milliseconds of theirs, when anything changed last.
    pub work_ms: f64,
    /// How long the worker was there, its start included.
    pub up_ms: f64,
    /// Jobs that it has, of both stages.
    pub running: usize,
    /// It has begun to take jobs.
    pub has_started: bool,
    /// It takes jobs, or will; not one that was stopped.
    pub is_up: bool,
}

#[derive(Debug, Clone)]
pub(super) struct WorkerState {
    pub device: SharedDevice,
    pub occupancy: Occupancy,
    pub models: Vec<ServedModel>,
    /// Of which of them it takes no jobs now.
    pub is_away: Vec<bool>,
    /// When each is loaded, once its loading has begun.
    pub loaded_at_ms: Vec<Option<f64>>,
    pub claim_ms: f64,
    /// What tenants have had of this worker, by stage.
    pub rotation: [LaneRotations; 2],
    /// Batch jobs that sample here, the newest last.
    pub batch: Vec<u32>,
    /// How many of them were told to pause.
    pub told_to_pause: usize,
    /// From which lanes it is known to take, and how many jobs it has then, by stage.
    pub offered: [Option<(LaneOrder, u32)>; 2],
    /// Its device has to be planned anew.
    pub is_touched: bool,
    pub asked_at_ms: f64,
    pub stopped_at_ms: Option<f64>,
    pub has_started: bool,
    pub is_stopping: bool,
}

impl WorkerState {
    pub fn new(worker: Worker, now_ms: f64) -> Self {
        let loaded = worker.models.iter().map(|served| (served.load_ms <= 0.0).then_some(now_ms)).collect();
        let mut occupancy = Occupancy::new(worker.sampling, worker.decoding);
        occupancy.pause(true);
        Self {
            device: SharedDevice::new(worker.device, worker.models.len(), now_ms),
            occupancy,
            is_away: worker.models.iter().map(|served| served.is_away(now_ms)).collect(),
            models: worker.models,
            loaded_at_ms: loaded,
            claim_ms: worker.claim_ms,
            rotation: Default::default(),
            batch: Vec::new(),
            told_to_pause: 0,
            offered: [None; 2],
            is_touched: false,
            asked_at_ms: now_ms,
            stopped_at_ms: None,
            has_started: false,
            is_stopping: false,
        }
    }

    /// Where a model is among those that it serves.
    pub fn position(&self, model: usize) -> Option<usize> {
        self.models.iter().position(|served| served.model == model)
    }

    /// The models of which it takes jobs now.
    pub fn present(&self) -> impl Iterator<Item = &ServedModel> {
        self.models.iter().zip(&self.is_away).filter(|(_, is_away)| !**is_away).map(|(served, _)| served)
    }

    /// From which lanes it would take a job of the stage now.
    pub fn offer(&self, stage: Stage) -> Option<LaneOrder> {
        let mut occupancy = self.occupancy;
        occupancy.reserve(stage).map(|(_, lanes)| lanes)
    }

    pub fn device_use(&self, now_ms: f64) -> DeviceUse {
        DeviceUse {
            busy_ms: self.device.busy_until(now_ms),
            work_ms: self.device.work_ms,
            up_ms: self.stopped_at_ms.unwrap_or(now_ms) - self.asked_at_ms,
            running: self.occupancy.running(),
            has_started: self.has_started,
            is_up: !self.is_stopping,
        }
    }
}
