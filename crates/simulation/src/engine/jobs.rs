//! The jobs that have come and not ended.

use super::lines::line_of;
use crate::{Job, Policy};
use domain::{
    Stage,
    scheduling::{Place, Tag},
};

/// How far a job has come in the stage that it waits for or runs in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Phase {
    Throttled,
    Waiting,
    /// A worker has it, and loads its model.
    Loading,
    /// On the device until it has come to `due`. `pauses_with`: then it is paused, with so many units left.
    OnDevice {
        due: f64,
        pauses_with: Option<f64>,
    },
    Paused {
        units: f64,
    },
    /// It has its slot, and does not need the device any more.
    Finishing,
    Ended,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct OpenJob {
    pub job: Job,
    pub tag: Tag,
    pub line: usize,
    pub stage: Stage,
    pub phase: Phase,
    /// Which worker has it, or had it last, and where its model is among those that are served there.
    pub worker: usize,
    pub served: usize,
    /// It was told to make room.
    pub is_paused: bool,
}

impl OpenJob {
    pub fn new(job: Job, policy: Policy) -> Self {
        let line = line_of(policy.lane(&job), job.model);
        let (stage, phase) = (Stage::Sampling, Phase::Throttled);
        Self { job, tag: Tag::default(), line, stage, phase, worker: 0, served: 0, is_paused: false }
    }

    pub const fn place(&self) -> Place {
        Place { finish: self.tag.finish, job: self.job.id }
    }

    /// How many units its stage has, and what each costs, in milliseconds of the device: a step of a batch, a millisecond of a decode.
    pub fn units(&self) -> (f64, f64) {
        match self.stage {
            Stage::Sampling => {
                let steps = f64::from(self.job.steps.max(1));
                (steps, self.job.device_ms.sampling / steps)
            }
            Stage::Decoding => (self.job.device_ms.decoding, 1.0),
        }
    }
}

/// Jobs by number; numbers of those that have ended are given anew.
#[derive(Debug, Clone, Default)]
pub(super) struct Jobs {
    all: Vec<OpenJob>,
    free: Vec<u32>,
}

impl Jobs {
    pub fn add(&mut self, job: OpenJob) -> u32 {
        if let Some(number) = self.free.pop() {
            self.all[number as usize] = job;
            return number;
        }
        self.all.push(job);
        (self.all.len() - 1) as u32
    }

    pub fn of(&self, number: u32) -> &OpenJob {
        &self.all[number as usize]
    }

    pub fn of_mut(&mut self, number: u32) -> &mut OpenJob {
        &mut self.all[number as usize]
    }

    pub fn end(&mut self, number: u32) {
        self.of_mut(number).phase = Phase::Ended;
        self.free.push(number);
    }

    pub const fn open(&self) -> usize {
        self.all.len() - self.free.len()
    }

    /// The numbers of those that have not ended.
    pub fn numbers(&self) -> impl Iterator<Item = u32> + use<> {
        let open: Vec<u32> = self.all.iter().zip(0..).filter(|(job, _)| job.phase != Phase::Ended).map(|(_, number)| number).collect();
        open.into_iter()
    }
}
