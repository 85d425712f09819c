//! The live queue in the simulator's terms, and what was simulated of it.

mod batch;
mod known;
mod left;
mod newcomer;

pub(crate) use batch::BatchAhead;
pub(crate) use left::Decodes;
pub(crate) use newcomer::Newcomer;

use super::{
    Costs, Outlook,
    likely::{Arrivals, InFutures, TOGETHER_MS},
    names::{Names, OVERHEAD, device_ms, speed, tenant},
    outlook::Late,
};
use crate::placement::cold_load_ms;
use domain::{
    JobId, NoEta, Stage, TenantId, Timestamp,
    scheduling::{LineOf, fleet::ForeseenSwap},
};
use known::Where;
use left::{calls, part_left};
use simulation::{
    Arrival, Engine, Foretold, Policy, Running, StageMs, State, StateError, Tenant, Waiting, Wanted, forecast, forecast_within,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, PoisonError},
};
use store::{
    LiveWorker,
    queue::{Limits, OpenJob, OpenPhase, QueueState, Throttled},
};

/// What happens before a newcomer has ended, as far as it is followed for it alone.
const FOLLOWED: u64 = 4000;
/// How many likely futures are looked at of a newcomer, and of all jobs that are there, where these are not too many.
const FUTURES: u64 = 24;
const FUTURES_OF_ALL: usize = 3;
const JOBS_WITH_FUTURES: usize = 2000;
const FOLLOWED_OF_ALL: u64 = 200_000;
/// Newcomers that are remembered: a new simulation knows them.
const NEWCOMERS: usize = 2000;

