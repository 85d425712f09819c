//! What is decided for workers by what they have, what waits, and what the operator says.

use super::*;
use crate::job::Costs;
use domain::{
    Catalog, JobId, Shape, Size, Stage, TenantId, VideoTime,
    billing::Lane,
    scheduling::{Tag, VirtualTime, Workload},
};
use std::{collections::BTreeMap, sync::Arc};
use store::{
    HeldModel, HeldModels, HeldState, ModelRule, Submission, WorkerSlots,
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
    HeldModel { model: model.into(), memory_bytes: gb * GB, state, since: long_ago, used_at: long_ago, running: 0, load_ms: None }
}

fn worker(n: u128, memory_max_gb: u64, models: Vec<HeldModel>) -> LiveWorker {
    LiveWorker {
        id: WorkerId::from_uuid(Uuid::from_u128(n)),
        device: "h100".into(),
        slots: WorkerSlots::default(),
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
    now_s: i64,
}

impl Scene {
    /// What is decided now, as sentences, and what each worker should have from then on.
    fn decide(&mut self) -> Vec<String> {
        let state = QueueState {
            now: at(self.now_s),
            jobs: self.jobs.clone(),
            workers: self.workers.clone(),
            recent: Vec::new(),
            tenants: Vec::new(),
            pauses: Arc::default(),
        };
        let (costs, catalog) = (Costs::default(), Catalog::default());
        let (rules, arrivals) = (&self.rules, &self.leading.arrivals);
        let known = Known { state: &state, costs: &costs, catalog: &catalog, learned: &[], rules, arrivals, wait_max_ms: 120_000 };
        let mut said = Vec::new();
        for group in Group::all(&state.workers) {
            let view = View::of(&known, &group, &mut self.leading.served);
            let View { fleet, demand, costs, policy } = &view;
            let plan = plan(PlacementInput { fleet, demand, costs, policy, follow: arrivals.follow(), now: state.now });
            for (worker, planned) in group.workers.iter().zip(plan.workers) {
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
fn who_only_decodes_is_planned_by_what_waits_to_be_decoded() {
    let mut decoder = worker(1, 76, vec![held("a", 30, HeldState::Absent)]);
    decoder.slots.sampling = 0.into();
    let mut scene = Scene { workers: vec![decoder], jobs: vec![waiting(1, "a", -1, Stage::Sampling)], ..Scene::default() };
    assert_eq!(scene.decide(), [""; 0]);
    scene.jobs.push(waiting(2, "a", -1, Stage::Decoding));
    assert_eq!(scene.decide(), ["load a: 1000 ms of work wait, it is warm nowhere, and loading takes 30 s"]);
}

#[test]
fn a_worker_that_could_not_load_a_model_leaves_it_to_another() {
    let failed = held("a", 30, HeldState::Failed { problem: "no weights".into() });
    let mut scene = Scene {
        workers: vec![worker(1, 76, vec![failed]), worker(2, 76, vec![held("a", 30, HeldState::Absent)])],
        jobs: vec![waiting(1, "a", -1, Stage::Sampling)],
        ..Scene::default()
    };
    assert_eq!(scene.decide().len(), 1);
    assert!(scene.workers[0].desired.is_none() && scene.workers[1].desired.is_some());
}

#[test]
fn what_usually_follows_is_loaded_ahead_into_free_memory() {
    let mut scene =
        Scene { workers: vec![worker(1, 76, vec![held("a", 30, HeldState::Warm), held("b", 30, HeldState::Absent)])], ..Scene::default() };
    scene.rules.insert("a".into(), ModelRule { pinned_workers: 0, keep_warm_ms: None });
    let (tenant, workload) = (TenantId::from_uuid(Uuid::nil()), Workload { shape: SHAPE, steps: 10 });
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
