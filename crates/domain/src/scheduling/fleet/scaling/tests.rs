//! When workers are started and drained; and small simulations, step by step, of a burst, constant work and a week.

use super::*;
use proptest::prelude::*;
use std::collections::BTreeSet;
use uuid::Uuid;

const MINUTE_MS: u64 = 60_000;
const STEP_MS: u64 = 10_000;
const COLD_START_MS: u64 = 60_000;
const ARRIVED_OVER_MS: u64 = 5 * MINUTE_MS;

fn at(ms: u64) -> Timestamp {
    Timestamp::from_ms(i64::try_from(ms).unwrap())
}

fn id(n: u64) -> WorkerId {
    WorkerId::from_uuid(Uuid::from_u128(n.into()))
}

fn idle(n: u64) -> ScalingWorker {
    ScalingWorker {
        worker: id(n),
        running: 0,
        idle_since: at(0),
        draining: false,
        stages: vec![Stage::Sampling, Stage::Decoding],
        warm: Vec::new(),
    }
}

fn view(workers: u64) -> ScalingView {
    ScalingView {
        device_kind: "h100".to_owned(),
        workers: (1..=workers).map(idle).collect(),
        arrived_over_ms: ARRIVED_OVER_MS,
        cold_start_ms: COLD_START_MS,
        ..ScalingView::default()
    }
}

fn limits(min: u32, max: u32) -> ScalingLimits {
    ScalingLimits { min, max, ..ScalingLimits::default() }
}

fn now_only(view: &ScalingView, limits: &ScalingLimits) -> Decision {
    decide(view, limits, &WeekForecast::default(), ScalingHistory::default(), at(0))
}

/// After the same was asked for as long as it takes.
fn for_long(view: &ScalingView, limits: &ScalingLimits) -> Decision {
    let first = now_only(view, limits);
    decide(view, limits, &WeekForecast::default(), first.history, at(limits.idle_ms))
}

fn started(decision: &Decision) -> u32 {
    if let ScalingChange::Start(request) = &decision.change { request.count } else { 0 }
}

#[test]
fn a_worker_is_started_for_more_than_two_cold_starts_of_work_that_nobody_has_time_for() {
    let queued = |workers, queued_ms| now_only(&ScalingView { queued_ms, ..view(workers) }, &limits(0, 9));
    assert_eq!([120_000, 120_001, 359_999, 360_000].map(|queued_ms| started(&queued(0, queued_ms))), [0, 1, 2, 3]);
    assert_eq!([240_000, 240_001].map(|queued_ms| started(&queued(1, queued_ms))), [0, 1], "one does the first two minutes");
    let decision = queued(1, 250_000);
    assert_eq!(decision.change, ScalingChange::Start(ProvisionRequest { kind: "h100".into(), count: 1 }));
    assert_eq!(
        decision.reason.to_string(),
        "4.1 min of work wait, 1 worker is there, and a worker is worth its start for twice the 60 s that this takes"
    );
    let starting = ScalingView { queued_ms: 250_000, starting: 1, ..view(1) };
    assert_eq!(now_only(&starting, &limits(0, 9)).change, ScalingChange::None, "one is starting already");
}

#[test]
fn workers_are_filled_to_four_fifths_and_some_are_headroom() {
    let busy = ScalingView { arrived_ms: 2 * ARRIVED_OVER_MS, ..view(2) };
    let decision = now_only(&busy, &limits(0, 9));
    assert_eq!((decision.wanted, started(&decision)), (3, 1));
    assert_eq!(decision.reason.to_string(), "the work that came lately fills 2 workers, at most 80 % of 3");
    let with_headroom = ScalingLimits { headroom: 2, ..limits(0, 9) };
    assert_eq!(now_only(&busy, &with_headroom).wanted, 5);
    assert_eq!(
        now_only(&busy, &with_headroom).reason.to_string(),
        "the work that came lately fills 2 workers, at most 80 % of 5, 2 of them headroom"
    );
}

#[test]
fn the_limits_of_the_operator_hold() {
    let busy = ScalingView { arrived_ms: 8 * ARRIVED_OVER_MS, ..view(3) };
    let decision = now_only(&busy, &limits(1, 3));
    assert_eq!((decision.wanted, decision.reason.to_string().as_str()), (3, "10 would be needed, and 3 is the maximum"));
    let decision = now_only(&view(0), &limits(2, 3));
    assert_eq!((started(&decision), decision.reason.to_string().as_str()), (2, "at least 2 workers"));
}

