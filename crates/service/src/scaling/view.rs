//! What a decision about the number of workers goes by.

use crate::costs::Costs;
use domain::{
    JobId, Stage, Timestamp, WorkerId,
    scheduling::fleet::{ScalingView, ScalingWorker},
};
use std::collections::{BTreeMap, BTreeSet, VecDeque, btree_map::Entry};
use store::{
    LiveWorker, ModelRule, ScalingDecision,
    queue::{OpenPhase, QueueState},
};

/// What came lately came within so long at the most.
const LATELY_MAX_MS: u64 = 120_000;
/// Until one was seen to start.
const COLD_START_MS: u64 = 20_000;
/// A worker that was asked for and did not come by then does not come: a machine is rented, and weights are loaded from a slow disk.
pub(super) const GIVEN_UP_AFTER_MS: u64 = 20 * 60_000;

/// One that a server before this one asked for, and that is this many times as late as others were, is not waited for: it may have come and
/// ended, which is written down nowhere.
pub(super) const LATE_TIMES: u64 = 2;
/// However soon others came.
const WAITED_FOR_AT_LEAST_MS: u64 = 2 * 60_000;

/// A job that is in no look for so long has ended, where nothing is paused: while it is, and while its line is long, it may only be out of sight.
const FORGOTTEN_AFTER_MS: u64 = 60 * 60_000;
/// Jobs that are remembered, beside those of the last look.
const JOBS_MAX: usize = 100_000;

const STAGES: [Stage; 2] = [Stage::Sampling, Stage::Decoding];

/// A worker that is starting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Starting {
    pub(crate) device: String,
    /// Until it takes jobs, as long as others took that came; 0: any moment.
    pub(crate) ready_in_ms: u64,
}

/// What was read for a decision about a kind of device.
#[derive(Clone, Copy)]
pub(super) struct Look<'a> {
    pub(super) state: &'a QueueState,
    pub(super) rules: &'a BTreeMap<String, ModelRule>,
    /// By name.
    pub(super) offered: &'a BTreeSet<String>,
    pub(super) costs: &'a Costs,
    /// Workers that were asked for, of all kinds of device.
    pub(super) starting: &'a [Starting],
    pub(super) device: &'a str,
}

/// What is remembered between two looks.
#[derive(Debug)]
pub(super) struct Seen {
    lately_ms: u64,
    /// What was asked for before was asked for by another server, or by this one in an earlier turn.
    since: Timestamp,
    /// When workers were asked for that have not come yet, the oldest first.
    asked: VecDeque<Timestamp>,
    /// Those of them that run beside this server.
    beside: BTreeSet<WorkerId>,
    /// When workers were drained after a server before this one had asked for some: those are not on their way.
    drained: Vec<Timestamp>,
    cold_start_ms: Option<u64>,
    /// Those that were there at the last look, and since when they have nothing to do.
    workers: BTreeMap<WorkerId, Timestamp>,
    /// Since when jobs are followed; those that were there are not arrivals.
    begun_at: Option<Timestamp>,
    /// Work that came, in milliseconds of a device, by the moment of its look.
    arrivals: VecDeque<(Timestamp, u64)>,
    /// The jobs in the queue and with workers, and when each was there last.
    jobs: BTreeMap<JobId, Timestamp>,
}

impl Seen {
    /// What a server before this one asked for may be on its way. Work that came within `lately_ms` says how much comes.
    pub(super) fn from_decisions(decisions: &[ScalingDecision], device: &str, lately_ms: u64, now: Timestamp) -> Self {
        let (mut asked, mut drained) = (VecDeque::new(), Vec::new());
        for decision in decisions.iter().rev().filter(|decision| decision.device == device) {
            // One that lies ahead was made before the clock was put back, and nobody knows how long: it counts as made just now.
            let at = if decision.at > now { now.plus_ms(-1) } else { decision.at };
            if now.ms_since(at) < GIVEN_UP_AFTER_MS {
                asked.extend(std::iter::repeat_n(at, decision.started as usize));
                drained.extend(std::iter::repeat_n(at, decision.drained as usize));
            }
        }
        Self {
            lately_ms: lately_ms.clamp(1, LATELY_MAX_MS),
            since: now,
            asked,
            beside: BTreeSet::new(),
            drained,
            cold_start_ms: None,
            workers: BTreeMap::new(),
            begun_at: None,
            arrivals: VecDeque::new(),
            jobs: BTreeMap::new(),
        }
    }

