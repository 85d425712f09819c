//! The engine: what has come, what waits, what runs, and what happens next.
//!
//! A job is claimed for sampling, waits for decoding with the same tag, is decoded, and ends. What else a stage costs is in the
//! job's overhead. Of several workers that would take a job, those
//! that have fewest are asked in turn.

mod claims;
mod device;
mod jobs;
mod lines;
mod stages;
mod state;
mod tenants;
#[cfg(test)]
mod tests;
mod timeline;
mod workers;

pub use device::Device;
pub use state::{Running, State, StateError, Waiting};
pub use tenants::Tenant;
pub use workers::{Away, DeviceUse, ServedModel, Worker};

use crate::{Arrival, Event, Job, Observer, Policy, StageMs};
use device::DECODES;
use domain::{
    Stage, Timestamp,
    scheduling::{Passage, Tag},
};
use jobs::{Jobs, OpenJob, Phase};
use lines::{Entry, Line, number};
use tenants::TenantState;
use timeline::{Happening, Timeline};
use workers::WorkerState;

/// The queue and its workers at one moment. A clone goes its own way.
#[derive(Debug, Clone)]
pub struct Engine {
    policy: Policy,
    now_ms: f64,
    tenants: Vec<TenantState>,
    workers: Vec<WorkerState>,
    lines: Vec<Line>,
    jobs: Jobs,
    timeline: Timeline,
    /// Workers whose devices have to be planned anew.
    touched: Vec<usize>,
    /// Who was asked last.
    last_asked: u32,
    /// Jobs that are in the queue and with no worker, by stage.
    waiting: [usize; 2],
}

impl Engine {
    #[must_use]
    pub const fn now_ms(&self) -> f64 {
        self.now_ms
    }

    /// How many jobs have come and not ended.
    #[must_use]
    pub const fn open(&self) -> usize {
        self.jobs.open()
    }

    /// How many jobs wait for a worker to take them for the stage.
    #[must_use]
    pub const fn waiting(&self, stage: Stage) -> usize {
        self.waiting[number(stage)]
    }

    /// What the devices of the workers were used for, in the order in which they were added.
    pub fn device_use(&self) -> impl Iterator<Item = DeviceUse> {
        self.workers.iter().map(|worker| worker.device_use(self.now_ms))
    }

    /// The moment of what happens next by itself, if anything does.
    #[must_use]
    pub fn next_ms(&self) -> Option<f64> {
        self.timeline.next_ms()
    }

    /// Lets happen what happens next. `false`: nothing does until another job comes.
    pub fn step(&mut self, observer: &mut impl Observer) -> bool {
        let Some((at_ms, happening)) = self.timeline.pop() else { return false };
        self.now_ms = at_ms.max(self.now_ms);
        self.happen(happening, observer);
        self.plan_devices();
        true
    }

    /// Lets happen all that happens until then, that moment included.
    pub fn advance(&mut self, until_ms: f64, observer: &mut impl Observer) {
        while self.next_ms().is_some_and(|next| next <= until_ms) {
            self.step(observer);
        }
        self.now_ms = until_ms.max(self.now_ms);
    }

    /// Until nothing happens any more. What is open then waits for a model that no worker serves.
    pub fn drain(&mut self, observer: &mut impl Observer) {
        while self.step(observer) {}
    }

    /// Lets these jobs come, in the order of their times, and everything happen that follows.
    pub fn run(&mut self, arrivals: impl IntoIterator<Item = Arrival>, observer: &mut impl Observer) {
        for arrival in arrivals {
            self.advance(arrival.at_ms, observer);
            self.submit(arrival.job, observer);
        }
        self.drain(observer);
    }

    /// A job comes now. Its tenant and its model are to be known.
    pub fn submit(&mut self, job: Job, observer: &mut impl Observer) {
        let number = self.jobs.add(OpenJob::new(job, self.policy));
        let tenant = &mut self.tenants[job.tenant];
        let now = timestamp(self.now_ms);
        let passage = if job.has_entered || !self.policy.throttles() {
            Passage::Open
        } else if tenant.throttled.is_empty() {
            tenant.passage(now)
        } else {
            Passage::AfterAnother
        };
        if passage == Passage::Open {
            tenant.passed(now, job.billed);
            self.enter(number, observer);
        } else {
            tenant.throttled.push_back(number);
            observer.observe(self.now_ms, &job, Event::Throttled);
            self.plan_release(job.tenant, passage);
        }
        self.plan_devices();
    }

    /// Another worker is started; says its number.
    ///
    /// # Errors
    /// [`StateError`] when it serves a model that is not known.
    pub fn add_worker(&mut self, worker: Worker) -> Result<usize, StateError> {
        state::check_worker(&worker, self.lines.len() / 2)?;
        let number = self.workers.len();
        let starts_at = worker.available_at_ms.max(self.now_ms);
        self.workers.push(WorkerState::new(worker, self.now_ms));
        self.timeline.plan(starts_at, Happening::WorkerStarted { worker: number as u32 });
        for (served, model) in self.workers[number].models.iter().enumerate() {
            let moments = model.away.map(|away| [away.from_ms, away.until_ms]);
            for at_ms in moments.into_iter().flatten().filter(|at_ms| at_ms.is_finite() && *at_ms > self.now_ms) {
                self.timeline.plan(at_ms, Happening::Away { worker: number as u32, served: served as u32 });
            }
        }
        Ok(number)
    }

