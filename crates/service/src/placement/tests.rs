//! What is decided for workers by what they have, what waits, and what the operator says.

mod unloadable;

use super::*;
use crate::costs::Costs;
use domain::{
    Catalog, JobId, Shape, Size, Stage, TenantId, VideoTime,
    billing::Lane,
    scheduling::{Tag, VirtualTime, Words, Workload},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};
use store::{
    HeldModel, HeldModels, HeldState, LoadCost, ModelRule, Submission, WorkerSlots,
    queue::{OpenJob, OpenPhase, QueueState},
};
use uuid::Uuid;

const GB: u64 = 1_000_000_000;
const SHAPE: Shape = Shape { size: Size { width: 64, height: 64 }, duration: VideoTime::from_ms(2000) };

const fn at(s: i64) -> Timestamp {
    Timestamp::from_ms(1_800_000_000_000 + s * 1000)
}

fn held(model: &str, gb: u64, state: HeldState) -> HeldModel {
    let long_ago = at(-3600);
    HeldModel {
        model: model.into(),
        memory_bytes: gb * GB,
        state,
        since: long_ago,
        used_at: long_ago,
        running: 0,
        load_ms: None,
        failed: None,
    }
}

/// It could not be loaded; `is_paused`: it is not tried again now.
fn broken(model: &str, is_paused: bool) -> HeldModel {
    let problem = "no weights".to_owned();
    let state = if is_paused { HeldState::Failed { problem: problem.clone() } } else { HeldState::Absent };
    HeldModel { failed: Some(problem), ..held(model, 30, state) }
}

fn worker(n: u128, memory_max_gb: u64, models: Vec<HeldModel>) -> LiveWorker {
    LiveWorker {
        id: WorkerId::from_uuid(Uuid::from_u128(n)),
        device: "h100".into(),
        slots: WorkerSlots::default(),
        memory_bytes: None,
        models: None,
        held: Some(HeldModels { memory_max_bytes: Some(memory_max_gb * GB), models }),
        desired: None,
        started_at: at(-7200),
        is_draining: false,
    }
}

fn waiting(n: u128, model: &str, created_s: i64, stage: Stage) -> OpenJob {
    let tag = Tag { start: VirtualTime::new(0), finish: VirtualTime::new(1) };
    let (work, tenant, id) = (VideoTime::from_ms(2000), TenantId::from_uuid(Uuid::nil()), JobId::from_uuid(Uuid::from_u128(n)));
    let (lane, model, phase, created_at) = (Lane::Batch, model.to_owned(), OpenPhase::Waiting(stage), at(created_s));
    OpenJob { id, tenant, lane, model, shape: SHAPE, steps: 10, work, billed: work, tag, created_at, phase }
}

#[derive(Default)]
struct Scene {
    workers: Vec<LiveWorker>,
    jobs: Vec<OpenJob>,
    rules: BTreeMap<String, ModelRule>,
    leading: Leading,
    needs: BTreeMap<JobId, u64>,
    learned: Vec<LoadCost>,
    /// What was planned last.
    places: BTreeSet<(WorkerId, String)>,
    /// Workers that hang or are silent.
    away: Vec<LiveWorker>,
    now_s: i64,
}

impl Scene {
    fn state(&self) -> QueueState {
        QueueState {
            now: at(self.now_s),
            jobs: self.jobs.clone(),
            workers: self.workers.clone(),
            held: Vec::new(),
            recent: Vec::new(),
            tenants: Vec::new(),
            pauses: Arc::default(),
        }
    }

    /// Models of which the jobs that wait fail, and why.
    fn unloadable(&self) -> Vec<(String, Stage, String)> {
        let found = broken::unloadable(&self.state(), &self.away, &self.places);
        let left = found.into_iter().filter(|found| !found.is_tried).map(|found| found.broken);
        left.map(|broken| (broken.model, broken.stage, broken.problem)).collect()
    }

