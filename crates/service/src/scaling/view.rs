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
const GIVEN_UP_AFTER_MS: u64 = 20 * 60_000;

/// One that is in no look for so long has ended; in a single look it may be missing while it moves on.
const FORGOTTEN_AFTER_MS: u64 = 10_000;

/// What is remembered between two looks.
#[derive(Debug)]
pub(super) struct Seen {
    lately_ms: u64,
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
            if now.ms_since(decision.at) < GIVEN_UP_AFTER_MS {
                asked.extend(std::iter::repeat_n(decision.at, decision.started as usize));
                drained.extend(std::iter::repeat_n(decision.at, decision.drained as usize));
            }
        }
        Self {
            lately_ms: lately_ms.clamp(1, LATELY_MAX_MS),
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
    pub(super) fn view(
        &mut self,
        (state, rules): (&QueueState, &BTreeMap<String, ModelRule>),
        costs: &Costs,
        device: &str,
    ) -> (ScalingView, u64) {
        let now = state.now;
        self.meet(&state.workers, device, now);
        let cold_start_ms = self.cold_start_ms();
        self.asked.retain(|asked_at| now.ms_since(*asked_at) < GIVEN_UP_AFTER_MS);
        let is_first = self.begun_at.is_none();
        let (mut queued_ms, mut arrived_ms, mut oldest) = (0.0, 0.0, None::<Timestamp>);
        for open in state.jobs.iter().filter(|open| open.phase != OpenPhase::Throttled) {
            let all_ms =
                costs.of_stages(&open.model, Some(device), open.workload()).map_or(0.0, |costs| costs.sampling_ms + costs.decoding_ms);
            if self.jobs.insert(open.id, now).is_none() && !is_first {
                arrived_ms += all_ms;
            }
            if let OpenPhase::Waiting(stage) = open.phase {
                let decoding_ms = || costs.of_stages(&open.model, Some(device), open.workload()).map_or(0.0, |costs| costs.decoding_ms);
                queued_ms += if stage == Stage::Sampling { all_ms } else { decoding_ms() };
                oldest = Some(oldest.map_or(open.created_at, |oldest| oldest.min(open.created_at)));
            }
        }
        let begun_at = *self.begun_at.get_or_insert(now);
        self.jobs.retain(|_, seen_at| now.ms_since(*seen_at) < FORGOTTEN_AFTER_MS);
        self.arrivals.push_back((now, arrived_ms as u64));
        self.arrivals.retain(|(at, _)| now.ms_since(*at) < self.lately_ms);
        let running = |id: WorkerId| {
            state.jobs.iter().filter(|open| matches!(open.phase, OpenPhase::Running { worker, .. } if worker == id)).count() as u32
        };
        let pinned = on_this_kind(state, device, pins(rules));
        let warm_min = on_this_kind(state, device, warm_min(state, rules));
        let of_kind = state.workers.iter().filter(|worker| worker.device == device);
        let workers = of_kind.map(|worker| {
            let running = running(worker.id);
            let idle_since = self.workers.entry(worker.id).or_insert(now);
            if running > 0 {
                *idle_since = now;
            }
            let warm = warm_min.keys().filter(|model| worker.has_warm(model)).cloned().collect();
            ScalingWorker { worker: worker.id, running, idle_since: *idle_since, draining: worker.is_draining, warm }
        });
        let view = ScalingView {
            device_kind: device.to_owned(),
            workers: workers.collect(),
            starting: self.asked.len() as u32,
            queued_ms: queued_ms as u64,
            oldest_wait_ms: oldest.map(|oldest| now.ms_since(oldest)),
            arrived_ms: self.arrivals.iter().map(|(_, ms)| ms).sum(),
            // A rate over less than this would be one of chance.
            arrived_over_ms: now.ms_since(begun_at).clamp(self.lately_ms / 4, self.lately_ms),
            cold_start_ms,
            warm_min,
            pinned,
        };
        (view, arrived_ms as u64)
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

/// On how many workers each model is pinned.
fn pins(rules: &BTreeMap<String, ModelRule>) -> BTreeMap<String, u32> {
    rules.iter().filter(|(_, rule)| rule.pinned_workers > 0).map(|(model, rule)| (model.clone(), rule.pinned_workers)).collect()
}

/// On how many workers each model is to stay warm: those of which jobs wait or run on one at least.
fn warm_min(state: &QueueState, rules: &BTreeMap<String, ModelRule>) -> BTreeMap<String, u32> {
    let mut min = pins(rules);
    for open in state.jobs.iter().filter(|open| open.phase != OpenPhase::Throttled) {
        if !min.contains_key(&open.model) {
            min.insert(open.model.clone(), 1);
        }
    }
    min
}

/// What other kinds of device do not have of that.
fn on_this_kind(state: &QueueState, device: &str, all: BTreeMap<String, u32>) -> BTreeMap<String, u32> {
    let elsewhere = |model: &str| {
        state.workers.iter().filter(|worker| worker.device != device && !worker.is_draining && worker.has_warm(model)).count() as u32
    };
    let rest = all.into_iter().map(|(model, workers)| (workers.saturating_sub(elsewhere(&model)), model));
    rest.filter(|(workers, _)| *workers > 0).map(|(workers, model)| (model, workers)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{
        Shape, Size, TenantId, VideoTime,
        billing::Lane,
        scheduling::{Tag, VirtualTime},
    };
    use store::{WorkerSlots, queue::OpenJob};
    use uuid::Uuid;

    const fn at(s: i64) -> Timestamp {
        Timestamp::from_ms(1_800_000_000_000 + s * 1000)
    }

    fn worker(n: u128, started_s: i64) -> LiveWorker {
        LiveWorker {
            id: WorkerId::from_uuid(Uuid::from_u128(n)),
            device: "cpu".into(),
            slots: WorkerSlots::default(),
            models: None,
            memory_bytes: None,
            held: None,
            desired: None,
            started_at: at(started_s),
            is_draining: false,
        }
    }

    fn job(n: u128, created_s: i64, phase: OpenPhase) -> OpenJob {
        let shape = Shape { size: Size { width: 64, height: 64 }, duration: VideoTime::from_ms(2000) };
        let tag = Tag { start: VirtualTime::new(0), finish: VirtualTime::new(1) };
        let (work, tenant) = (VideoTime::from_ms(2000), TenantId::from_uuid(Uuid::nil()));
        let (id, model) = (JobId::from_uuid(Uuid::from_u128(n)), "m".to_owned());
        OpenJob { id, tenant, lane: Lane::Batch, model, shape, steps: 10, work, billed: work, tag, created_at: at(created_s), phase }
    }

    fn state(now_s: i64, workers: Vec<LiveWorker>, jobs: Vec<OpenJob>) -> QueueState {
        QueueState { now: at(now_s), jobs, workers, recent: Vec::new(), tenants: Vec::new(), pauses: std::sync::Arc::default() }
    }

    #[test]
    fn a_worker_that_was_asked_for_is_starting_until_it_comes_and_teaches_how_long_that_takes() {
        let (mut seen, costs) = (Seen::from_decisions(&[], "cpu", 120_000, at(0)), Costs::default());
        seen.asked(at(0));
        let (view, _) = seen.view((&state(3, vec![worker(1, -100)], Vec::new()), &BTreeMap::new()), &costs, "cpu");
        assert_eq!((view.starting, view.workers.len(), view.cold_start_ms), (1, 1, COLD_START_MS), "that one was there before");
        let (view, _) = seen.view((&state(8, vec![worker(1, -100), worker(2, 7)], Vec::new()), &BTreeMap::new()), &costs, "cpu");
        assert_eq!((view.starting, view.workers.len(), view.cold_start_ms), (0, 2, 7000));
        seen.asked(at(10));
        let (view, _) = seen.view((&state(10 + 20 * 60, vec![worker(1, -100), worker(2, 7)], Vec::new()), &BTreeMap::new()), &costs, "cpu");
        assert_eq!(view.starting, 0, "it does not come");
        let (view, _) = seen.view((&state(1300, Vec::new(), Vec::new()), &BTreeMap::new()), &costs, "h100");
        assert!(view.workers.is_empty());
    }

    #[test]
    fn what_an_earlier_server_asked_for_is_on_its_way() {
        let decision = |s, started| ScalingDecision {
            at: at(s),
            device: "cpu".into(),
            workers: 1,
            wanted: 2,
            started,
            drained: 0,
            reason: String::new(),
        };
        let mut seen = Seen::from_decisions(&[decision(95, 2), decision(-2000, 1)], "cpu", 120_000, at(100));
        assert_eq!(seen.view((&state(100, Vec::new(), Vec::new()), &BTreeMap::new()), &Costs::default(), "cpu").0.starting, 2);
    }

    #[test]
    fn what_came_and_was_drained_since_is_not_on_its_way() {
        let decision = |s, started, drained| ScalingDecision {
            at: at(s),
            device: "cpu".into(),
            workers: 1,
            wanted: 2,
            started,
            drained,
            reason: String::new(),
        };
        let decisions = [decision(900, 1, 0), decision(700, 0, 2), decision(100, 2, 0), decision(0, 1, 0)];
        let starting = |live: Vec<LiveWorker>| {
            let mut seen = Seen::from_decisions(&decisions, "cpu", 120_000, at(1000));
            seen.view((&state(1000, live, Vec::new()), &BTreeMap::new()), &Costs::default(), "cpu").0.starting
        };
        assert_eq!(starting(vec![worker(1, 20)]), 1, "the last one");
        assert_eq!(starting(vec![worker(1, 20), worker(2, 910)]), 0);
        let draining = LiveWorker { is_draining: true, ..worker(3, 120) };
        assert_eq!(starting(vec![worker(1, 20), draining]), 1, "it is counted once");
    }

    #[test]
    fn one_beside_this_server_that_ends_before_it_comes_is_not_on_its_way() {
        let mut seen = Seen::from_decisions(&[], "cpu", 120_000, at(0));
        let ids = [1, 2].map(|n| worker(n, 0).id);
        for id in ids {
            seen.asked(at(0));
            seen.started_beside(id);
        }
        seen.meet(&[worker(1, 5)], "cpu", at(6));
        assert!(!seen.ended_beside(ids[0], at(0), at(7)), "it had come");
        assert_eq!(seen.awaited().count(), 1);
        assert!(seen.ended_beside(ids[1], at(0), at(8)));
        assert_eq!(seen.awaited().count(), 0);
    }

    #[test]
    fn work_that_waits_is_told_with_its_age_and_arrivals_are_counted_once() {
        let (mut seen, costs) = (Seen::from_decisions(&[], "cpu", 120_000, at(0)), Costs::measured("m", 1000, 500));
        let waiting = |n, created_s| job(n, created_s, OpenPhase::Waiting(Stage::Sampling));
        let decoding = job(2, -9, OpenPhase::Waiting(Stage::Decoding));
        let me = worker(1, -100);
        let runs = job(3, -9, OpenPhase::Running { stage: Stage::Sampling, worker: me.id, done_permille: 0 });
        let (view, arrived_ms) =
            seen.view((&state(0, vec![me.clone()], vec![waiting(1, -10), decoding, runs]), &BTreeMap::new()), &costs, "cpu");
        assert_eq!((view.oldest_wait_ms, view.workers[0].running, arrived_ms), (Some(10_000), 1, 0), "those were there before");
        assert!((1900..2100).contains(&view.queued_ms), "{}", view.queued_ms);
        for look in 1..=3 {
            let (view, arrived_ms) =
                seen.view((&state(look, vec![me.clone()], vec![waiting(1, -10), waiting(4, 1)]), &BTreeMap::new()), &costs, "cpu");
            assert_eq!(arrived_ms > 0, look == 1);
            assert!((1400..1600).contains(&view.arrived_ms), "{}", view.arrived_ms);
        }
    }
    #[test]
    fn what_was_throttled_comes_when_it_enters_the_queue() {
        let (mut seen, costs, rules) = (Seen::from_decisions(&[], "cpu", 120_000, at(0)), Costs::measured("m", 1000, 500), BTreeMap::new());
        let mut look = |s, phase| seen.view((&state(s, Vec::new(), vec![job(1, -60, phase)]), &rules), &costs, "cpu").1;
        assert_eq!([look(0, OpenPhase::Throttled), look(1, OpenPhase::Throttled)], [0, 0]);
        assert!((1400..1600).contains(&look(2, OpenPhase::Waiting(Stage::Sampling))), "though it was submitted a minute ago");
        let runs = OpenPhase::Running { stage: Stage::Sampling, worker: worker(1, 0).id, done_permille: 0 };
        assert_eq!([look(3, runs), look(4, OpenPhase::Waiting(Stage::Decoding))], [0, 0]);
    }

    #[test]
    fn pins_and_models_in_demand_are_told_without_what_other_kinds_have() {
        let rule = |pinned_workers| ModelRule { pinned_workers, keep_warm_ms: None };
        let rules = BTreeMap::from([("a".to_owned(), rule(3)), ("b".to_owned(), rule(0))]);
        let on = |n, device: &str, models: &[&str]| LiveWorker {
            device: device.into(),
            models: Some(models.iter().map(|model| (*model).to_owned()).collect()),
            ..worker(n, 0)
        };
        let workers = vec![on(1, "cpu", &["a", "m"]), on(2, "cpu", &["a", "b"]), on(3, "h100", &["a"])];
        let state = state(0, workers, vec![job(1, 0, OpenPhase::Waiting(Stage::Sampling))]);
        let (view, _) = Seen::from_decisions(&[], "cpu", 120_000, at(0)).view((&state, &rules), &Costs::default(), "cpu");
        assert_eq!(view.pinned, BTreeMap::from([("a".to_owned(), 2)]));
        assert_eq!(view.warm_min, BTreeMap::from([("a".to_owned(), 2), ("m".to_owned(), 1)]));
        assert_eq!(view.workers.iter().map(|worker| worker.warm.join(" ")).collect::<Vec<_>>(), ["a m", "a"]);
    }
}
