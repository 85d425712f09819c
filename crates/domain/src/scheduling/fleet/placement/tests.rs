//! What a plan keeps, swaps, unloads and loads ahead, and that it comes to rest.

use super::*;
use crate::scheduling::fleet::{
    testing::{GB, MODELS, Scene, loaded, worker},
    view::{LargeDemand, LoadedModel, ModelCost, ModelState, WorkerView},
};
use proptest::prelude::*;
use std::collections::BTreeSet;

impl Scene {
    fn models(&self) -> Vec<Vec<String>> {
        let plan = plan(self.input());
        plan.workers.iter().map(|worker| worker.models.iter().map(|planned| planned.model.clone()).collect()).collect()
    }

    fn unloads(&self) -> Vec<String> {
        plan(self.input()).workers.into_iter().flat_map(|worker| worker.unloads).map(|unload| unload.reason.to_string()).collect()
    }

    /// All workers do as planned, and a minute passes in which what is in demand is used by the first worker that has it.
    fn follow_plan(&mut self) {
        let plan = plan(self.input());
        let now = self.now.plus_ms(60_000);
        let mut used = BTreeSet::new();
        for (view, planned) in self.fleet.workers.iter_mut().zip(plan.workers) {
            view.models.retain(|loaded| planned.models.iter().any(|planned| planned.model == loaded.model));
            for planned in planned.models {
                if view.loaded(&planned.model).is_none() {
                    let memory_bytes = self.costs.of(&planned.model, "h100").unwrap().memory_bytes;
                    view.models.push(LoadedModel { memory_bytes, since: self.now, used_at: self.now, ..loaded(&planned.model, 0) });
                }
            }
            for loaded in &mut view.models {
                loaded.state = ModelState::Warm;
                if self.demand.wants(&loaded.model) && used.insert(loaded.model.clone()) {
                    loaded.used_at = now;
                }
            }
        }
        self.now = now;
    }
}

fn old(model: &str, minutes: i64) -> LoadedModel {
    let loaded = loaded(model, 30);
    LoadedModel { used_at: loaded.used_at.plus_ms(-minutes * 60_000), ..loaded }
}

#[test]
fn a_model_that_nobody_has_is_loaded_where_memory_is_free() {
    let mut scene = Scene::default();
    scene.fleet.workers = vec![worker(1, vec![loaded("a", 30), loaded("b", 30)]), worker(2, vec![loaded("a", 30)])];
    scene.demand("c", 1, None);
    assert_eq!(scene.models(), [vec!["a", "b"], vec!["a", "c"]]);
    let plan = plan(scene.input());
    let reasons: Vec<String> = plan.workers[1].models.iter().map(|planned| planned.reason.to_string()).collect();
    assert_eq!(reasons, ["unused for 0 ms, kept warm for 15 min", "loaded: 1 ms of work wait, it is warm nowhere, and loading takes 10 s"]);
}

#[test]
fn what_nobody_wants_makes_room_least_recently_used_first() {
    let mut scene = Scene::default();
    scene.fleet.workers = vec![worker(1, vec![old("a", 2), old("b", 3)])];
    scene.demand("c", 1, None);
    assert_eq!(scene.models(), [["a", "c"]]);
    assert_eq!(
        scene.unloads(),
        ["makes room for c: 1 ms of work wait, it is warm nowhere, and loading takes 11 s"],
        "with a second for unloading"
    );
}

#[test]
fn a_swap_is_made_where_the_work_that_waits_takes_longer_than_the_swap_and_what_waits_for_the_other() {
    let mut scene = Scene::default();
    scene.costs.set("b", "h100", ModelCost { load_ms: 10_000, unload_ms: 1000, memory_bytes: 70 * GB, device_ms_per_video_second: 1 });
    scene.fleet.workers = vec![worker(1, vec![loaded("a", 30)])];
    // What loading b and unloading and loading a takes: 21 s, beside a's work and a quarter of it.
    scene.demand("a", 8000, None);
    scene.demand("b", 31_000, None);
    assert_eq!(scene.models(), [["a"]]);
    let unmet = plan(scene.input()).unmet;
    assert_eq!(
        unmet[0].reason.to_string(),
        "its share of the work that waits is 31 s, the swap would cost 21 s, and 8 s of work wait for what would make room"
    );
    scene.demand("b", 31_001, None);
    assert_eq!(scene.models(), [["b"]]);
}