    /// What is decided now, as sentences, and what each worker should have from then on.
    fn decide(&mut self) -> Vec<String> {
        let state = self.state();
        self.leading.look(&state);
        self.places.clear();
        let (costs, catalog) = (Costs::default(), Catalog::default());
        let (rules, arrivals, learned, needs) = (&self.rules, &self.leading.arrivals, &self.learned, &self.needs);
        let known =
            Known { state: &state, costs: &costs, catalog: &catalog, learned, rules, arrivals, needs, starting: &[], wait_max_ms: 120_000 };
        let mut said = Vec::new();
        for group in Group::all(&state.workers) {
            let view = View::of(&known, &group, &mut self.leading.served);
            let View { fleet, demand, costs, policy } = &view;
            let plan = plan(PlacementInput { fleet, demand, costs, policy, follow: arrivals.follow(), now: state.now });
            for (worker, planned) in group.workers.iter().zip(plan.workers) {
                self.places.extend(planned.models.iter().map(|planned| (worker.id, planned.model.clone())));
                let Some(decision) = Decision::of(worker, &planned, state.now, |model| view.load_ms(model, &worker.device)) else {
                    continue;
                };
                said.extend(decision.changes.iter().map(|change| {
                    let what = if change.is_load { "load" } else { "unload" };
                    format!("{what} {}: {}", change.model, change.reason)
                }));
                let me = self.workers.iter_mut().find(|known| known.id == worker.id).unwrap();
                me.desired = Some(decision.desired);
            }
        }
        said
    }
}

#[test]
fn work_that_waits_brings_its_model_and_the_same_is_decided_once() {
    let absent = held("b", 30, HeldState::Absent);
    let mut scene = Scene { workers: vec![worker(1, 76, vec![held("a", 30, HeldState::Warm), absent])], ..Scene::default() };
    scene.rules.insert("a".into(), ModelRule { pinned_workers: 0, keep_warm_ms: None });
    assert_eq!(scene.decide(), [""; 0], "what it has is what it should have");
    scene.jobs.push(waiting(1, "b", -1, Stage::Sampling));
    assert_eq!(scene.decide(), ["load b: 2 s of work wait, it is warm nowhere, and loading takes 30 s"], "a gigabyte a second");
    assert_eq!(scene.decide(), [""; 0]);
    let desired = scene.workers[0].desired.clone().unwrap();
    assert_eq!(desired.iter().map(|desired| (&*desired.model, desired.load_ms)).collect::<Vec<_>>(), [("a", 30_000), ("b", 30_000)]);
}

#[test]
fn a_rule_of_the_operator_pins_a_model_and_says_how_long_it_is_kept() {
    let models = || vec![held("a", 30, HeldState::Warm), held("b", 30, HeldState::Absent)];
    let mut scene = Scene { workers: vec![worker(1, 38, models())], ..Scene::default() };
    scene.rules.insert("b".into(), ModelRule { pinned_workers: 1, keep_warm_ms: Some(60_000) });
    assert_eq!(
        scene.decide(),
        ["unload a: unused for 60 min, longer than the 15 min it is kept warm", "load b: pinned on 1 worker, warm on 0"]
    );
    scene.rules.insert("a".into(), ModelRule { pinned_workers: 0, keep_warm_ms: None });
    scene.workers = vec![worker(1, 38, models())];
    assert_eq!(scene.decide(), ["unload a: makes room for b: pinned on 1 worker, warm on 0", "load b: pinned on 1 worker, warm on 0"]);
}

#[test]
fn work_of_a_model_that_is_nowhere_waits_for_no_longer_than_the_bound() {
    let models = vec![held("a", 30, HeldState::Warm), held("b", 30, HeldState::Absent)];
    let mut scene = Scene { workers: vec![worker(1, 38, models)], ..Scene::default() };
    scene.leading.served.since = Some(at(-7200));
    // A line that would take an hour, whose first job is older than that of the other.
    scene.jobs.extend((0..1800).map(|n| waiting(n, "a", -1000, Stage::Sampling)));
    scene.jobs.push(waiting(9999, "b", -10, Stage::Sampling));
    assert_eq!(scene.decide(), [""; 0]);
    scene.now_s = 111;
    let said = scene.decide();
    assert!(said[0].starts_with("unload a: makes room for b: its oldest job has waited for 2 min"), "{said:?}");
    assert!(said[1].starts_with("load b: its oldest job"), "{said:?}");
}

#[test]
fn a_job_waits_for_no_longer_than_the_bound_also_where_the_clock_is_put_back_meanwhile() {
    let models = vec![held("a", 30, HeldState::Warm), held("b", 30, HeldState::Absent)];
    let mut scene = Scene { workers: vec![worker(1, 38, models)], ..Scene::default() };
    scene.leading.served.since = Some(at(-60));
    scene.jobs.extend((0..1800).map(|n| waiting(n, "a", -1000, Stage::Sampling)));
    scene.jobs.push(waiting(9999, "b", -10, Stage::Sampling));
    assert_eq!(scene.decide(), [""; 0]);
    scene.now_s = -1800;
    assert_eq!(scene.decide(), [""; 0]);
    scene.now_s = 111 - 1800;
    let said = scene.decide();
    assert!(said.len() == 2 && said[0].starts_with("unload a: makes room for b: its oldest job has waited for 2 min"), "{said:?}");
}

