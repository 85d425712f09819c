//! What a decision goes by: who is there or on the way, what waits and came, and what the operator pins.

use super::*;
use domain::{
    Shape, Size, TenantId, VideoTime,
    billing::Lane,
    scheduling::{Pause, PauseScope, Pauses, Tag, VirtualTime},
};
use store::{HeldModel, HeldModels, HeldState, WorkerSlots, queue::OpenJob};
use uuid::Uuid;

pub(in super::super) const fn at(s: i64) -> Timestamp {
    Timestamp::from_ms(1_800_000_000_000 + s * 1000)
}

pub(in super::super) fn worker(n: u128, started_s: i64) -> LiveWorker {
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
    let (held, recent, tenants) = (Vec::new(), Vec::new(), Vec::new());
    QueueState { now: at(now_s), jobs, held, workers, recent, tenants, pauses: std::sync::Arc::default() }
}

const GB: u64 = 1_000_000_000;

/// A model of 30 gigabytes.
fn held(model: &str, state: HeldState) -> HeldModel {
    let (model, memory_bytes) = (model.to_owned(), 30 * GB);
    HeldModel { model, memory_bytes, state, since: at(0), used_at: at(0), running: 0, load_ms: None, failed: None }
}

/// Where one model is on offer and none has a rule.
fn view_of(seen: &mut Seen, state: &QueueState, costs: &Costs, device: &str) -> (ScalingView, u64) {
    seen.view(Look { state, rules: &BTreeMap::new(), offered: &BTreeSet::from(["m".to_owned()]), costs, starting: &[], device })
}

#[test]
fn a_worker_that_was_asked_for_is_starting_until_it_comes_and_teaches_how_long_that_takes() {
    let (mut seen, costs) = (Seen::from_decisions(&[], "cpu", 120_000, at(0)), Costs::default());
    seen.asked(at(0));
    let (view, _) = view_of(&mut seen, &state(3, vec![worker(1, -100)], Vec::new()), &costs, "cpu");
    assert_eq!((view.starting, view.workers.len(), view.cold_start_ms), (1, 1, COLD_START_MS), "that one was there before");
    let (view, _) = view_of(&mut seen, &state(8, vec![worker(1, -100), worker(2, 7)], Vec::new()), &costs, "cpu");
    assert_eq!((view.starting, view.workers.len(), view.cold_start_ms), (0, 2, 7000));
    seen.asked(at(10));
    let (view, _) = view_of(&mut seen, &state(10 + 20 * 60, vec![worker(1, -100), worker(2, 7)], Vec::new()), &costs, "cpu");
    assert_eq!(view.starting, 0, "it does not come");
    let (view, _) = view_of(&mut seen, &state(1300, Vec::new(), Vec::new()), &costs, "h100");
    assert!(view.workers.is_empty());
}

#[test]
fn what_an_earlier_server_asked_for_is_on_its_way() {
    let decision =
        |s, started| ScalingDecision { at: at(s), device: "cpu".into(), workers: 1, wanted: 2, started, drained: 0, reason: String::new() };
    let mut seen = Seen::from_decisions(&[decision(95, 2), decision(-2000, 1)], "cpu", 120_000, at(100));
    assert_eq!(view_of(&mut seen, &state(100, Vec::new(), Vec::new()), &Costs::default(), "cpu").0.starting, 2);
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
        view_of(&mut seen, &state(1000, live, Vec::new()), &Costs::default(), "cpu").0.starting
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
    let (view, arrived_ms) = view_of(&mut seen, &state(0, vec![me.clone()], vec![waiting(1, -10), decoding, runs]), &costs, "cpu");
    assert_eq!((view.oldest_wait_ms, view.workers[0].running, arrived_ms), (Some(10_000), 1, 0), "those were there before");
    assert!((1900..2100).contains(&view.queued_ms), "{}", view.queued_ms);
    for look in 1..=3 {
        let (view, arrived_ms) = view_of(&mut seen, &state(look, vec![me.clone()], vec![waiting(1, -10), waiting(4, 1)]), &costs, "cpu");
        assert_eq!(arrived_ms > 0, look == 1);
        assert!((1400..1600).contains(&view.arrived_ms), "{}", view.arrived_ms);
    }
}
#[test]
fn what_was_throttled_comes_when_it_enters_the_queue() {
    let (mut seen, costs) = (Seen::from_decisions(&[], "cpu", 120_000, at(0)), Costs::measured("m", 1000, 500));
    let mut look = |s, phase| view_of(&mut seen, &state(s, Vec::new(), vec![job(1, -60, phase)]), &costs, "cpu").1;
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
    let (costs, offered) = (Costs::default(), ["a", "b", "m"].map(str::to_owned).into());
    let look = Look { state: &state, rules: &rules, offered: &offered, costs: &costs, starting: &[], device: "cpu" };
    let (view, _) = Seen::from_decisions(&[], "cpu", 120_000, at(0)).view(look);
    assert_eq!(view.pinned, BTreeMap::from([("a".to_owned(), 2)]));
    assert_eq!(view.warm_min, BTreeMap::from([("a".to_owned(), 2), ("m".to_owned(), 1)]));
    assert_eq!(view.workers.iter().map(|worker| worker.warm.join(" ")).collect::<Vec<_>>(), ["a m", "a"]);
}