#[test]
fn two_models_that_are_as_much_in_demand_do_not_take_turns() {
    let mut scene = Scene::default();
    scene.fleet.workers = vec![WorkerView { memory_total_bytes: 40 * GB, ..worker(1, vec![loaded("a", 30)]) }];
    scene.demand("a", 500_000, Some(700_000));
    scene.demand("b", 500_000, Some(700_000));
    for _ in 0..20 {
        assert_eq!(scene.models(), [["a"]]);
        scene.follow_plan();
    }
    // By a clock that runs on, the one that is not served waits longer and gets its turn.
    scene.demand("b", 500_000, Some(700_001));
    assert_eq!(scene.models(), [["b"]]);
    assert_eq!(
        scene.unloads(),
        ["makes room for b: its oldest job has waited for 11.6 min, more than 10 min, so the swap is made at a cost of 21 s"]
    );
}

#[test]
fn a_model_that_has_waited_too_long_gets_a_worker_once_the_other_was_worth_its_load() {
    let mut scene = Scene::default();
    let lately = LoadedModel { since: scene.now.plus_ms(-43_999), ..loaded("a", 30) };
    scene.fleet.workers = vec![WorkerView { memory_total_bytes: 40 * GB, ..worker(1, vec![lately]) }];
    scene.demand("a", 900_000, None);
    scene.demand("b", 1, Some(600_000));
    scene.now = scene.now.plus_ms(1);
    assert_eq!(scene.models(), [["a"]], "the bound is not passed");
    scene.demand("b", 1, Some(600_001));
    assert_eq!(scene.models(), [["b"]]);
    scene.now = scene.now.plus_ms(-1);
    assert_eq!(scene.models(), [["a"]], "four times eleven seconds");
}

#[test]
fn pins_are_kept_also_against_work_and_those_that_cannot_be_are_told() {
    let mut scene = Scene::default();
    scene.fleet.workers = vec![worker(1, vec![loaded("a", 30), loaded("b", 30)]), worker(2, vec![loaded("a", 30), old("b", 60)])];
    scene.demand("a", 1_000_000, None);
    scene.pin("b", 2);
    scene.pin("c", 1);
    assert_eq!(scene.models(), [vec!["b", "c"], vec!["a", "b"]], "idle for an hour, and pinned");
    scene.pin("c", 3);
    let unmet: Vec<String> = plan(scene.input()).unmet.iter().map(|unmet| format!("{}: {}", unmet.model, unmet.reason)).collect();
    assert_eq!(
        unmet,
        ["a: warm on 0 of 1 worker, and no other has room for it", "c: warm on 2 of 3 workers, and no other has room for it"]
    );
}

#[test]
fn a_pin_is_counted_over_all_kinds_of_device() {
    let mut scene = Scene::default();
    let cost = *scene.costs.of("a", "h100").unwrap();
    scene.costs.set("a", "l4", cost);
    scene.fleet.workers = vec![worker(1, vec![]), WorkerView { device_kind: "l4".to_owned(), ..worker(2, vec![]) }];
    scene.pin("a", 1);
    assert_eq!(scene.models(), [vec!["a"], vec![]]);
}

#[test]
fn a_model_is_unloaded_when_its_time_is_over_and_not_before() {
    let mut scene = Scene::default();
    scene.fleet.workers = vec![worker(1, vec![old("a", 14), old("b", 15)])];
    assert_eq!(scene.models(), [["a"]]);
    assert_eq!(scene.unloads(), ["unused for 15 min, longer than the 15 min it is kept warm"]);
}

#[test]
fn the_likely_next_model_is_loaded_into_free_memory_only() {
    let mut scene = Scene::default();
    (0..20).for_each(|_| scene.follow.observe("a", "c"));
    scene.fleet.workers = vec![worker(1, vec![loaded("a", 30)])];
    assert_eq!(scene.models(), [["a"]], "a is not in use");
    scene.demand("a", 1, None);
    assert_eq!(scene.models(), [["a", "c"]]);
    scene.fleet.workers = vec![worker(1, vec![loaded("a", 30), old("b", 14)])];
    assert_eq!(scene.models(), [["a", "b"]]);
    scene.fleet.workers = vec![worker(1, vec![loaded("a", 30), old("c", 100)])];
    assert_eq!(scene.models(), [["a", "c"]], "it stays while it is likely");
}