#[test]
fn of_what_a_release_rate_keeps_outside_whoever_foresees_a_swap_knows_what_enters_first_alone() {
    let throttled = |n, model| OpenJob { phase: OpenPhase::Throttled, ..waiting(n, model, -5, Stage::Sampling) };
    let jobs = vec![throttled(1, "b"), throttled(2, "b"), throttled(3, "c"), waiting(4, "a", -5, Stage::Decoding)];
    let state = Scene { jobs, ..Scene::default() }.state();
    let (first, decoding) = (state.jobs[1].id, state.jobs[3].id);
    let entering = BTreeMap::from([("b".to_owned(), (first, at(7)))]);
    let entered = foreseen::entered(&state, &entering).jobs;
    let entered: Vec<_> = entered.into_iter().map(|open| (open.id, open.phase, open.created_at)).collect();
    assert_eq!(entered, [(first, OpenPhase::Waiting(Stage::Sampling), at(0)), (decoding, OpenPhase::Waiting(Stage::Decoding), at(-5))]);
}

#[test]
fn who_only_decodes_is_planned_by_what_waits_to_be_decoded() {
    let mut decoder = worker(1, 76, vec![held("a", 30, HeldState::Absent)]);
    decoder.slots.sampling = 0.into();
    let mut scene = Scene { workers: vec![decoder], jobs: vec![waiting(1, "a", -1, Stage::Sampling)], ..Scene::default() };
    assert_eq!(scene.decide(), [""; 0]);
    scene.jobs.push(waiting(2, "a", -1, Stage::Decoding));
    assert_eq!(scene.decide(), ["load a: 1000 ms of work wait, it is warm nowhere, and loading takes 30 s"]);
}

#[test]
fn a_decoder_that_has_room_for_what_waits_is_no_reason_to_load_its_model_elsewhere() {
    let decoder = |n, state| {
        let mut decoder = worker(n, 76, vec![held("a", 30, state)]);
        decoder.slots.sampling = 0.into();
        decoder
    };
    let jobs = vec![waiting(1, "a", -1, Stage::Decoding)];
    let mut scene = Scene { workers: vec![decoder(1, HeldState::Warm), decoder(2, HeldState::Absent)], jobs, ..Scene::default() };
    let (model, device) = ("a".to_owned(), "h100".to_owned());
    scene.learned = vec![LoadCost { model, device, load_ms: Some(100), unload_ms: None, memory_bytes: None, loads: 1 }];
    assert_eq!(scene.decide(), [""; 0]);
    scene.jobs.push(waiting(2, "a", -1, Stage::Decoding));
    assert_eq!(scene.decide().len(), 1, "it has one slot");
}

#[test]
fn what_usually_follows_is_loaded_ahead_into_free_memory() {
    let mut scene =
        Scene { workers: vec![worker(1, 76, vec![held("a", 30, HeldState::Warm), held("b", 30, HeldState::Absent)])], ..Scene::default() };
    scene.rules.insert("a".into(), ModelRule { pinned_workers: 0, keep_warm_ms: None });
    let (tenant, workload) = (TenantId::from_uuid(Uuid::nil()), Workload { shape: SHAPE, steps: 10, words: Words::NONE });
    for (n, model) in ["a", "b", "a", "b", "a", "b", "a", "b", "a", "b", "a"].into_iter().enumerate() {
        let id = JobId::from_uuid(Uuid::from_u128(n as u128));
        scene.leading.arrivals.note(Submission { id, tenant, model: model.into(), workload, at: at(-5) });
    }
    let said = scene.decide();
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].starts_with("load b: "), "{said:?}");
}

#[test]
fn a_worker_whose_memory_is_not_limited_is_left_alone() {
    let mut unlimited = worker(1, 0, vec![held("a", 30, HeldState::Warm)]);
    unlimited.held = Some(HeldModels { memory_max_bytes: None, models: vec![held("a", 30, HeldState::Warm)] });
    let silent = LiveWorker { held: None, ..worker(2, 0, Vec::new()) };
    let mut scene = Scene { workers: vec![unlimited, silent], jobs: vec![waiting(1, "b", -999, Stage::Sampling)], ..Scene::default() };
    assert_eq!(scene.decide(), [""; 0]);
}