    /// The clock was put back by so much: what was seen is as long ago as it was.
    pub(super) fn put_back(&mut self, ms: i64) {
        if ms == 0 {
            return;
        }
        let earlier = |at: &mut Timestamp| *at = at.plus_ms(-ms);
        self.asked.iter_mut().for_each(earlier);
        self.drained.iter_mut().for_each(earlier);
        self.workers.values_mut().for_each(earlier);
        self.jobs.values_mut().for_each(earlier);
        self.arrivals.iter_mut().for_each(|(at, _)| earlier(at));
        self.begun_at.iter_mut().for_each(earlier);
        earlier(&mut self.since);
    }

    /// One that was asked for then does not come.
    pub(super) fn failed(&mut self, asked_at: Timestamp) {
        if let Some(place) = self.asked.iter().position(|asked| *asked == asked_at) {
            self.asked.remove(place);
        }
    }

    /// One that was asked for runs beside this server as this worker.
    pub(super) fn started_beside(&mut self, worker: WorkerId) {
        // It may have come before this is known.
        if !self.workers.contains_key(&worker) {
            self.beside.insert(worker);
        }
    }

    /// One beside this server that was asked for then has ended. `true`: it has not come before, and does not.
    pub(super) fn ended_beside(&mut self, worker: WorkerId, asked_at: Timestamp, now: Timestamp) -> bool {
        let has_failed = self.beside.remove(&worker);
        if has_failed && now.ms_since(asked_at) < GIVEN_UP_AFTER_MS {
            // Another that came meanwhile may have been taken for it.
            let place = self.asked.iter().position(|asked| *asked == asked_at).unwrap_or(0);
            self.asked.remove(place);
        }
        has_failed
    }

    /// A worker was asked for.
    pub(super) fn asked(&mut self, now: Timestamp) {
        self.asked.push_back(now);
    }

    /// The workers of a kind of device and the work that is there for them; and how much of it has come since the last look. What is throttled comes
    /// when it enters the queue.
    pub(super) fn view(&mut self, look: Look<'_>) -> (ScalingView, u64) {
        let Look { state, costs, device, .. } = look;
        let now = state.now;
        self.meet(&state.workers, device, now);
        let cold_start_ms = self.cold_start_ms();
        let others_given_up_ms = cold_start_ms.saturating_mul(LATE_TIMES).clamp(WAITED_FOR_AT_LEAST_MS, GIVEN_UP_AFTER_MS);
        let given_up_ms = |asked_at: Timestamp| if asked_at < self.since { others_given_up_ms } else { GIVEN_UP_AFTER_MS };
        self.asked.retain(|asked_at| now.ms_since(*asked_at) < given_up_ms(*asked_at));
        let is_first = self.begun_at.is_none();
        let (mut queued_ms, mut arrived_ms, mut oldest, mut without_room) = (0.0, 0.0, None::<Timestamp>, None::<Timestamp>);
        let mut running: BTreeMap<WorkerId, u32> = BTreeMap::new();
        let done_here = look.done_here();
        let crowded_out = look.crowded_out(&done_here);
        for open in state.jobs.iter().filter(|open| open.phase != OpenPhase::Throttled) {
            if let OpenPhase::Running { worker, .. } = open.phase {
                *running.entry(worker).or_default() += 1;
            }
            let is_new = self.jobs.insert(open.id, now).is_none() && !is_first;
            if !done_here.contains(&*open.model) {
                continue;
            }
            let all_ms =
                costs.of_stages(&open.model, Some(device), open.workload()).map_or(0.0, |costs| costs.sampling_ms + costs.decoding_ms);
            if is_new {
                arrived_ms += all_ms;
            }
            if let OpenPhase::Waiting(stage) = open.phase {
                let decoding_ms = || costs.of_stages(&open.model, Some(device), open.workload()).map_or(0.0, |costs| costs.decoding_ms);
                queued_ms += if stage == Stage::Sampling { all_ms } else { decoding_ms() };
                let earlier = |oldest: Option<Timestamp>| Some(oldest.map_or(open.created_at, |oldest| oldest.min(open.created_at)));
                oldest = earlier(oldest);
                if crowded_out.contains(&(stage, open.model.as_str())) {
                    without_room = earlier(without_room);
                }
            }
        }
        let begun_at = *self.begun_at.get_or_insert(now);
        self.forget_jobs(state, now);
        self.arrivals.push_back((now, arrived_ms as u64));
        self.arrivals.retain(|(at, _)| now.ms_since(*at) < self.lately_ms);
        let pinned = look.pinned_here(&done_here);
        let warm_min = look.on_this_kind(look.warm_min(&done_here));
        let of_kind = state.workers.iter().filter(|worker| worker.device == device);
        let workers = of_kind.map(|worker| {
            let running = running.get(&worker.id).copied().unwrap_or(0);
            let idle_since = self.workers.entry(worker.id).or_insert(now);
            if running > 0 {
                *idle_since = now;
            }
            let warm = warm_min.keys().filter(|model| worker.has_warm(model)).cloned().collect();
            ScalingWorker {
                worker: worker.id,
                running,
                idle_since: *idle_since,
                draining: worker.is_draining,
                stages: stages(worker),
                warm,
            }
        });
        let view = ScalingView {
            device_kind: device.to_owned(),
            workers: workers.collect(),
            starting: self.asked.len() as u32,
            queued_ms: queued_ms as u64,
            oldest_wait_ms: oldest.map(|oldest| now.ms_since(oldest)),
            without_room_ms: without_room.map(|oldest| now.ms_since(oldest)),
            arrived_ms: self.arrivals.iter().map(|(_, ms)| ms).sum(),
            // A rate over less than this would be one of chance.
            arrived_over_ms: now.ms_since(begun_at).clamp(self.lately_ms / 4, self.lately_ms),
            cold_start_ms,
            warm_min,
            pinned,
        };
        (view, arrived_ms as u64)
    }