#[test]
fn more_workers_get_a_model_while_the_share_of_each_takes_longer_than_loading() {
    let mut scene = Scene::default();
    scene.fleet.workers = (1..=8).map(|n| worker(n, vec![])).collect();
    scene.demand("a", 41_000, None);
    let warm = scene.models().iter().filter(|models| !models.is_empty()).count();
    assert_eq!(warm, 4, "a fifth would have 8.2 s of work and load for 10 s");
}

#[test]
fn nothing_changes_on_a_draining_worker_and_it_counts_for_nothing() {
    let mut scene = Scene::default();
    scene.fleet.workers = vec![WorkerView { draining: true, ..worker(1, vec![old("a", 60)]) }, worker(2, vec![])];
    scene.pin("a", 1);
    assert_eq!(scene.models(), [["a"], ["a"]]);
    assert_eq!(plan(scene.input()).workers[0].models[0].reason.to_string(), "the worker is draining");
}

#[test]
fn too_full_a_device_is_relieved() {
    let mut scene = Scene::default();
    scene.fleet.workers = vec![worker(1, vec![loaded("a", 40), old("b", 1)]), worker(2, vec![loaded("a", 45), old("b", 1)])];
    scene.fleet.workers[0].models[0].memory_bytes = 47 * GB;
    assert_eq!(scene.models(), [vec!["a"], vec!["a", "b"]]);
    assert_eq!(scene.unloads(), ["models take 77,000 MB of memory, more than 76,000 MB"]);
}

#[test]
fn what_could_not_be_loaded_somewhere_makes_nothing_go_there_and_is_loaded_where_there_is_room() {
    let mut scene = Scene::default();
    scene.fleet.workers = vec![WorkerView { failed: vec!["c".to_owned()], ..worker(1, vec![old("a", 2), old("b", 3)]) }];
    scene.demand("c", 900_000, Some(900_000));
    assert_eq!(scene.models(), [["a", "b"]], "not even for what has waited too long");
    scene.pin("c", 1);
    assert_eq!(scene.models(), [["a", "b"]], "nor for a pin");
    scene.fleet.workers[0].models.pop();
    assert_eq!(scene.models(), [["a", "c"]]);
}

/// A worker of 40 GB, and one of 80 GB that has no room.
fn small_and_large() -> Scene {
    let mut scene = Scene::default();
    let small = WorkerView { memory_total_bytes: 40 * GB, ..worker(1, vec![loaded("a", 30)]) };
    scene.fleet.workers = vec![small, worker(2, vec![loaded("b", 30), old("c", 1)])];
    scene.demand("b", 5000, None);
    scene.demand("c", 1, None);
    scene.demand("a", 1000, None);
    scene
}

#[test]
fn jobs_that_need_a_larger_device_bring_their_model_there() {
    let large = |oldest_wait_ms| Some(LargeDemand { needs_bytes: 40 * GB + 1, queued_ms: 1000, oldest_wait_ms });
    let mut scene = small_and_large();
    scene.demand.models[2].large = large(600_000);
    assert_eq!(scene.models(), [vec!["a"], vec!["b", "c"]], "it is not worth the swap");
    scene.demand.models[2].large = large(600_001);
    assert_eq!(scene.models(), [vec!["a"], vec!["a", "b"]], "it has waited too long");
    assert_eq!(scene.unloads(), ["makes room for a: 1000 ms of work wait for a device of 40,001 MB or more, and the swap costs 21 s"]);
    scene.fleet.workers[1].models.pop();
    scene.demand.models[2].large = large(0);
    assert_eq!(scene.models(), [vec!["a"], vec!["a", "b"]], "there is room");
}

#[test]
fn jobs_that_need_a_larger_device_do_not_wait_for_one_that_drains() {
    let mut scene = small_and_large();
    scene.fleet.workers[1].models.pop();
    scene.fleet.workers.push(WorkerView { draining: true, ..worker(3, vec![loaded("a", 30)]) });
    scene.demand.models[2].large = Some(LargeDemand { needs_bytes: 40 * GB + 1, queued_ms: 1000, oldest_wait_ms: 0 });
    assert_eq!(scene.models(), [vec!["a"], vec!["a", "b"], vec!["a"]]);
}

