//! The live queue in the simulator's terms, and what was simulated of it.

use super::{Costs, Outlook};
use domain::{
    JobId, JobState, NoEta, Stage, TenantId, Timestamp, VideoTime,
    scheduling::{LineOf, Workload},
};
use simulation::{
    Arrival, Device, Engine, Foretold, Policy, Running, ServedModel, StageMs, State, StateError, Tenant, Waiting, Wanted, Worker, forecast,
    forecast_within,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Mutex, PoisonError},
};
use store::{
    Job,
    queue::{Limits, OpenJob, OpenPhase, QueueState, Throttled},
};

/// What happens before a newcomer has ended, as far as it is followed for it alone.
const FOLLOWED: u64 = 4000;
/// Newcomers that are remembered: a new simulation knows them.
const NEWCOMERS: usize = 2000;
/// What a stage takes besides its device: to be claimed, to store what it made, to be told.
const OVERHEAD: StageMs = StageMs { sampling: 30.0, decoding: 30.0 };

/// A job that is there since the simulation, or would be.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Newcomer<'a> {
    pub(crate) id: JobId,
    pub(crate) limits: Limits,
    pub(crate) line: LineOf<'a>,
    pub(crate) workload: Workload,
    pub(crate) work: VideoTime,
    pub(crate) billed: VideoTime,
    /// Where it stands in its line, where 1 is next.
    pub(crate) position: u64,
    /// By the clock of the database.
    pub(crate) at: Timestamp,
}

/// What was foretold at one moment.
pub(crate) struct Simulated {
    at: Timestamp,
    /// As it was then.
    engine: Engine,
    names: Names,
    foretold: BTreeMap<JobId, Foretold>,
    /// Where jobs were: how far those that run have come is another matter.
    places: BTreeMap<JobId, Where>,
    /// The jobs at the head of each line in their order, and when they begin.
    heads: BTreeMap<(&'static str, usize), Vec<Foretold>>,
    /// Jobs of a model are there that was never measured.
    has_unmeasured: bool,
    /// Models that no worker has warm and one is loading, with how far that has come, in thousandths.
    cold: BTreeMap<String, u32>,
    newcomers: Mutex<Newcomers>,
}

/// Those that have come since then, in the order of their times, and their tenants that had nothing open before.
#[derive(Clone, Default)]
struct Newcomers {
    arrivals: Vec<Arrival>,
    tenants: Vec<Tenant>,
}

impl Newcomers {
    /// The number of a tenant that had nothing open, of which there were so many.
    fn number(&mut self, limits: &Limits, known: usize) -> usize {
        let place = self.tenants.iter().position(|tenant| tenant.id == limits.tenant).unwrap_or_else(|| {
            self.tenants.push(tenant(limits));
            self.tenants.len() - 1
        });
        known + place
    }

    fn add(&mut self, arrival: Arrival) {
        self.arrivals.retain(|other| other.job.id != arrival.job.id);
        let place = self.arrivals.partition_point(|other| other.at_ms <= arrival.at_ms);
        self.arrivals.insert(place, arrival);
    }
}

/// Where a job is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Where {
    Throttled,
    Waiting(Stage),
    Running(Stage),
    Nowhere,
}

impl Where {
    const fn of(state: &JobState) -> Self {
        match state {
            JobState::Throttled => Self::Throttled,
            JobState::Ready => Self::Waiting(Stage::Sampling),
            JobState::Sampled => Self::Waiting(Stage::Decoding),
            JobState::Retrying { stage, .. } => Self::Waiting(*stage),
            JobState::Sampling(_) => Self::Running(Stage::Sampling),
            JobState::Decoding(_) => Self::Running(Stage::Decoding),
            _ => Self::Nowhere,
        }
    }

    const fn of_open(phase: OpenPhase) -> Self {
        match phase {
            OpenPhase::Throttled => Self::Throttled,
            OpenPhase::Waiting(stage) => Self::Waiting(stage),
            OpenPhase::Running { stage, .. } => Self::Running(stage),
        }
    }
}

/// By what numbers the simulator knows models and tenants.
struct Names {
    /// And whether workers serve both stages of it.
    models: BTreeMap<String, (usize, bool)>,
    tenants: BTreeMap<TenantId, OfTenant>,
}

struct OfTenant {
    number: usize,
    limits: Limits,
    /// Of its jobs, how many are in the queue or with a worker.
    in_queue: u64,
}