    /// Those that have ended, and of too many the ones that were seen longest ago.
    fn forget_jobs(&mut self, state: &QueueState, now: Timestamp) {
        if state.pauses.all().is_empty() {
            self.jobs.retain(|_, seen_at| now.ms_since(*seen_at) < FORGOTTEN_AFTER_MS);
        }
        if let Some(beyond) = self.jobs.len().checked_sub(JOBS_MAX).filter(|beyond| *beyond > 0) {
            let mut seen: Vec<Timestamp> = self.jobs.values().copied().collect();
            let (_, oldest_kept, _) = seen.select_nth_unstable(beyond);
            self.jobs.retain(|_, seen_at| *seen_at >= *oldest_kept);
        }
    }

    /// As learned.
    pub(super) fn cold_start_ms(&self) -> u64 {
        self.cold_start_ms.unwrap_or(COLD_START_MS)
    }

    /// When those were asked for that have not come, the oldest first.
    pub(super) fn awaited(&self) -> impl Iterator<Item = Timestamp> {
        self.asked.iter().copied()
    }

    /// Workers that have come since the last look were asked for, as long as any were; those that are gone are forgotten.
    pub(super) fn meet(&mut self, live: &[LiveWorker], device: &str, now: Timestamp) {
        let is_there = |id: &WorkerId| live.iter().any(|worker| worker.id == *id);
        self.workers.retain(|id, _| is_there(id));
        let mut of_kind: Vec<&LiveWorker> = live.iter().filter(|worker| worker.device == device).collect();
        of_kind.sort_by_key(|worker| worker.started_at);
        // Those that drain still are met now.
        let draining = of_kind.iter().filter(|worker| worker.is_draining).count();
        let mut drained = std::mem::take(&mut self.drained);
        drained.truncate(drained.len().saturating_sub(draining));
        let mut drained = drained.into_iter().peekable();
        for worker in of_kind {
            let Entry::Vacant(newcomer) = self.workers.entry(worker.id) else { continue };
            newcomer.insert(now);
            self.beside.remove(&worker.id);
            while let Some(drained_at) = drained.next_if(|drained_at| *drained_at <= worker.started_at) {
                self.came_by(drained_at);
            }
            if let Some(asked_at) = self.came_by(worker.started_at) {
                let took_ms = worker.started_at.ms_since(asked_at).max(1);
                self.cold_start_ms = Some(self.cold_start_ms.map_or(took_ms, |before| before.midpoint(took_ms)));
            }
        }
        for drained_at in drained {
            self.came_by(drained_at);
        }
    }

    /// When the one was asked for that had come by then: the oldest.
    fn came_by(&mut self, then: Timestamp) -> Option<Timestamp> {
        self.asked.iter().position(|asked_at| *asked_at <= then).and_then(|place| self.asked.remove(place))
    }
}