#[test]
fn where_there_is_no_worker_a_short_job_gets_one_when_it_has_waited_for_long() {
    let waits = |oldest_wait_ms| ScalingView { queued_ms: 1, oldest_wait_ms: Some(oldest_wait_ms), ..view(0) };
    assert_eq!([60_000, 60_001].map(|wait_ms| started(&now_only(&waits(wait_ms), &limits(0, 9)))), [0, 1]);
}

#[test]
fn the_emptiest_worker_is_drained_first_and_none_that_keeps_a_model_warm() {
    let mut view = view(5);
    view.workers[0].running = 1;
    view.workers[1].idle_since = at(5);
    view.workers[2].idle_since = at(4);
    view.workers[3].draining = true;
    let drained = |view: &ScalingView, min| match for_long(view, &limits(min, 9)).change {
        ScalingChange::Drain(workers) => workers,
        change => panic!("{change:?}"),
    };
    assert_eq!(drained(&view, 3), [id(5)]);
    assert_eq!(drained(&view, 0), [id(5), id(3), id(2), id(1)]);
    view.workers.iter_mut().for_each(|worker| worker.warm = vec!["a".to_owned()]);
    view.warm_min.insert("a".to_owned(), 2);
    assert_eq!(drained(&view, 0), [id(5), id(3)], "two keep the model warm");
    view.warm_min.insert("a".to_owned(), 4);
    let decision = for_long(&view, &limits(0, 9));
    assert_eq!(decision.change, ScalingChange::None);
    assert_eq!(decision.reason.to_string(), "0 of 4 workers would be enough, but without any of them a model would be warm on too few");
}

#[test]
fn the_last_that_does_a_stage_stays_while_another_does_and_models_are_kept_warm_for_each_stage() {
    let does = |n, stage, model: &str| ScalingWorker { stages: vec![stage], warm: vec![model.to_owned()], ..idle(n) };
    let drained = |workers: &[ScalingWorker], min, warm_min: u32| {
        let warm_min = BTreeMap::from([("a".to_owned(), warm_min)]);
        match for_long(&ScalingView { workers: workers.to_vec(), warm_min, ..view(0) }, &limits(min, 9)).change {
            ScalingChange::Drain(workers) => workers,
            _ => Vec::new(),
        }
    };
    let [sampler, decoder, other] = [does(1, Stage::Sampling, "a"), does(2, Stage::Decoding, "a"), does(3, Stage::Decoding, "a")];
    assert_eq!(drained(&[sampler.clone(), decoder.clone()], 1, 0), [], "either would leave a stage undone");
    assert_eq!(drained(&[sampler.clone(), decoder.clone(), other.clone()], 1, 0), [id(2)]);
    assert_eq!(drained(&[sampler.clone(), decoder.clone()], 0, 0), [id(1), id(2)], "none is needed");
    assert_eq!(drained(&[sampler, decoder, other], 0, 1), [id(2)], "it is warm on one for each stage");
}

#[test]
fn none_is_drained_in_the_place_of_one_that_is_starting() {
    let drained = |starting, workers, min| for_long(&ScalingView { starting, ..view(workers) }, &limits(min, 9)).change;
    assert_eq!(drained(1, 1, 1), ScalingChange::None, "it may never come");
    assert_eq!(drained(5, 3, 3), ScalingChange::None);
    assert_eq!(drained(1, 2, 1), ScalingChange::Drain(vec![id(1)]), "one of those that are there is enough");
}