    /// A worker takes no more jobs, and ends when it has none.
    pub fn stop_worker(&mut self, worker: usize) {
        let state = &mut self.workers[worker];
        state.occupancy.pause(true);
        state.is_stopping = true;
        if state.occupancy.running() == 0 && state.stopped_at_ms.is_none() {
            state.stopped_at_ms = Some(self.now_ms);
        }
        self.tell_offers(worker);
    }

    /// Gives every open job other times, as a forecast has it that does not know the real ones. Of what runs, as much stays done.
    pub fn retime(&mut self, times: impl Fn(&Job) -> StageMs) {
        /// Nothing takes no time, once it runs.
        const LEAST_MS: f64 = 1e-6;
        for job in self.jobs.numbers() {
            let before = *self.jobs.of(job);
            let device_ms = times(&before.job);
            let device_ms = StageMs { sampling: device_ms.sampling.max(LEAST_MS), decoding: device_ms.decoding.max(LEAST_MS) };
            self.jobs.of_mut(job).job.device_ms = device_ms;
            let Phase::OnDevice { due, pauses_with } = before.phase else { continue };
            let group = before.group();
            let ((units, cost_ms), (new_units, new_cost_ms)) = (before.units(), self.jobs.of(job).units());
            let device = &mut self.workers[before.worker].device;
            device.settle(self.now_ms);
            let left = device.left(group, due) * (new_units / units);
            device.leave(group, job, due, cost_ms);
            let due = device.join(group, job, left, new_cost_ms);
            self.jobs.of_mut(job).phase = Phase::OnDevice { due, pauses_with };
            self.touch(before.worker);
        }
        self.plan_devices();
    }

    fn happen(&mut self, happening: Happening, observer: &mut impl Observer) {
        match happening {
            Happening::Device { worker, plan } => {
                let worker = worker as usize;
                if self.workers[worker].device.plan == plan {
                    self.device_due(worker, observer);
                }
            }
            Happening::Claimed { job } => self.begin(job, observer),
            Happening::Loaded { job } => self.board(job),
            Happening::StageOver { job } => self.end_stage(job, observer),
            Happening::Release { tenant } => {
                self.tenants[tenant as usize].is_due = false;
                self.release(tenant as usize, observer);
            }
            Happening::Away { worker, served } => self.change_away(worker as usize, served as usize, observer),
            Happening::WorkerStarted { worker } => {
                let worker = worker as usize;
                if !self.workers[worker].is_stopping {
                    self.workers[worker].has_started = true;
                    self.workers[worker].occupancy.pause(false);
                    self.feed(worker, observer);
                }
            }
        }
    }

    /// Lets those of a tenant's throttled jobs in that may enter now.
    fn release(&mut self, tenant: usize, observer: &mut impl Observer) {
        let now = timestamp(self.now_ms);
        while let Some(job) = self.tenants[tenant].throttled.front().copied() {
            let passage = self.tenants[tenant].passage(now);
            if passage != Passage::Open {
                return self.plan_release(tenant, passage);
            }
            let released = self.jobs.of(job).job;
            self.tenants[tenant].throttled.pop_front();
            self.tenants[tenant].passed(now, released.billed);
            observer.observe(self.now_ms, &released, Event::Released);
            self.enter(job, observer);
        }
    }

    fn plan_release(&mut self, tenant: usize, passage: Passage) {
        if let Passage::At(moment) = passage
            && !std::mem::replace(&mut self.tenants[tenant].is_due, true)
        {
            self.timeline.plan(moment.ms() as f64, Happening::Release { tenant: tenant as u32 });
        }
    }

    /// A job gets its tag, and waits for sampling.
    fn enter(&mut self, job: u32, observer: &mut impl Observer) {
        let open = self.jobs.of(job);
        let tenant = &self.tenants[open.job.tenant];
        let progress = self.lines[open.line].progress();
        let behind_last = || self.policy.tag(&open.job, self.now_ms, tenant.tenant.weight, progress, tenant.last_of(open.line));
        let tag = open.job.stands.unwrap_or_else(behind_last);
        self.wait(job, Stage::Sampling, tag);
        let open = self.jobs.of(job);
        let (line, place, tenant) = (open.line, open.place(), open.job.tenant);
        self.tenants[tenant].entered(line, place);
        self.offer(line, Stage::Sampling, observer);
    }

    fn wait(&mut self, job: u32, stage: Stage, tag: Tag) {
        let open = self.jobs.of_mut(job);
        (open.stage, open.tag, open.phase) = (stage, tag, Phase::Waiting);
        let entry = Entry { job, tenant: open.job.tenant as u32, start: tag.start };
        self.lines[open.line].waiting[number(stage)].insert(open.place(), entry);
        self.waiting[number(stage)] += 1;
    }

    fn touch(&mut self, worker: usize) {
        if !std::mem::replace(&mut self.workers[worker].is_touched, true) {
            self.touched.push(worker);
        }
    }

    /// Plans each device anew whose jobs have changed.
    fn plan_devices(&mut self) {
        for worker in std::mem::take(&mut self.touched) {
            let state = &mut self.workers[worker];
            state.is_touched = false;
            if let Some(at_ms) = state.device.plan() {
                self.timeline.plan(at_ms, Happening::Device { worker: worker as u32, plan: state.device.plan });
            }
        }
    }
}

impl OpenJob {
    /// Of its worker's device.
    fn group(&self) -> usize {
        match self.stage {
            Stage::Sampling => DECODES + 1 + self.served,
            Stage::Decoding => DECODES,
        }
    }
}

/// As the rules have moments: whole milliseconds, those that have passed.
fn timestamp(ms: f64) -> Timestamp {
    Timestamp::from_ms(ms.floor() as i64)
}