impl Simulated {
    /// Simulates until all jobs have ended that workers serve.
    ///
    /// # Errors
    /// [`StateError`]: a defect.
    pub(super) fn of(state: QueueState, costs: &Costs) -> Result<Self, StateError> {
        let names = Names::of(&state);
        let mut simulated = State {
            now_ms: state.now.ms() as f64,
            models: names.models.len(),
            tenants: state.tenants.iter().map(tenant).collect(),
            workers: state.workers.iter().map(|worker| names.worker(worker, speed(&state.jobs, costs, &worker.device))).collect(),
            ..State::default()
        };
        let (mut has_unmeasured, mut lines) = (false, BTreeMap::<_, Vec<_>>::new());
        let places = state.jobs.iter().map(|open| (open.id, Where::of_open(open.phase))).collect();
        for open in &state.jobs {
            let Some(job) = names.job(open, costs) else {
                has_unmeasured |= costs.of_stages(&open.model, None, open.workload()).is_none();
                continue;
            };
            let waits = |stage| Waiting { job, stage, tag: open.tag };
            match open.phase {
                OpenPhase::Throttled => simulated.throttled.push(job),
                OpenPhase::Waiting(stage) => {
                    simulated.waiting.push(waits(stage));
                    if stage == Stage::Sampling {
                        lines.entry((open.lane.as_str(), job.model)).or_default().push(job.id);
                    }
                }
                OpenPhase::Running { stage, worker, done_permille } => {
                    let left_ms = job.device_ms.of(stage) * f64::from(1000 - done_permille) / 1000.0;
                    let serves = |number: &usize| simulated.workers[*number].models.iter().any(|served| served.model == job.model);
                    match state.workers.iter().position(|live| live.id == worker).filter(serves) {
                        Some(worker) => simulated.running.push(Running { job, stage, tag: open.tag, worker, left_ms }),
                        // Its worker is gone: it is made again.
                        None => simulated.waiting.push(waits(stage)),
                    }
                }
            }
        }
        let mut engine = Engine::new(Policy::Fair, simulated)?;
        for (number, _) in state.workers.iter().enumerate().filter(|(_, worker)| worker.is_draining) {
            engine.stop_worker(number);
        }
        let foretold = forecast(engine.clone(), &[], Wanted::All);
        let known = |ids: Vec<JobId>| ids.iter().filter_map(|id| foretold.get(id).copied()).collect();
        let heads = lines.into_iter().map(|(line, ids)| (line, known(ids))).collect();
        let cold = cold(&names, &state.workers);
        Ok(Self { at: state.now, engine, names, foretold, places, heads, has_unmeasured, cold, newcomers: Mutex::default() })
    }

    /// How far a model is loaded that a job has to wait for, in thousandths.
    pub(super) fn cold_load(&self, model: &str) -> Option<u32> {
        self.cold.get(model).copied()
    }

    /// What is foretold of a job that was there; of one that has begun or goes on since, its own work. `None` of one that waits for its turn anew.
    pub(super) fn of_known(&self, job: &Job, costs: &Costs, now: Timestamp) -> Option<Result<Outlook, NoEta>> {
        let (was, is) = (*self.places.get(&job.id)?, Where::of(&job.lifecycle.state));
        if was == is {
            let foretold = *self.foretold.get(&job.id)?;
            let told = self.told(&job.spec.model, &foretold, now);
            // What runs does not wait for its next stage alone.
            return Some(if matches!(is, Where::Running(_)) { told.map(Outlook::begun) } else { told });
        }
        match is {
            Where::Throttled | Where::Waiting(Stage::Sampling) => None,
            _ => Some(self.alone(job, costs)),
        }
    }

    /// Whether it was there.
    pub(super) fn knows(&self, id: JobId) -> bool {
        self.places.contains_key(&id)
    }

    /// What is left to do of a job, if nothing keeps it waiting.
    pub(super) fn alone(&self, job: &Job, costs: &Costs) -> Result<Outlook, NoEta> {
        self.served(&job.spec.model)?;
        let ends_ms = own_work_ms(job, costs).ok_or(NoEta::NotMeasured)?;
        self.unless_unmeasured(Outlook { enters_ms: 0.0, begins_ms: 0.0, ends_ms })
    }

    /// When a job that was there and throttled enters the queue.
    pub(super) fn enters_at(&self, id: JobId) -> Option<Timestamp> {
        self.foretold.get(&id)?.released_ms.map(|ms| Timestamp::from_ms(ms as i64))
    }

    /// Why a tenant's jobs do not enter that are throttled: as many are in the queue as may be.
    pub(super) fn at_once(&self, tenant: TenantId) -> Option<Throttled> {
        let of_tenant = self.names.tenants.get(&tenant)?;
        let at_once = of_tenant.limits.gate?.at_once()?;
        (of_tenant.in_queue >= u64::from(at_once)).then_some(Throttled::AtOnce(at_once))
    }