#[test]
fn nothing_is_drained_before_its_time_or_soon_after_a_change() {
    let limits = limits(0, 9);
    let decide_at = |ms, view: &ScalingView, history| decide(view, &limits, &WeekForecast::default(), history, at(ms));
    let first = decide_at(0, &view(1), ScalingHistory::default());
    assert_eq!(first.reason.to_string(), "1 worker, of which 0 were needed in the last 10 min");
    let busy = ScalingView { arrived_ms: ARRIVED_OVER_MS, ..view(1) };
    let grown = decide_at(5 * MINUTE_MS, &busy, first.history);
    assert_eq!(started(&grown), 1);
    let later = decide_at(15 * MINUTE_MS, &view(2), grown.history);
    assert_eq!(later.change, ScalingChange::None, "two were asked for ten minutes ago");
    let drained = decide_at(15 * MINUTE_MS + 1, &view(2), later.history);
    assert!(matches!(&drained.change, ScalingChange::Drain(workers) if workers.len() == 2), "{drained:?}");
    let again = decide_at(16 * MINUTE_MS, &view(1), drained.history);
    assert_eq!(again.reason.to_string(), "the last change was 59.9 s ago, and nothing is drained for 2 min");
}

/// A fleet of one kind: workers share what waits, and take a cold start to come.
struct Simulation {
    limits: ScalingLimits,
    forecast: WeekForecast,
    history: ScalingHistory,
    now_ms: u64,
    queued_ms: u64,
    /// The work of each step.
    arrived: VecDeque<u64>,
    workers: Vec<u64>,
    starting: Vec<u64>,
    next: u64,
}

impl Simulation {
    fn new(limits: ScalingLimits, workers: u64) -> Self {
        let (forecast, history, arrived) = Default::default();
        Self {
            limits,
            forecast,
            history,
            now_ms: 0,
            queued_ms: 0,
            arrived,
            workers: (0..workers).collect(),
            starting: Vec::new(),
            next: 1000,
        }
    }

    /// Says how many workers there are after it.
    fn step(&mut self, work_ms: u64) -> usize {
        self.now_ms += STEP_MS;
        self.forecast.observe(at(self.now_ms), work_ms);
        self.arrived.push_back(work_ms);
        if self.arrived.len() as u64 > ARRIVED_OVER_MS / STEP_MS {
            self.arrived.pop_front();
        }
        self.queued_ms = (self.queued_ms + work_ms).saturating_sub(self.workers.len() as u64 * STEP_MS);
        let ready = self.starting.extract_if(.., |ready_ms| *ready_ms <= self.now_ms).count() as u64;
        self.workers.extend(self.next..self.next + ready);
        self.next += ready;
        let view = ScalingView {
            workers: self.workers.iter().copied().map(idle).collect(),
            starting: self.starting.len() as u32,
            queued_ms: self.queued_ms,
            arrived_ms: self.arrived.iter().sum(),
            ..view(0)
        };
        let decision = decide(&view, &self.limits, &self.forecast, std::mem::take(&mut self.history), at(self.now_ms));
        self.history = decision.history;
        match decision.change {
            ScalingChange::None => {}
            ScalingChange::Start(request) => self.starting.extend((0..request.count).map(|_| self.now_ms + COLD_START_MS)),
            ScalingChange::Drain(gone) => self.workers.retain(|n| !gone.contains(&id(*n))),
        }
        self.workers.len()
    }
}

/// Without those that are as the one before.
fn changes(mut counts: Vec<usize>) -> Vec<usize> {
    counts.dedup();
    counts
}

#[test]
fn a_burst_takes_one_worker_to_two_and_back() {
    let mut fleet = Simulation::new(limits(1, 4), 1);
    let counts = (0..360).map(|step| fleet.step(if step == 60 { 300_000 } else { 2000 })).collect();
    assert_eq!(changes(counts), [1, 2, 1]);
}