impl<'a> Look<'a> {
    /// The models whose work is one for this kind of device, of those that jobs wait for or that are pinned.
    fn done_here(&self) -> BTreeSet<&'a str> {
        let jobs = self.state.jobs.iter().map(|open| open.model.as_str());
        let models: BTreeSet<&str> = jobs.chain(self.rules.keys().map(String::as_str)).collect();
        models.into_iter().filter(|model| self.may_do(model)).collect()
    }

    /// Whether workers of this kind can do its work. Where none is there, or nobody at all can, one that is started may be able to.
    fn may_do(&self, model: &str) -> bool {
        let (of_kind, others): (Vec<&LiveWorker>, Vec<&LiveWorker>) =
            self.state.workers.iter().partition(|worker| worker.device == self.device);
        let serves = |worker: &&LiveWorker| worker.serves(model);
        of_kind.iter().any(serves) || self.offered.contains(model) && (of_kind.is_empty() || !others.iter().any(serves))
    }

    /// On how many workers each model is pinned.
    fn pins(&self, done_here: &BTreeSet<&str>) -> BTreeMap<String, u32> {
        let rules = self.rules.iter().filter(|(model, rule)| rule.pinned_workers > 0 && done_here.contains(model.as_str()));
        // One that is withdrawn is kept nowhere.
        rules.filter(|(model, _)| self.offered.contains(*model)).map(|(model, rule)| (model.clone(), rule.pinned_workers)).collect()
    }

    /// On how many workers each model is to stay warm: those of which jobs wait or run on one at least.
    fn warm_min(&self, done_here: &BTreeSet<&str>) -> BTreeMap<String, u32> {
        let mut min = self.pins(done_here);
        let in_queue = self.state.jobs.iter().filter(|open| open.phase != OpenPhase::Throttled);
        for open in in_queue.filter(|open| done_here.contains(&*open.model)) {
            if !min.contains_key(&open.model) {
                min.insert(open.model.clone(), 1);
            }
        }
        min
    }

    /// Of the pins, those that are for this kind: of workers that are there, as many as other kinds do not have the model warm on; of others, as many
    /// as no worker of another kind can load it on, be it there or starting.
    fn pinned_here(&self, done_here: &BTreeSet<&str>) -> BTreeMap<String, u32> {
        let here = |(model, workers): (String, u32)| {
            let can_load = |worker: &LiveWorker| self.can_load(worker, &model);
            let kept =
                workers.saturating_sub(self.doing_both(false, |worker| worker.has_warm(&model))).min(self.doing_both(true, can_load));
            let elsewhere = self.doing_both(false, can_load).saturating_add(self.starting_elsewhere(&model));
            (model, workers.saturating_sub(elsewhere).max(kept))
        };
        self.pins(done_here).into_iter().map(here).filter(|(_, workers)| *workers > 0).collect()
    }

    /// What other kinds of device do not have of that, for both stages.
    fn on_this_kind(&self, all: BTreeMap<String, u32>) -> BTreeMap<String, u32> {
        let elsewhere = |model: &str| self.doing_both(false, |worker| worker.has_warm(model));
        let rest = all.into_iter().map(|(model, workers)| (workers.saturating_sub(elsewhere(&model)), model));
        rest.filter(|(workers, _)| *workers > 0).map(|(workers, model)| (model, workers)).collect()
    }

    /// How many of the workers of this kind, or of the others, are so, for both stages.
    fn doing_both(&self, is_own: bool, is_so: impl Fn(&LiveWorker) -> bool) -> u32 {
        let workers = self.state.workers.iter().filter(|worker| (worker.device == self.device) == is_own && !worker.is_draining);
        let workers: Vec<&LiveWorker> = workers.filter(|worker| is_so(worker)).collect();
        let doing = STAGES.map(|stage| workers.iter().filter(|worker| worker.slots.of(stage).all() > 0).count() as u32);
        doing.into_iter().min().unwrap_or(0)
    }

    /// Whether a worker has a model or can load it: beside what is pinned and there, and not what could not be loaded there.
    fn can_load(&self, worker: &LiveWorker, model: &str) -> bool {
        let Some(held) = &worker.held else { return worker.serves(model) };
        let Some(own) = held.of(model).filter(|own| worker.serves(model) && own.problem().is_none()) else { return false };
        let Some(max_bytes) = held.memory_max_bytes else { return true };
        let is_desired = |model: &str| worker.desired.iter().flatten().any(|desired| desired.model == model);
        let is_pinned = |model: &str| self.rules.get(model).is_some_and(|rule| rule.pinned_workers > 0);
        let others = held.models.iter().filter(|other| other.model != model && is_pinned(&other.model));
        let others = others.filter(|other| other.is_present() || is_desired(&other.model)).map(|other| other.memory_bytes);
        own.memory_bytes > 0 && others.fold(own.memory_bytes, u64::saturating_add) <= max_bytes
    }

    /// How many workers of other kinds are starting that may be able to load a model.
    fn starting_elsewhere(&self, model: &str) -> u32 {
        let may = |device: &str| {
            let mut of_kind = self.state.workers.iter().filter(|worker| worker.device == device).peekable();
            of_kind.peek().is_none() || of_kind.any(|worker| self.can_load(worker, model))
        };
        self.starting.iter().filter(|starting| starting.device != self.device && may(&starting.device)).count() as u32
    }
}

/// Those that it does.
fn stages(worker: &LiveWorker) -> Vec<Stage> {
    STAGES.into_iter().filter(|stage| worker.slots.of(*stage).all() > 0).collect()
}

#[cfg(test)]
pub(super) mod tests;