/// What was foretold at one moment.
pub(crate) struct Simulated {
    at: Timestamp,
    /// As it was then.
    engine: Engine,
    names: Names,
    foretold: BTreeMap<JobId, InFutures>,
    /// What came lately.
    arrivals: Arrivals,
    /// Where jobs were: how far those that run have come is another matter.
    places: BTreeMap<JobId, Where>,
    /// The jobs at the head of each line in their order, and when they begin.
    heads: BTreeMap<(&'static str, usize), Vec<Foretold>>,
    /// Jobs of a model are there that was never measured.
    has_unmeasured: bool,
    /// Models that no worker has warm and one is loading, with how far that has come, in thousandths.
    cold: BTreeMap<String, u32>,
    /// What loading takes of models that no worker has warm, in milliseconds.
    loads_ms: BTreeMap<String, u64>,
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

impl Simulated {
    /// Simulates until all jobs have ended that workers serve. `begun`: since when decodes run, as far as it is known.
    ///
    /// # Errors
    /// [`StateError`]: a defect.
    pub(super) fn of(
        state: QueueState,
        swaps: &[ForeseenSwap],
        begun: &BTreeMap<JobId, Timestamp>,
        costs: &Costs,
    ) -> Result<Self, StateError> {
        let names = Names::of(&state);
        let now_ms = state.now.ms() as f64;
        let worker = |live: &LiveWorker| names.worker(live, speed(&state.jobs, costs, &live.device), (swaps, now_ms));
        let mut simulated = State {
            now_ms,
            models: names.models.len(),
            tenants: state.tenants.iter().map(tenant).collect(),
            workers: state.workers.iter().map(worker).collect(),
            ..State::default()
        };
        let (mut has_unmeasured, mut lines, mut throttled) = (false, BTreeMap::<_, Vec<_>>::new(), Vec::new());
        let calls = calls(&state);
        let places = state.jobs.iter().map(|open| (open.id, Where::of_open(open.phase))).collect();
        for open in &state.jobs {
            let Some(job) = names.job(open, costs) else {
                has_unmeasured |= costs.of_stages(&open.model, None, open.workload()).is_none();
                continue;
            };
            let waits = |stage| Waiting { job, stage, tag: open.tag };
            match open.phase {
                OpenPhase::Throttled => throttled.push((open.created_at, open.id, job)),
                OpenPhase::Waiting(stage) => {
                    simulated.waiting.push(waits(stage));
                    if stage == Stage::Sampling {
                        lines.entry((open.lane.as_str(), job.model)).or_default().push(job.id);
                    }
                }
                OpenPhase::Running { stage, worker, done_permille } => {
                    // What is paused goes on to the end of its stage.
                    let is_paused = state.pauses.of(open.line(), open.tenant).is_some();
                    let job = if is_paused { without_next_stage(job, stage) } else { job };
                    let serves = |number: &usize| simulated.workers[*number].models.iter().any(|served| served.model == job.model);
                    match state.workers.iter().position(|live| live.id == worker).filter(serves) {
                        Some(number) => {
                            let share = simulated.workers[number].device.speed / calls.get(&worker).copied().unwrap_or(1) as f64;
                            let passed_ms = begun.get(&open.id).map(|begun| state.now.ms_since(*begun) as f64 * share);
                            let passed = passed_ms.map(|passed_ms| passed_ms / job.device_ms.decoding);
                            let left_ms = job.device_ms.of(stage) * part_left(stage, done_permille, open.steps, passed);
                            simulated.running.push(Running { job, stage, tag: open.tag, worker: number, left_ms });
                        }
                        None if is_paused => {}
                        // Its worker is gone: it is made again.
                        None => simulated.waiting.push(waits(stage)),
                    }
                }
            }
        }
        // They take their turn at the gate, and nothing of a worker.
        let held = state.held.iter().filter_map(|open| Some((open.created_at, open.id, taking_nothing(names.job(open, costs)?))));
        throttled.extend(held);
        throttled.sort_by_key(|(created_at, id, _)| (*created_at, *id));
        simulated.throttled = throttled.into_iter().map(|(.., job)| job).collect();
        let mut engine = Engine::new(Policy::Fair, simulated)?;
        for (number, _) in state.workers.iter().enumerate().filter(|(_, worker)| worker.is_draining) {
            engine.stop_worker(number);
        }
        let came = |open: &OpenJob| Some(Arrival { at_ms: open.created_at.ms() as f64, job: names.job(open, costs)? });
        let arrivals = Arrivals::new(state.recent.iter().filter_map(came).collect());
        let foretold = foretell_all(&engine, &state, &arrivals);
        let known = |ids: Vec<JobId>| ids.iter().filter_map(|id| Some(foretold.get(id)?.middle)).collect();
        let heads = lines.into_iter().map(|(line, ids)| (line, known(ids))).collect();
        let (cold, loads_ms) = (cold(&names, &state.workers), loads_ms(&names, &state.workers));
        let newcomers = Mutex::default();
        Ok(Self { at: state.now, engine, names, foretold, arrivals, places, heads, has_unmeasured, cold, loads_ms, newcomers })
    }

    /// How far a model is loaded that a job has to wait for, in thousandths.
    pub(super) fn cold_load(&self, model: &str) -> Option<u32> {
        self.cold.get(model).copied()
    }

    /// What loading a model takes that a job has to wait for which enters the queue in so long, in milliseconds; 0: a worker has it, or it is not
    /// known. A load that has begun goes on meanwhile.
    pub(super) fn load_ms(&self, model: &str, enters_in_ms: u64) -> u64 {
        let load_ms = self.loads_ms.get(model).copied().unwrap_or(0);
        if self.cold.contains_key(model) { load_ms.saturating_sub(enters_in_ms) } else { load_ms }
    }

    /// Of what moment the queue was.
    #[cfg(test)]
    pub(crate) const fn at(&self) -> Timestamp {
        self.at
    }

    /// Whether it was there.
    pub(super) fn knows(&self, id: JobId) -> bool {
        self.places.contains_key(&id)
    }

    /// When a job that was there and throttled enters the queue.
    pub(super) fn enters_at(&self, id: JobId) -> Option<Timestamp> {
        self.foretold.get(&id)?.middle.released_ms.map(|ms| Timestamp::from_ms(ms as i64))
    }

    /// Why a tenant's jobs do not enter that are throttled: as many are in the queue as may be.
    pub(super) fn at_once(&self, tenant: TenantId) -> Option<Throttled> {
        let of_tenant = self.names.tenants.get(&tenant)?;
        let at_once = of_tenant.limits.gate?.at_once()?;
        (of_tenant.in_queue >= u64::from(at_once)).then_some(Throttled::AtOnce(at_once))
    }

    /// What is foretold of a newcomer. `stays`: it is in front of those who come later.
    pub(crate) async fn of_newcomer(self: &Arc<Self>, newcomer: &Newcomer<'_>, costs: &Costs, stays: bool) -> Result<Outlook, NoEta> {
        let (tenant, at_ms, newcomers) = self.beside(newcomer, costs, stays)?;
        let (simulated, id) = (Arc::clone(self), newcomer.id);
        // It takes some milliseconds, in which other requests are to come on.
        let foretold = tokio::task::spawn_blocking(move || simulated.foretell(id, tenant, at_ms, newcomers)).await;
        match foretold.ok().flatten() {
            Some(foretold) => self.told(newcomer.line.model, &foretold, newcomer.at),
            None => self.behind_all(newcomer.line, newcomer.position, newcomer.at),
        }
    }

    /// The number of a newcomer's tenant, when it comes, and all newcomers with it.
    fn beside(&self, newcomer: &Newcomer<'_>, costs: &Costs, stays: bool) -> Result<(usize, f64, Newcomers), NoEta> {
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
            stands: newcomer.tag,
            has_entered: newcomer.has_entered,
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
        Ok((tenant, at_ms, newcomers))
    }

    /// What is foretold of one of these newcomers, in the middle of likely futures: the longer it is followed, the fewer of them, and none where
    /// too many jobs are there. `None`: it is too long.
    fn foretell(&self, id: JobId, tenant: usize, at_ms: f64, newcomers: Newcomers) -> Option<InFutures> {
        let mut engine = self.engine.clone();
        newcomers.tenants.into_iter().for_each(|tenant| {
            engine.add_tenant(tenant);
        });
        let follow = |engine: Engine, arrivals: &[Arrival]| {
            let (mut left, wanted) = (FOLLOWED, Wanted::These(BTreeSet::from([id])));
            let foretold = forecast_within(engine, arrivals, wanted, &mut left).remove(&id).filter(|foretold| foretold.ended_ms.is_some());
            (foretold, FOLLOWED - left)
        };
        let (foretold, steps) = follow(engine.clone(), &newcomers.arrivals);
        let foretold = foretold?;
        let is_its_own = |other: &&Arrival| other.job.tenant == tenant && other.job.id != id && at_ms - other.at_ms <= TOGETHER_MS;
        let before = self.arrivals.just_before(tenant, at_ms) + newcomers.arrivals.iter().filter(is_its_own).count();
        let most = if engine.open() > JOBS_WITH_FUTURES { 0 } else { FUTURES };
        let count = (FOLLOWED / steps.max(1)).min(most) as usize;
        let in_future = |future: Vec<Arrival>| {
            let arrivals: Vec<Arrival> = newcomers.arrivals.iter().copied().chain(future).collect();
            follow(engine.clone(), &arrivals).0.unwrap_or_default()
        };
        let for_ms = foretold.ended_ms.unwrap_or(at_ms) - at_ms;
        let futures = self.arrivals.futures((at_ms, for_ms), Some((tenant, before)), count);
        Some(InFutures::of(&futures.into_iter().map(in_future).collect::<Vec<_>>(), foretold))
    }

    /// What is foretold of a job that stands further back in its line than jobs were looked at: those go on as the last of them did.
    pub(crate) fn behind_all(&self, line: LineOf<'_>, position: u64, now: Timestamp) -> Result<Outlook, NoEta> {
        let (model, _) = self.served(line.model)?;
        let head = self.heads.get(&(line.lane.as_str(), model)).map_or(&[][..], Vec::as_slice);
        let begins = |place: usize| head.get(place).and_then(|foretold| foretold.sampling_ms);
        let last = head.len().checked_sub(1).ok_or(NoEta::NotAsked)?;
        let (middle_ms, last_ms) = begins(last / 2).zip(begins(last)).ok_or(NoEta::NotAsked)?;
        let each_ms = (last_ms - middle_ms) / (last - last / 2).max(1) as f64;
        let at_its_place = usize::try_from(position).ok().and_then(|position| begins(position.checked_sub(1)?));
        let begins_ms = at_its_place.unwrap_or_else(|| last_ms + each_ms * position.saturating_sub(head.len() as u64) as f64);
        let takes_ms = head[last].ended_ms.map_or(0.0, |ended_ms| ended_ms - last_ms);
        let from_now = |ms: f64| self.until_ms(ms, now);
        let ends_ms = from_now(begins_ms + takes_ms);
        self.unless_unmeasured(Outlook { enters_ms: 0.0, begins_ms: from_now(begins_ms), ends_ms, late: None })
    }

    fn told(&self, model: &str, InFutures { middle, late }: &InFutures, now: Timestamp) -> Result<Outlook, NoEta> {
        self.served(model)?;
        let from_now = |ms: f64| self.until_ms(ms, now);
        let begins_ms = |foretold: &Foretold| foretold.sampling_ms.or(foretold.decoding_ms).map_or(0.0, from_now);
        let ends_ms = middle.ended_ms.ok_or(NoEta::NotMeasured)?;
        let late = late.as_ref().and_then(|late| Some(Late { begins_ms: begins_ms(late), ends_ms: from_now(late.ended_ms?) }));
        self.unless_unmeasured(Outlook {
            enters_ms: middle.released_ms.map_or(0.0, from_now),
            begins_ms: begins_ms(middle),
            ends_ms: from_now(ends_ms),
            late,
        })
    }

    /// How long it is until a moment of the engine. Who waited for the simulation is told from its beginning on.
    fn until_ms(&self, ms: f64, now: Timestamp) -> f64 {
        (ms - now.max(self.at).ms() as f64).max(0.0)
    }

    fn unless_unmeasured(&self, outlook: Outlook) -> Result<Outlook, NoEta> {
        if self.has_unmeasured { Err(NoEta::OtherModels) } else { Ok(outlook) }
    }

    /// Why nothing is told of the time of a job that was not there.
    pub(crate) fn unknown(&self, model: &str) -> NoEta {
        self.served(model).err().unwrap_or(NoEta::NotAsked)
    }

    /// The number of a model that workers serve.
    fn served(&self, model: &str) -> Result<(usize, bool), NoEta> {
        self.names.models.get(model).copied().filter(|(_, is_served)| *is_served).ok_or(NoEta::NoWorker)
    }
}

/// What is foretold of each job that is there, where they are not too many in the middle of likely futures.
fn foretell_all(engine: &Engine, state: &QueueState, arrivals: &Arrivals) -> BTreeMap<JobId, InFutures> {
    let foretold = forecast(engine.clone(), &[], Wanted::All);
    if state.jobs.len() > JOBS_WITH_FUTURES {
        return foretold.into_iter().map(|(id, foretold)| (id, InFutures::one(foretold))).collect();
    }
    let now_ms = state.now.ms() as f64;
    let last_ms = foretold.values().filter_map(|foretold| foretold.ended_ms).fold(now_ms, f64::max);
    let ids: BTreeSet<JobId> = foretold.iter().filter(|(_, foretold)| foretold.ended_ms.is_some()).map(|(id, _)| *id).collect();
    let in_future =
        |future: Vec<Arrival>| forecast_within(engine.clone(), &future, Wanted::These(ids.clone()), &mut FOLLOWED_OF_ALL.clone());
    let in_futures: Vec<_> = arrivals.futures((now_ms, last_ms - now_ms), None, FUTURES_OF_ALL).into_iter().map(in_future).collect();
    let in_all = |(id, foretold): (JobId, Foretold)| {
        let of_it: Vec<Foretold> = in_futures.iter().map(|future| future.get(&id).copied().unwrap_or_default()).collect();
        (id, InFutures::of(&of_it, foretold))
    };
    foretold.into_iter().map(in_all).collect()
}

/// A job that no worker begins when it has come through this stage: it takes nothing of the next.
const fn without_next_stage(job: simulation::Job, stage: Stage) -> simulation::Job {
    match stage {
        Stage::Sampling => simulation::Job { device_ms: StageMs { decoding: 0.0, ..job.device_ms }, ..job },
        Stage::Decoding => job,
    }
}

/// A job that no worker begins.
const fn taking_nothing(job: simulation::Job) -> simulation::Job {
    /// Of each stage, in milliseconds.
    const NEXT_TO_NOTHING: StageMs = StageMs { sampling: 1e-6, decoding: 1e-6 };
    simulation::Job { device_ms: NEXT_TO_NOTHING, overhead_ms: StageMs { sampling: 0.0, decoding: 0.0 }, ..job }
}

fn cold(names: &Names, workers: &[LiveWorker]) -> BTreeMap<String, u32> {
    let cold = names.models.keys().filter(|model| !workers.iter().any(|worker| worker.has_warm(model)));
    cold.filter_map(|model| Some((model.clone(), workers.iter().filter_map(|worker| worker.loading_permille(model)).max()?))).collect()
}

fn loads_ms(names: &Names, workers: &[LiveWorker]) -> BTreeMap<String, u64> {
    names.models.keys().filter_map(|model| Some((model.clone(), cold_load_ms(workers, model)?))).collect()
}