/// Where a is warm and b has waited for an hour, with room for one of them.
fn swapped(b: HeldModel) -> Scene {
    let mut scene = Scene { workers: vec![worker(1, 38, vec![held("a", 30, HeldState::Warm), b])], ..Scene::default() };
    scene.leading.served.since = Some(at(-7200));
    scene.jobs = vec![waiting(1, "a", -1, Stage::Sampling), waiting(2, "b", -3600, Stage::Sampling)];
    scene
}

#[test]
fn a_model_that_other_workers_serve_is_not_swapped_in_whatever_it_costs() {
    let elsewhere = |slots: WorkerSlots| LiveWorker { held: None, slots, ..worker(2, 0, Vec::new()) };
    let sampler = WorkerSlots { decoding: 0.into(), ..WorkerSlots::default() };
    for (slots, decided) in [(WorkerSlots::default(), 0), (sampler, 2)] {
        let mut scene = swapped(held("b", 30, HeldState::Absent));
        scene.jobs.extend((10..1800).map(|n| waiting(n, "a", -1000, Stage::Sampling)));
        scene.workers.push(elsewhere(slots));
        assert_eq!(scene.decide().len(), decided, "who only samples does not serve it");
    }
}

#[test]
fn a_job_waits_for_its_model_since_it_came_to_that_stage() {
    let mut scene = swapped(held("b", 30, HeldState::Absent));
    scene.jobs[1].phase = OpenPhase::Running { stage: Stage::Sampling, worker: scene.workers[0].id, done_permille: 0 };
    assert_eq!(scene.decide(), [""; 0]);
    scene.now_s = 1;
    scene.jobs[1].phase = OpenPhase::Waiting(Stage::Decoding);
    assert_eq!(scene.decide(), [""; 0], "it was submitted an hour ago, and waits for a moment");
    scene.now_s = 121;
    assert_eq!(scene.decide(), [""; 0]);
    scene.now_s = 122;
    assert_eq!(scene.decide().len(), 2);
}

#[test]
fn who_takes_over_counts_from_then_as_a_model_may_have_been_served_before() {
    let mut scene = swapped(held("b", 30, HeldState::Absent));
    scene.leading = Leading::default();
    assert_eq!(scene.decide(), [""; 0]);
    scene.now_s = 121;
    assert_eq!(scene.decide().len(), 2);
}

#[test]
fn a_job_that_needs_a_larger_device_has_its_model_loaded_there() {
    let absent = || held("a", 30, HeldState::Absent);
    let small = LiveWorker { memory_bytes: Some(40 * GB), ..worker(1, 38, vec![held("a", 30, HeldState::Warm)]) };
    let large = LiveWorker { memory_bytes: Some(80 * GB), ..worker(2, 76, vec![absent()]) };
    let job = waiting(1, "a", -1, Stage::Sampling);
    let mut scene = Scene { workers: vec![small, large], jobs: vec![job.clone()], ..Scene::default() };
    assert_eq!(scene.decide(), [""; 0], "a short job is not worth it");
    scene.needs.insert(job.id, 90 * GB);
    assert_eq!(scene.decide(), [""; 0], "no device is large enough: it is not left to any");
    scene.needs.insert(job.id, 40 * GB + 1);
    assert_eq!(scene.decide(), ["load a: 2 s of work wait for a device of 40,001 MB or more, and the swap costs 30 s"]);
    scene.workers[1] = LiveWorker { memory_bytes: Some(80 * GB), ..worker(2, 76, vec![broken("a", false)]) };
    assert_eq!(scene.decide(), [""; 0], "what could not be loaded there is not left to it");
}

#[test]
fn a_model_of_unknown_size_is_expected_to_take_what_was_measured_and_never_nothing() {
    let unknown = held("b", 0, HeldState::Absent);
    let mut scene = Scene { workers: vec![worker(1, 38, vec![held("a", 30, HeldState::Warm), unknown])], ..Scene::default() };
    scene.jobs = vec![waiting(1, "b", -1, Stage::Sampling)];
    scene.rules.insert("a".into(), ModelRule { pinned_workers: 1, keep_warm_ms: None });
    assert_eq!(scene.decide(), [""; 0], "it is not known whether there is room");
    let (model, device) = ("b".to_owned(), "h100".to_owned());
    let measured = |memory_bytes| LoadCost {
        model: model.clone(),
        device: device.clone(),
        load_ms: None,
        unload_ms: None,
        memory_bytes: Some(memory_bytes),
        loads: 1,
    };
    scene.learned = vec![measured(9 * GB)];
    assert_eq!(scene.decide(), [""; 0], "there is none");
    scene.learned = vec![measured(8 * GB)];
    assert_eq!(scene.decide().len(), 1);
}
