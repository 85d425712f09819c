//! Where a simulation begins: nothing has come yet, or jobs wait and run as they do in a live queue.

use super::{
    Engine,
    jobs::{Jobs, OpenJob, Phase},
    lines::Line,
    tenants::{Tenant, TenantState},
    timeline::{Happening, Timeline},
    workers::Worker,
};
use crate::{Job, Policy};
use domain::{Stage, billing::Lane, scheduling::Tag};

/// A job that is in the queue and with no worker.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Waiting {
    pub job: Job,
    pub stage: Stage,
    pub tag: Tag,
}

/// A job that a worker has.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Running {
    pub job: Job,
    pub stage: Stage,
    pub tag: Tag,
    /// Which of the workers.
    pub worker: usize,
    /// Of the stage's device time, how much is before it. Its overhead is before it as a whole.
    pub left_ms: f64,
}

/// Everything at one moment.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct State {
    /// Unix milliseconds where a live queue is meant; any number otherwise. Moments of tenants' gates are of the same clock.
    pub now_ms: f64,
    /// How many there are.
    pub models: usize,
    pub tenants: Vec<Tenant>,
    pub workers: Vec<Worker>,
    pub waiting: Vec<Waiting>,
    /// In the order in which they began: of batch jobs, the newest are paused.
    pub running: Vec<Running>,
    /// In the order in which they came.
    pub throttled: Vec<Job>,
}

/// What is named and not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum StateError {
    #[error("there is no tenant {tenant}")]
    NoTenant { tenant: usize },
    #[error("there is no model {model}")]
    NoModel { model: usize },
    #[error("there is no worker {worker}")]
    NoWorker { worker: usize },
    #[error("a job of model {model} runs on worker {worker}, which does not serve it")]
    NotServed { model: usize, worker: usize },
}

pub(super) fn check_worker(worker: &Worker, models: usize) -> Result<(), StateError> {
    worker.models.iter().find(|served| served.model >= models).map_or(Ok(()), |served| Err(StateError::NoModel { model: served.model }))
}

impl Engine {
    /// Begins with what is given. Free slots take what waits with the first [`step`](Self::step).
    ///
    /// # Errors
    /// [`StateError`] when something is named that is not there.
    pub fn new(policy: Policy, state: State) -> Result<Self, StateError> {
        let State { now_ms, models, tenants, workers, waiting, running, throttled } = state;
        let mut engine = Self {
            policy,
            now_ms,
            tenants: tenants.into_iter().map(TenantState::new).collect(),
            workers: Vec::with_capacity(workers.len()),
            lines: vec![Line::default(); models * 2],
            jobs: Jobs::default(),
            timeline: Timeline::default(),
            touched: Vec::new(),
            last_asked: 0,
            waiting: [0; 2],
        };
        for worker in workers {
            engine.add_worker(worker)?;
        }
        for running in running {
            engine.take_up(running)?;
        }
        for worker in 0..engine.workers.len() {
            engine.pause_newest(worker, &mut ());
        }
        engine.plan_devices();
        for Waiting { job, stage, tag } in waiting {
            let number = engine.admit(job)?;
            engine.wait(number, stage, tag);
            engine.count_in(number);
        }
        for job in throttled {
            let number = engine.admit(job)?;
            engine.tenants[job.tenant].throttled.push_back(number);
        }
        for tenant in 0..engine.tenants.len() {
            if !engine.tenants[tenant].throttled.is_empty() {
                engine.tenants[tenant].is_due = true;
                engine.timeline.plan(now_ms, Happening::Release { tenant: tenant as u32 });
            }
        }
        Ok(engine)
    }

    fn admit(&mut self, job: Job) -> Result<u32, StateError> {
        if job.tenant >= self.tenants.len() {
            return Err(StateError::NoTenant { tenant: job.tenant });
        }
        if job.model * 2 >= self.lines.len() {
            return Err(StateError::NoModel { model: job.model });
        }
        Ok(self.jobs.add(OpenJob::new(job, self.policy)))
    }

    /// A job is in the queue or with a worker.
    fn count_in(&mut self, number: u32) {
        let open = self.jobs.of(number);
        self.tenants[open.job.tenant].entered(open.line, open.place());
    }

    fn take_up(&mut self, running: Running) -> Result<(), StateError> {
        let Running { job, stage, tag, worker, left_ms } = running;
        let number_of = self.admit(job)?;
        let lane = self.policy.lane(&job);
        let state = self.workers.get_mut(worker).ok_or(StateError::NoWorker { worker })?;
        let served = state.position(job.model).ok_or(StateError::NotServed { model: job.model, worker })?;
        // It is loaded, as it is at work.
        state.loaded_at_ms[served] = Some(self.now_ms);
        state.occupancy.adopt(stage, lane);
        if (stage, lane) == (Stage::Sampling, Lane::Batch) {
            state.batch.push(number_of);
        }
        let open = self.jobs.of_mut(number_of);
        (open.stage, open.tag, open.worker, open.served, open.phase) = (stage, tag, worker, served, Phase::Loading);
        let (line, place, (units, cost_ms)) = (open.line, open.place(), open.units());
        self.lines[line].taken.insert(place);
        self.count_in(number_of);
        let left = if cost_ms > 0.0 { (left_ms / cost_ms).clamp(0.0, units) } else { 0.0 };
        if left > 0.0 {
            self.go_on(number_of, left);
        } else {
            self.finish(number_of);
        }
        Ok(())
    }
}