#[test]
fn workers_are_there_when_the_work_of_the_day_begins() {
    let mut fleet = Simulation::new(ScalingLimits { ahead_ms: 2 * MINUTE_MS, ..limits(1, 9) }, 1);
    let hour_steps = 3_600_000 / STEP_MS;
    // Four workers' work from nine to seventeen o'clock.
    let work = |step: u64| if (9..17).contains(&(step / hour_steps % 24)) { 4 * STEP_MS } else { 0 };
    for step in 0..hour_steps * 24 * 7 {
        fleet.step(work(step));
    }
    let day: Vec<usize> = (hour_steps * 24 * 7..hour_steps * 24 * 8).map(|step| fleet.step(work(step))).collect();
    let steps = |minutes: u64| usize::try_from(minutes * MINUTE_MS / STEP_MS).unwrap();
    assert_eq!([day[steps(9 * 60 - 5)], day[steps(9 * 60 - 1)], day[steps(12 * 60)], day[steps(23 * 60)]], [1, 5, 5, 1]);
    let (risen, falling) = (changes(day[..steps(16 * 60)].to_vec()), changes(day[steps(16 * 60)..].to_vec()));
    assert_eq!(risen, [1, 5], "all at once, and none goes before the evening");
    assert!(falling.is_sorted_by(|before, after| before > after), "{falling:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn constant_work_comes_to_one_number_of_workers(
        offered_permille in 0_u64..6000, min in 0_u32..3, headroom in 0_u32..3, workers in 0_u64..9,
    ) {
        let mut fleet = Simulation::new(ScalingLimits { headroom, ..limits(min, 20) }, workers);
        for _ in 0..720 {
            fleet.step(offered_permille * STEP_MS / 1000);
        }
        let counts: BTreeSet<usize> = (0..720).map(|_| fleet.step(offered_permille * STEP_MS / 1000)).collect();
        prop_assert_eq!(counts.len(), 1, "{:?}", counts);
        let needed = offered_permille.div_ceil(800) as usize + headroom as usize;
        prop_assert_eq!(counts.first(), Some(&needed.max(min as usize)));
    }

    #[test]
    fn work_that_comes_and_goes_changes_nothing(offered_permille in 0_u64..6000, swing_permille in 0_u64..400, half_period in 1_u64..25) {
        let mut fleet = Simulation::new(limits(1, 20), 1);
        let work = |step: u64| {
            let swung_permille = if (step / half_period).is_multiple_of(2) { 1000 + swing_permille } else { 1000 - swing_permille };
            offered_permille * swung_permille / 1000 * STEP_MS / 1000
        };
        for step in 0..720 {
            fleet.step(work(step));
        }
        let counts: BTreeSet<usize> = (720..1440).map(|step| fleet.step(work(step))).collect();
        prop_assert_eq!(counts.len(), 1, "{:?}", counts);
    }

    #[test]
    fn whatever_comes_the_number_stays_within_the_limits(
        work in prop::collection::vec(0_u64..500_000, 400), min in 0_u32..3, more in 0_u32..6,
    ) {
        let mut fleet = Simulation::new(limits(min, min + more), min.into());
        for work_ms in work {
            let workers = fleet.step(work_ms) + fleet.starting.len();
            prop_assert!((min as usize..=(min + more) as usize).contains(&workers), "{}", workers);
        }
    }
}

#[test]
fn a_job_that_pins_leave_no_room_for_gets_one_worker_more_in_its_time() {
    let waits = |without_room_ms, starting| ScalingView { without_room_ms: Some(without_room_ms), starting, ..view(2) };
    let started_of = |view: &ScalingView, max| started(&now_only(view, &limits(0, max)));
    assert_eq!([started_of(&waits(60_000, 0), 9), started_of(&waits(60_001, 0), 9)], [0, 1]);
    let reason = now_only(&waits(60_001, 0), &limits(0, 9)).reason.to_string();
    assert!(reason.contains("pins leave its model no room"), "{reason}");
    assert_eq!(started_of(&waits(60_001, 1), 9), 0, "it is on its way");
    assert_eq!(started_of(&waits(60_001, 0), 2), 0, "no more than the operator allows");
}

#[test]
fn a_model_that_is_pinned_has_as_many_workers_as_that_and_keeps_them() {
    let pinned = BTreeMap::from([("a".to_owned(), 2), ("b".to_owned(), 1)]);
    let with = |workers: u64| ScalingView { warm_min: pinned.clone(), pinned: pinned.clone(), ..view(workers) };
    let decision = now_only(&with(0), &limits(0, 9));
    assert_eq!((started(&decision), decision.reason.to_string()), (2, "a is pinned on 2 workers".to_owned()));
    assert_eq!(started(&now_only(&with(0), &limits(0, 1))), 1, "no more than the operator allows");
    let mut three = with(3);
    three.workers.iter_mut().for_each(|worker| worker.warm = vec!["a".to_owned()]);
    let ScalingChange::Drain(drained) = for_long(&three, &limits(0, 9)).change else { panic!("one is too many") };
    assert_eq!(drained, [id(1)]);
}