#[test]
fn a_model_stays_on_the_only_device_that_is_large_enough_for_its_jobs() {
    let mut scene = small_and_large();
    scene.demand.models.clear();
    scene.fleet.workers[1].models = vec![old("a", 60), loaded("b", 30)];
    assert_eq!(scene.models(), [["a"], ["b"]]);
    scene.demand("a", 1000, None);
    scene.demand.models[0].large = Some(LargeDemand { needs_bytes: 40 * GB + 1, queued_ms: 1000, oldest_wait_ms: 0 });
    assert_eq!(scene.models(), [vec!["a"], vec!["a", "b"]]);
    scene.demand("b", 1, None);
    scene.demand("c", 900_000, None);
    assert_eq!(scene.models(), [["c"].as_slice(), &["a", "c"]], "the others make room");
}

/// Workers with two of the models, and demand, pins, sizes and habits for each.
fn scenes() -> impl Strategy<Value = Scene> {
    let has = prop::collection::vec(prop::collection::btree_set(0..MODELS.len(), 0..3), 1..5);
    let model = (0_u64..5, 1_u64..200_000, 0_u64..900_000, 0_u32..3, 8_u64..60);
    let habits = prop::collection::vec((0..MODELS.len(), 0..MODELS.len()), 0..30);
    (has, prop::collection::vec(model, MODELS.len()), habits).prop_map(|(has, models, habits)| {
        let mut scene = Scene::default();
        for (name, (is_wanted, queued_ms, wait_ms, pinned, gb)) in MODELS.iter().zip(models) {
            if is_wanted > 1 {
                scene.demand(name, queued_ms, Some(wait_ms));
            }
            scene.pin(name, pinned.saturating_sub(1));
            let cost = ModelCost { load_ms: 500 * gb, unload_ms: 50 * gb, memory_bytes: gb * GB, device_ms_per_video_second: 5000 };
            scene.costs.set(name, "h100", cost);
        }
        habits.iter().for_each(|(previous, next)| scene.follow.observe(MODELS[*previous], MODELS[*next]));
        for (has, n) in has.iter().zip(1..) {
            let memory = |model: &str| scene.costs.of(model, "h100").unwrap().memory_bytes;
            let models = has.iter().map(|at| LoadedModel { memory_bytes: memory(MODELS[*at]), ..old(MODELS[*at], *at as i64) });
            scene.fleet.workers.push(worker(n, models.collect()));
        }
        scene
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

    #[test]
    fn under_the_same_demand_the_plan_comes_to_rest_and_stays(mut scene in scenes()) {
        (0..60).for_each(|_| scene.follow_plan());
        let rest = scene.models();
        for _ in 0..60 {
            scene.follow_plan();
            prop_assert_eq!(&scene.models(), &rest);
        }
    }

    #[test]
    fn no_plan_fills_the_memory_breaks_a_pin_or_leaves_out_why(mut scene in scenes()) {
        for _ in 0..5 {
            let plan = plan(scene.input());
            prop_assert_eq!(&plan, &super::plan(scene.input()));
            for (planned, view) in plan.workers.iter().zip(&scene.fleet.workers) {
                let used: u64 = planned.models.iter().map(|planned| scene.costs.of(&planned.model, "h100").unwrap().memory_bytes).sum();
                prop_assert!(used <= view.memory_max_bytes());
                prop_assert!(planned.unloads.iter().all(|gone| view.loaded(&gone.model).is_some()));
                prop_assert!(planned.unloads.iter().all(|gone| planned.models.iter().all(|kept| kept.model != gone.model)));
            }
            for name in MODELS {
                let has_it = |worker: &&WorkerPlan| worker.models.iter().any(|kept| kept.model == name);
                let (wanted, warm) = (scene.policy.of(name).pinned_workers, plan.workers.iter().filter(has_it).count());
                let is_told = plan.unmet.iter().any(|unmet| unmet.model == name);
                prop_assert!(warm >= wanted as usize || is_told, "{} of {}: {:?}", warm, wanted, plan);
                let waits = scene.demand.of(name).is_some_and(|demand| demand.queued_ms() > 0);
                prop_assert!(warm > 0 || !waits || is_told);
            }
            scene.follow_plan();
        }
    }
}

#[test]
fn jobs_for_which_a_warm_worker_has_room_are_no_reason_to_load() {
    let mut scene = Scene::default();
    let busy = WorkerView { slots_free: 1, ..worker(1, vec![loaded("a", 30)]) };
    scene.fleet.workers = vec![busy, worker(2, vec![])];
    scene.demand("a", 60_000, None);
    scene.demand.models[0].jobs = 1;
    assert_eq!(scene.models(), [vec!["a"], vec![]]);
    scene.demand.models[0].jobs = 2;
    assert_eq!(scene.models(), [["a"], ["a"]]);
}

#[test]
fn a_worker_that_is_starting_is_waited_for_by_one_model_where_that_is_sooner_than_a_swap_is_worth() {
    let mut scene = Scene::default();
    scene.fleet.workers = vec![WorkerView { memory_total_bytes: 40 * GB, ..worker(1, vec![loaded("a", 30)]) }];
    scene.demand("a", 8000, None);
    scene.demand("b", 60_000, None);
    assert_eq!(scene.models(), [["b"]]);
    // The swap costs 31 s, with what waits for the other.
    scene.starts(21_000);
    assert_eq!(scene.models(), [["a"]]);
    let unmet = plan(scene.input()).unmet;
    assert_eq!(unmet[0].reason.to_string(), "a worker is starting, ready in 21 s, and loads it in 10 s, where the swap would cost 21 s");
    scene.demand("c", 59_000, None);
    assert_eq!(scene.models(), [["c"]], "it is for one");
    scene.fleet.starting[0].ready_in_ms = 21_001;
    scene.demand.models.retain(|demand| demand.model != "c");
    assert_eq!(scene.models(), [["b"]]);
}

fn foreseen(scene: &Scene) -> Vec<(String, u64, u64, Option<u64>)> {
    let swaps = foresee(scene.input());
    swaps.into_iter().map(|swap| (swap.model, swap.begins_in_ms, swap.warm_in_ms, swap.back_in_ms)).collect()
}

#[test]
fn a_swap_is_foreseen_for_when_the_other_has_little_to_do_or_the_job_has_waited_too_long() {
    let mut scene = Scene::default();
    scene.fleet.workers = vec![WorkerView { memory_total_bytes: 40 * GB, ..worker(1, vec![loaded("a", 30)]) }];
    scene.demand("a", 100_000, None);
    scene.demand("b", 31_001, Some(5000));
    // With 8 s of work before a the swap is worth it, a second for unloading and ten for loading; then it stays for its work or 44 s.
    assert_eq!(foreseen(&scene), [("b".to_owned(), 92_000, 103_000, Some(103_000 + 44_000 + 11_000))]);
    let swap = &foresee(scene.input())[0];
    assert_eq!((swap.worker, &*swap.leaves), (scene.fleet.workers[0].worker, &["a".to_owned()][..]));
    // Not worth it: when it has waited for ten minutes.
    scene.demand("b", 1000, Some(595_000));
    assert_eq!(foreseen(&scene)[0].1, 5000);
    scene.demand("c", 1000, Some(590_000));
    assert_eq!(foreseen(&scene).len(), 1, "of each worker the first");
    scene.fleet.workers[0].memory_total_bytes = 80 * GB;
    scene.demand.models.retain(|demand| demand.model != "c");
    assert_eq!(foreseen(&scene), [("b".to_owned(), 0, 10_000, None)], "there is room: it is loaded now");
    scene.fleet.workers[0].models.push(loaded("b", 30));
    assert!(foreseen(&scene).is_empty(), "it is there");
}

#[test]
fn what_the_plan_swaps_now_is_foreseen_for_now_as_whoever_leads_may_not_do_so_yet() {
    let mut scene = Scene::default();
    let mut a = loaded("a", 30);
    (a.running, a.running_left_ms) = (1, 4000);
    scene.fleet.workers = vec![WorkerView { memory_total_bytes: 40 * GB, ..worker(1, vec![a]) }];
    scene.demand("a", 100_000, None);
    scene.demand("b", 1000, Some(600_001));
    // When its job has ended a goes in a second, and b comes in ten; it stays for four times its load and unload.
    assert_eq!(foreseen(&scene), [("b".to_owned(), 0, 15_000, Some(15_000 + 44_000 + 11_000))]);
    assert_eq!(foresee(scene.input())[0].leaves, ["a"]);
}