#[test]
fn a_pin_is_one_of_all_kinds_of_device_that_can_load_the_model() {
    let (costs, offered) = (Costs::default(), ["a", "b"].map(str::to_owned).into());
    let rules: BTreeMap<_, _> = ["a", "b"].map(|model| (model.to_owned(), ModelRule { pinned_workers: 1, keep_warm_ms: None })).into();
    let other = |max_gb: u64, b: HeldState| {
        let models = vec![held("a", HeldState::Absent), held("b", b)];
        let held = Some(HeldModels { memory_max_bytes: Some(max_gb * GB), models });
        LiveWorker { device: "h100".into(), models: Some(vec!["a".into(), "b".into()]), held, ..worker(1, 0) }
    };
    let pinned = |workers: Vec<LiveWorker>, starting: &[&str]| {
        let starting: Vec<_> = starting.iter().map(|device| Starting { device: (*device).to_owned(), ready_in_ms: 0 }).collect();
        let state = state(0, workers, Vec::new());
        let look = Look { state: &state, rules: &rules, offered: &offered, costs: &costs, starting: &starting, device: "cpu" };
        let view = Seen::from_decisions(&[], "cpu", 120_000, at(0)).view(look).0;
        view.pinned.into_keys().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(pinned(Vec::new(), &[]), "a b");
    assert_eq!(pinned(vec![other(76, HeldState::Absent)], &[]), "", "it is to load both");
    assert_eq!(pinned(vec![other(38, HeldState::Loading { permille: 1 })], &[]), "a", "it has no room for the other");
    assert_eq!(pinned(vec![other(76, HeldState::Failed { problem: "no weights".into() })], &[]), "b");
    assert_eq!(pinned(vec![LiveWorker { is_draining: true, ..other(76, HeldState::Absent) }], &[]), "a b");
    assert_eq!((pinned(Vec::new(), &["h100"]), pinned(Vec::new(), &["cpu"])), (String::new(), "a b".to_owned()), "of another kind");
    // One of this kind that is there is let go only when the other has it.
    let both = |b| pinned(vec![other(76, b), LiveWorker { models: Some(vec!["b".into()]), ..worker(2, 0) }], &[]);
    assert_eq!([both(HeldState::Absent), both(HeldState::Warm)], ["b", ""]);
}

/// It has room for one of two models, of which m is absent.
fn tight(n: u128, a: HeldState) -> LiveWorker {
    let models = vec![held("a", a), held("m", HeldState::Absent)];
    LiveWorker { held: Some(HeldModels { memory_max_bytes: Some(38 * GB), models }), ..worker(n, 0) }
}

/// How long a job of m has waited that is without room, where a is pinned on one worker.
fn without_room_ms(workers: Vec<LiveWorker>) -> Option<u64> {
    without_room_while_starting(workers, &[])
}

fn without_room_while_starting(workers: Vec<LiveWorker>, starting: &[Starting]) -> Option<u64> {
    let (costs, offered) = (Costs::default(), ["a", "m"].map(str::to_owned).into());
    let rules = [("a".to_owned(), ModelRule { pinned_workers: 1, keep_warm_ms: None })].into();
    let state = state(100, workers, vec![job(1, 30, OpenPhase::Waiting(Stage::Sampling))]);
    let look = Look { state: &state, rules: &rules, offered: &offered, costs: &costs, starting, device: "cpu" };
    Seen::from_decisions(&[], "cpu", 120_000, at(0)).view(look).0.without_room_ms
}

#[test]
fn a_job_is_without_room_where_pins_leave_its_model_none_on_any_worker() {
    let full = |n| tight(n, HeldState::Warm);
    assert_eq!(without_room_ms(vec![full(1)]), Some(70_000));
    assert_eq!(without_room_ms(vec![full(1), tight(2, HeldState::Absent)]), None, "another has room");
    assert_eq!(without_room_ms(vec![full(1), full(2)]), None, "it is pinned on one of them");
    assert_eq!(without_room_ms(vec![full(1), worker(2, 0)]), None, "it has them all");
    let mut failed = full(1);
    failed.held.as_mut().unwrap().models[1].failed = Some("no weights".to_owned());
    assert_eq!(without_room_ms(vec![failed]), None, "another would not have it either");
}

#[test]
fn who_does_another_stage_has_no_room_for_what_a_job_waits_for() {
    let mut sampler = tight(1, HeldState::Warm);
    sampler.slots.decoding = 0.into();
    for a in [HeldState::Absent, HeldState::Warm] {
        let mut decoder = tight(2, a);
        decoder.slots.sampling = 0.into();
        assert_eq!(without_room_ms(vec![sampler.clone(), decoder]), Some(70_000), "it has its own pins");
    }
}

#[test]
fn a_job_without_room_has_no_workers_of_two_kinds_started() {
    let full = || tight(1, HeldState::Warm);
    let beside = |workers, device: &str| without_room_while_starting(workers, &[Starting { device: device.to_owned(), ready_in_ms: 0 }]);
    assert_eq!([beside(vec![full()], "h100"), beside(vec![full()], "cpu")], [None, Some(70_000)]);
    let other = LiveWorker { device: "h100".into(), models: Some(vec!["a".into()]), ..tight(2, HeldState::Absent) };
    assert_eq!(beside(vec![full(), other], "h100"), Some(70_000), "that kind cannot load it");
}

#[test]
fn what_an_earlier_server_asked_for_is_not_waited_for_when_it_is_late() {
    let asked =
        |s| ScalingDecision { at: at(s), device: "cpu".into(), workers: 0, wanted: 1, started: 1, drained: 0, reason: String::new() };
    let starting = |decisions: &[ScalingDecision], live: Vec<LiveWorker>| {
        let mut seen = Seen::from_decisions(decisions, "cpu", 120_000, at(1000));
        view_of(&mut seen, &state(1000, live, Vec::new()), &Costs::default(), "cpu").0.starting
    };
    assert_eq!([400, 881].map(|s| starting(&[asked(s)], Vec::new())), [0, 1], "it came and ended with its machine, maybe");
    let slow = [asked(500), asked(0)];
    assert_eq!(starting(&slow, vec![worker(1, 300)]), 1, "others took five minutes");
    let mut seen = Seen::from_decisions(&[], "cpu", 120_000, at(0));
    seen.asked(at(0));
    assert_eq!(view_of(&mut seen, &state(600, Vec::new(), Vec::new()), &Costs::default(), "cpu").0.starting, 1, "of its own it would know");
}

#[test]
fn a_queue_that_was_paused_does_not_arrive_again_when_it_is_resumed() {
    let costs = Costs::measured("m", 1000, 500);
    let jobs: Vec<_> = (0..50).map(|n| job(n, -60, OpenPhase::Waiting(Stage::Sampling))).collect();
    let pause = Pause { scope: PauseScope::Everything, reason: None, since: at(1) };
    let paused = |s| QueueState { pauses: Pauses::new(vec![pause.clone()]).into(), ..state(s, Vec::new(), Vec::new()) };
    for (looks, until) in [(vec![state(1, Vec::new(), Vec::new())], 12), ((1..30).map(|n| paused(n * 600)).collect(), 18_000)] {
        let mut seen = Seen::from_decisions(&[], "cpu", 120_000, at(0));
        view_of(&mut seen, &state(0, Vec::new(), jobs.clone()), &costs, "cpu");
        for state in &looks {
            view_of(&mut seen, state, &costs, "cpu");
        }
        let (view, arrived_ms) = view_of(&mut seen, &state(until, Vec::new(), jobs.clone()), &costs, "cpu");
        assert_eq!((view.arrived_ms, arrived_ms), (0, 0), "after {until} s");
    }
}

#[test]
fn of_too_many_jobs_those_are_forgotten_that_were_seen_longest_ago() {
    let mut seen = Seen::from_decisions(&[], "cpu", 120_000, at(0));
    let of = |from: usize, s| (from..from + JOBS_MAX).map(move |n| (JobId::from_uuid(Uuid::from_u128(n as u128)), at(s)));
    seen.jobs.extend(of(0, 0).chain(of(JOBS_MAX, 1)));
    seen.forget_jobs(&state(2, Vec::new(), Vec::new()), at(2));
    assert!(seen.jobs.len() == JOBS_MAX && seen.jobs.values().all(|seen_at| *seen_at == at(1)));
}

#[test]
fn work_and_pins_that_only_others_can_do_are_not_for_this_kind() {
    let costs = Costs::measured("big", 60_000, 500);
    let rules = ["big", "gone"].map(|model| (model.to_owned(), ModelRule { pinned_workers: 2, keep_warm_ms: None })).into();
    let serves = |n, device: &str, model: &str| LiveWorker { device: device.into(), models: Some(vec![model.into()]), ..worker(n, 0) };
    let waits = || vec![OpenJob { model: "big".into(), ..job(1, -90, OpenPhase::Waiting(Stage::Sampling)) }];
    let view = |workers: Vec<LiveWorker>| {
        let offered = ["big", "m"].map(str::to_owned).into();
        let look =
            Look { state: &state(0, workers, waits()), rules: &rules, offered: &offered, costs: &costs, starting: &[], device: "cpu" };
        Seen::from_decisions(&[], "cpu", 120_000, at(0)).view(look).0
    };
    let told = |view: ScalingView| (view.queued_ms > 0, view.oldest_wait_ms.is_some(), view.pinned.get("big").copied());
    let large = || LiveWorker { held: Some(HeldModels { memory_max_bytes: None, models: Vec::new() }), ..serves(1, "h100", "big") };
    let only_large = view(vec![large(), serves(2, "cpu", "m")]);
    assert_eq!((told(only_large.clone()), only_large.warm_min.len()), ((false, false, None), 0));
    assert_eq!(told(view(vec![large(), serves(2, "cpu", "big")])), (true, true, Some(2)), "one of them can");
    assert_eq!(told(view(vec![large()])), (true, true, Some(2)), "one that is started may be able to");
    assert_eq!(told(view(vec![serves(2, "cpu", "m")])), (true, true, Some(2)), "as nobody is");
    assert!(view(Vec::new()).pinned.keys().eq(["big"]), "what is withdrawn is kept nowhere");
}

#[test]
fn what_was_seen_before_the_clock_was_put_back_is_as_long_ago_as_it_was() {
    let (mut seen, costs) = (Seen::from_decisions(&[], "cpu", 120_000, at(0)), Costs::measured("m", 1000, 500));
    let waiting = || vec![job(1, 100, OpenPhase::Waiting(Stage::Sampling))];
    view_of(&mut seen, &state(0, Vec::new(), Vec::new()), &costs, "cpu");
    seen.asked(at(100));
    view_of(&mut seen, &state(119, Vec::new(), waiting()), &costs, "cpu");
    seen.put_back(3_600_000);
    let (view, _) = view_of(&mut seen, &state(120 - 3600, Vec::new(), waiting()), &costs, "cpu");
    assert_eq!((view.starting, view.arrived_over_ms, view.arrived_ms > 0), (1, 120_000, true), "it came in two minutes, not in half a one");
    let (view, _) = view_of(&mut seen, &state(300 - 3600, vec![worker(1, 110 - 3600)], waiting()), &costs, "cpu");
    assert_eq!((view.starting, view.cold_start_ms, view.arrived_ms), (0, 10_000, 0), "and was not lately for an hour");
}

#[test]
fn what_an_earlier_server_asked_for_by_a_clock_that_was_put_back_since_is_waited_for_and_not_for_hours() {
    let ahead =
        ScalingDecision { at: at(3600), device: "cpu".into(), workers: 0, wanted: 1, started: 1, drained: 0, reason: String::new() };
    let mut seen = Seen::from_decisions(&[ahead], "cpu", 120_000, at(0));
    let mut starting = |s| view_of(&mut seen, &state(s, Vec::new(), Vec::new()), &Costs::default(), "cpu").0.starting;
    assert_eq!([starting(1), starting(121)], [1, 0]);
}