    /// What is foretold of a newcomer. `stays`: it is in front of those who come later.
    pub(crate) fn of_newcomer(&self, newcomer: &Newcomer<'_>, costs: &Costs, stays: bool) -> Result<Outlook, NoEta> {
        let (model, _) = self.served(newcomer.line.model)?;
        let device_ms = device_ms(costs, newcomer.line.model, newcomer.workload).ok_or(NoEta::NotMeasured)?;
        let mut remembered = self.newcomers.lock().unwrap_or_else(PoisonError::into_inner);
        let mut newcomers = remembered.clone();
        let known = &self.names.tenants;
        let tenant = match known.get(&newcomer.limits.tenant) {
            Some(of_tenant) => of_tenant.number,
            None => newcomers.number(&newcomer.limits, known.len()),
        };
        let job = simulation::Job {
            id: newcomer.id,
            tenant,
            lane: newcomer.line.lane,
            model,
            steps: newcomer.workload.steps,
            work: newcomer.work,
            billed: newcomer.billed,
            device_ms,
            overhead_ms: OVERHEAD,
        };
        let at_ms = newcomer.at.max(self.at).ms() as f64;
        newcomers.add(Arrival { at_ms, job });
        if stays && newcomers.arrivals.len() <= NEWCOMERS {
            remembered.clone_from(&newcomers);
        }
        drop(remembered);
        let mut engine = self.engine.clone();
        newcomers.tenants.into_iter().for_each(|tenant| {
            engine.add_tenant(tenant);
        });
        let wanted = Wanted::These(BTreeSet::from([newcomer.id]));
        let foretold = forecast_within(engine, &newcomers.arrivals, wanted, FOLLOWED).remove(&newcomer.id).unwrap_or_default();
        if foretold.ended_ms.is_some() {
            return self.told(newcomer.line.model, &foretold, newcomer.at);
        }
        self.behind_all(newcomer.line, newcomer.position, newcomer.at)
    }

    /// What is foretold of a job that stands further back in its line than jobs were looked at: those go on as the last of them did.
    pub(super) fn behind_all(&self, line: LineOf<'_>, position: u64, now: Timestamp) -> Result<Outlook, NoEta> {
        let (model, _) = self.served(line.model)?;
        let head = self.heads.get(&(line.lane.as_str(), model)).map_or(&[][..], Vec::as_slice);
        let begins = |place: usize| head.get(place).and_then(|foretold| foretold.sampling_ms);
        let last = head.len().checked_sub(1).ok_or(NoEta::NotAsked)?;
        let (middle_ms, last_ms) = begins(last / 2).zip(begins(last)).ok_or(NoEta::NotAsked)?;
        let each_ms = (last_ms - middle_ms) / (last - last / 2).max(1) as f64;
        let at_its_place = usize::try_from(position).ok().and_then(|position| begins(position.checked_sub(1)?));
        let begins_ms = at_its_place.unwrap_or_else(|| last_ms + each_ms * position.saturating_sub(head.len() as u64) as f64);
        let takes_ms = head[last].ended_ms.map_or(0.0, |ended_ms| ended_ms - last_ms);
        let from_now = |ms: f64| (ms - now.ms() as f64).max(0.0);
        self.unless_unmeasured(Outlook { enters_ms: 0.0, begins_ms: from_now(begins_ms), ends_ms: from_now(begins_ms + takes_ms) })
    }

    fn told(&self, model: &str, foretold: &Foretold, now: Timestamp) -> Result<Outlook, NoEta> {
        self.served(model)?;
        let from_now = |ms: f64| (ms - now.ms() as f64).max(0.0);
        let begins = foretold.sampling_ms.or(foretold.decoding_ms);
        let ends_ms = foretold.ended_ms.ok_or(NoEta::NotMeasured)?;
        self.unless_unmeasured(Outlook {
            enters_ms: foretold.released_ms.map_or(0.0, from_now),
            begins_ms: begins.map_or(0.0, from_now),
            ends_ms: from_now(ends_ms),
        })
    }

    fn unless_unmeasured(&self, outlook: Outlook) -> Result<Outlook, NoEta> {
        if self.has_unmeasured { Err(NoEta::OtherModels) } else { Ok(outlook) }
    }

    /// The number of a model that workers serve.
    fn served(&self, model: &str) -> Result<(usize, bool), NoEta> {
        self.names.models.get(model).copied().filter(|(_, is_served)| *is_served).ok_or(NoEta::NoWorker)
    }
}

impl Names {
    fn of(state: &QueueState) -> Self {
        let mut models: BTreeMap<String, (usize, bool)> = BTreeMap::new();
        let of_workers = state.workers.iter().flat_map(|worker| worker.models.iter().flatten());
        for (number, model) in of_workers.chain(state.jobs.iter().map(|job| &job.model)).collect::<BTreeSet<_>>().into_iter().enumerate() {
            let serves = |stage: Stage| {
                state.workers.iter().filter(|worker| !worker.is_draining).any(|worker| {
                    let slots = if stage == Stage::Sampling { worker.slots.sampling } else { worker.slots.decoding };
                    slots.all() > 0 && worker.serves(model)
                })
            };
            models.insert(model.clone(), (number, serves(Stage::Sampling) && serves(Stage::Decoding)));
        }
        let mut tenants: BTreeMap<TenantId, OfTenant> = BTreeMap::new();
        for (number, limits) in state.tenants.iter().enumerate() {
            tenants.insert(limits.tenant, OfTenant { number, limits: *limits, in_queue: 0 });
        }
        for job in state.jobs.iter().filter(|job| job.phase != OpenPhase::Throttled) {
            if let Some(of_tenant) = tenants.get_mut(&job.tenant) {
                of_tenant.in_queue += 1;
            }
        }
        Self { models, tenants }
    }

    /// `None`: its model was never measured, or its tenant is gone.
    fn job(&self, open: &OpenJob, costs: &Costs) -> Option<simulation::Job> {
        Some(simulation::Job {
            id: open.id,
            tenant: self.tenants.get(&open.tenant)?.number,
            lane: open.lane,
            model: self.models.get(&open.model)?.0,
            steps: open.steps,
            work: open.work,
            billed: open.billed,
            device_ms: device_ms(costs, &open.model, open.workload())?,
            overhead_ms: OVERHEAD,
        })
    }

    fn worker(&self, live: &store::LiveWorker, speed: f64) -> Worker {
        let served = self.models.iter().filter(|(model, _)| live.serves(model));
        Worker {
            sampling: live.slots.sampling,
            decoding: live.slots.decoding,
            device: Device { speed, ..Device::default() },
            models: served.map(|(model, (number, _))| ServedModel { model: *number, load_ms: live.load_left_ms(model) as f64 }).collect(),
            available_at_ms: 0.0,
        }
    }
}

fn cold(names: &Names, workers: &[store::LiveWorker]) -> BTreeMap<String, u32> {
    let cold = names.models.keys().filter(|model| !workers.iter().any(|worker| worker.has_warm(model)));
    cold.filter_map(|model| Some((model.clone(), workers.iter().filter_map(|worker| worker.loading_permille(model)).max()?))).collect()
}

const fn tenant(limits: &Limits) -> Tenant {
    Tenant { id: limits.tenant, weight: limits.weight, gate: limits.gate, free_at: limits.free_at }
}

fn device_ms(costs: &Costs, model: &str, workload: Workload) -> Option<StageMs> {
    costs.of_stages(model, None, workload).map(|costs| StageMs { sampling: costs.sampling_ms, decoding: costs.decoding_ms })
}

/// What is left to do of a job, in milliseconds of a device.
fn own_work_ms(job: &Job, costs: &Costs) -> Option<f64> {
    let (done, costs) = (job.done(), costs.of(&job.spec)?);
    let left = |done: u32, all: u32| f64::from(all.saturating_sub(done)) / f64::from(all.max(1));
    let sampling_ms = if done.stage == Some(Stage::Decoding) { 0.0 } else { costs.sampling_ms * left(done.step, done.steps) };
    Some(sampling_ms + costs.decoding_ms * left(done.decoded_permille, 1000))
}

/// How many times as fast a kind of device is as the mean of all kinds, by the first jobs that are there.
fn speed(jobs: &[OpenJob], costs: &Costs, device: &str) -> f64 {
    const LOOKED_AT: usize = 16;
    let all_ms = |costs: domain::scheduling::StageCosts| costs.sampling_ms + costs.decoding_ms;
    let ratios: Vec<f64> = jobs
        .iter()
        .take(LOOKED_AT)
        .filter_map(|open| {
            let mean = costs.of_stages(&open.model, None, open.workload())?;
            let own = costs.of_stages(&open.model, Some(device), open.workload())?;
            Some((all_ms(mean) / all_ms(own)).ln())
        })
        .collect();
    if ratios.is_empty() { 1.0 } else { (ratios.iter().sum::<f64>() / ratios.len() as f64).exp() }
}
