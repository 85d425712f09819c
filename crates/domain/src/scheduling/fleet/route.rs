//! Where one job would begin soonest: on a warm worker with room, behind others on a warm worker, where its model is loaded, on a worker
//! that is started, or nowhere yet.
//!
//! Each way is scored by the milliseconds until the job is expected to begin. The least wins. Of two that are as good the one earlier in
//! that list wins, then the worker with fewer running jobs, then the first by id.

use super::{
    reason::RouteReason,
    view::{FleetView, LoadedModel, ModelState, PlacementInput, WorkerOnDemand, WorkerView},
};
use crate::WorkerId;
use serde::Serialize;

/// A job that is to be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RouteRequest<'a> {
    pub model: &'a str,
    /// Jobs of its line that come before it.
    pub jobs_ahead: u64,
    /// Their work, in milliseconds of the fastest kind of device that was measured.
    pub ahead_ms: u64,
}

/// What can be done with a job, the cheapest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(tag = "kind", content = "worker", rename_all = "snake_case")]
pub enum RouteOption {
    /// The model is warm there, and there is room.
    Warm(WorkerId),
    /// The model is warm there or is being loaded, and others come first.
    WarmBusy(WorkerId),
    Load(WorkerId),
    StartWorker,
    Wait,
}

impl RouteOption {
    const fn rank(self) -> u8 {
        match self {
            Self::Warm(_) => 0,
            Self::WarmBusy(_) => 1,
            Self::Load(_) => 2,
            Self::StartWorker => 3,
            Self::Wait => 4,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ScoredOption {
    pub option: RouteOption,
    /// `None`: nobody knows.
    pub begins_in_ms: Option<u64>,
    pub reason: RouteReason,
    /// Jobs that run there.
    #[serde(skip)]
    running: u32,
}

/// The best way for a job, and the best one of each other kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Route {
    pub best: ScoredOption,
    pub others: Vec<ScoredOption>,
}

/// What the options of a job are judged by.
struct Router<'a> {
    request: RouteRequest<'a>,
    input: PlacementInput<'a>,
    /// Workers that have the model warm.
    warm_workers: u32,
    /// Jobs that they could take now.
    room: u64,
}

/// Scores every way for a job and takes the best. Draining workers are left out. A model makes room where nothing waits for it or came
/// lately, none of its jobs run and it is not pinned: what is worth a swap is for [`super::plan`] to say.
#[must_use]
pub fn route(request: RouteRequest<'_>, input: PlacementInput<'_>) -> Route {
    let fleet = input.fleet;
    let warm = || present(fleet).filter_map(|worker| Some((worker, worker.loaded(request.model).filter(|loaded| loaded.is_warm())?)));
    let warm_workers = u32::try_from(warm().count()).unwrap_or(u32::MAX);
    let room = warm().map(|(worker, loaded)| u64::from(room(worker, loaded))).sum();
    let router = Router { request, input, warm_workers, room };
    let mut options: Vec<ScoredOption> = present(fleet).filter_map(|worker| router.on(worker)).collect();
    options.extend(fleet.on_demand.iter().filter_map(|worker| router.started(worker)));
    options.push(ScoredOption { option: RouteOption::Wait, begins_in_ms: None, reason: RouteReason::NothingServes, running: 0 });
    options.sort_by_key(|scored| (scored.begins_in_ms.unwrap_or(u64::MAX), scored.option.rank(), scored.running, scored.option));
    let best = options.remove(0);
    let mut others: Vec<ScoredOption> = Vec::new();
    for option in options {
        if option.option.rank() != best.option.rank() && others.iter().all(|other| other.option.rank() != option.option.rank()) {
            others.push(option);
        }
    }
    Route { best, others }
}

fn present(fleet: &FleetView) -> impl Iterator<Item = &WorkerView> {
    fleet.workers.iter().filter(|worker| !worker.draining)
}

/// How many jobs of a warm model a worker could take now.
fn room(worker: &WorkerView, loaded: &LoadedModel) -> u32 {
    if loaded.running == 0 { worker.slots_free } else { worker.slots_free.min(loaded.batch_room) }
}

impl Router<'_> {
    /// The way over a worker that is there.
    fn on(&self, worker: &WorkerView) -> Option<ScoredOption> {
        let (option, begins_in_ms, reason) = match worker.loaded(self.request.model) {
            Some(loaded) => self.with_model(worker, loaded)?,
            None => self.load_on(worker)?,
        };
        let running = worker.models.iter().map(|loaded| loaded.running).sum();
        Some(ScoredOption { option, begins_in_ms: Some(begins_in_ms), reason, running })
    }

    fn with_model(&self, worker: &WorkerView, loaded: &LoadedModel) -> Option<(RouteOption, u64, RouteReason)> {
        if let ModelState::Loading { permille } = loaded.state {
            let load_left_ms = self.input.costs.of(&loaded.model, &worker.device_kind)?.load_left_ms(permille);
            let reason = RouteReason::IsLoading { permille, load_left_ms };
            let begins_in_ms = load_left_ms.max(worker.slot_free_in_ms).saturating_add(self.ahead_ms(worker));
            return Some((RouteOption::WarmBusy(worker.worker), begins_in_ms, reason));
        }
        if room(worker, loaded) > 0 && self.request.jobs_ahead < self.room {
            let (begins_in_ms, reason) = match loaded.running {
                0 => (0, RouteReason::Warm),
                running => (loaded.step_ms, RouteReason::JoinsBatch { running, step_ms: loaded.step_ms }),
            };
            return Some((RouteOption::Warm(worker.worker), begins_in_ms, reason));
        }
        let slot_free_in_ms = if worker.slots_free == 0 { worker.slot_free_in_ms } else { 0 };
        // Where its batch is full, one of its own has to end.
        let batch_free_in_ms = if loaded.running > 0 && loaded.batch_room == 0 { loaded.running_left_ms } else { 0 };
        let free_in_ms = slot_free_in_ms.max(batch_free_in_ms);
        let ahead_ms = self.input.costs.on_kind(self.request.model, &worker.device_kind, self.request.ahead_ms);
        let reason = RouteReason::WarmBusy { slot_free_in_ms: free_in_ms, ahead_ms, warm_workers: self.warm_workers };
        Some((RouteOption::WarmBusy(worker.worker), free_in_ms.saturating_add(self.ahead_ms(worker)), reason))
    }

    /// What is ahead takes the workers that have the model, and this one.
    fn ahead_ms(&self, worker: &WorkerView) -> u64 {
        let has_it = worker.loaded(self.request.model).is_some_and(LoadedModel::is_warm);
        let workers = u64::from(self.warm_workers) + u64::from(!has_it);
        self.input.costs.on_kind(self.request.model, &worker.device_kind, self.request.ahead_ms) / workers.max(1)
    }

    fn load_on(&self, worker: &WorkerView) -> Option<(RouteOption, u64, RouteReason)> {
        if !worker.can_serve(self.request.model) {
            return None;
        }
        let cost = self.input.costs.of(self.request.model, &worker.device_kind)?;
        let used: u64 = worker.models.iter().map(|loaded| loaded.memory_bytes).sum();
        let mut idle: Vec<&LoadedModel> = worker.models.iter().filter(|loaded| self.gives_way(loaded)).collect();
        idle.sort_by_key(|loaded| (loaded.used_at, &loaded.model));
        let (mut needed, mut evicted, mut evict_ms) = (used.saturating_add(cost.memory_bytes), Vec::new(), 0_u64);
        for loaded in idle {
            if needed <= worker.memory_max_bytes() {
                break;
            }
            needed = needed.saturating_sub(loaded.memory_bytes);
            evict_ms += self.input.costs.of(&loaded.model, &worker.device_kind).map_or(0, |cost| cost.unload_ms);
            evicted.push(loaded.model.clone());
        }
        if needed > worker.memory_max_bytes() {
            return None;
        }
        let slot_free_in_ms = if worker.slots_free == 0 { worker.slot_free_in_ms } else { 0 };
        let loaded_in_ms = evict_ms.saturating_add(cost.load_ms);
        let begins_in_ms = loaded_in_ms.max(slot_free_in_ms).saturating_add(self.ahead_ms(worker));
        let reason = RouteReason::Load { load_ms: cost.load_ms, evicted, evict_ms, slot_free_in_ms };
        Some((RouteOption::Load(worker.worker), begins_in_ms, reason))
    }

    /// A model that is neither in use nor wanted. One that is pinned stays everywhere: which of its workers are enough is for the plan.
    fn gives_way(&self, loaded: &LoadedModel) -> bool {
        let unwanted = !self.input.demand.wants(&loaded.model) && self.input.policy.of(&loaded.model).pinned_workers == 0;
        loaded.is_warm() && loaded.running == 0 && unwanted
    }

    fn started(&self, worker: &WorkerOnDemand) -> Option<ScoredOption> {
        let serves = worker.servable.iter().any(|served| served == self.request.model);
        let load_ms = self.input.costs.of(self.request.model, &worker.device_kind).filter(|_| serves)?.load_ms;
        let ahead_ms = self.input.costs.on_kind(self.request.model, &worker.device_kind, self.request.ahead_ms);
        let begins_in_ms = worker.ready_in_ms.saturating_add(load_ms).saturating_add(ahead_ms / (u64::from(self.warm_workers) + 1));
        let reason = RouteReason::StartWorker {
            device_kind: worker.device_kind.clone(),
            ready_in_ms: worker.ready_in_ms,
            load_ms,
            starting: worker.starting,
        };
        Some(ScoredOption { option: RouteOption::StartWorker, begins_in_ms: Some(begins_in_ms), reason, running: 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scheduling::fleet::testing::{GB, Scene, loaded, worker};

    const JOB: RouteRequest<'static> = RouteRequest { model: "a", jobs_ahead: 0, ahead_ms: 0 };

    fn begins(route: &Route) -> (RouteOption, Option<u64>) {
        (route.best.option, route.best.begins_in_ms)
    }

    #[test]
    fn an_idle_warm_worker_comes_before_a_batch_and_a_batch_before_loading() {
        let mut scene = Scene::default();
        let batch = LoadedModel { running: 2, batch_room: 2, step_ms: 300, ..loaded("a", 10) };
        scene.fleet.workers = vec![worker(1, vec![]), worker(2, vec![batch]), worker(3, vec![loaded("a", 10)])];
        let route = route(JOB, scene.input());
        assert_eq!(begins(&route), (RouteOption::Warm(scene.id(3)), Some(0)));
        assert_eq!(route.others.iter().map(|other| other.option.rank()).collect::<Vec<_>>(), [2, 4]);
        scene.fleet.workers.pop();
        let route = super::route(JOB, scene.input());
        assert_eq!(begins(&route), (RouteOption::Warm(scene.id(2)), Some(300)));
        assert_eq!(route.best.reason.to_string(), "joins 2 running jobs after a step of at most 300 ms");
    }

    #[test]
    fn a_job_waits_for_a_busy_worker_only_where_loading_elsewhere_takes_longer() {
        let mut scene = Scene::default();
        let busy = |free_in_ms| WorkerView {
            slots_free: 0,
            slot_free_in_ms: free_in_ms,
            ..worker(1, vec![LoadedModel { running: 4, ..loaded("a", 10) }])
        };
        // Loading takes ten seconds.
        scene.fleet.workers = vec![busy(9000), worker(2, vec![])];
        assert_eq!(begins(&route(JOB, scene.input())), (RouteOption::WarmBusy(scene.id(1)), Some(9000)));
        scene.fleet.workers[0] = busy(11_000);
        assert_eq!(begins(&route(JOB, scene.input())), (RouteOption::Load(scene.id(2)), Some(10_000)));
    }

    #[test]
    fn what_is_ahead_takes_the_room_and_is_shared_by_the_warm_workers() {
        let mut scene = Scene::default();
        scene.fleet.workers = vec![worker(1, vec![loaded("a", 10)]), worker(2, vec![loaded("a", 10)])];
        let last = RouteRequest { jobs_ahead: 7, ahead_ms: 7000, ..JOB };
        assert_eq!(route(last, scene.input()).best.option, RouteOption::Warm(scene.id(1)), "four slots each");
        let behind = RouteRequest { jobs_ahead: 8, ahead_ms: 8000, ..JOB };
        assert_eq!(begins(&route(behind, scene.input())), (RouteOption::WarmBusy(scene.id(1)), Some(4000)));
    }

    #[test]
    fn room_is_made_by_what_nobody_wants_least_recently_used_first() {
        let mut scene = Scene::default();
        let old = LoadedModel { used_at: scene.now.plus_ms(-60_000), ..loaded("c", 30) };
        scene.fleet.workers = vec![WorkerView { memory_total_bytes: 80 * GB, ..worker(1, vec![loaded("b", 30), old]) }];
        let RouteReason::Load { evicted, evict_ms, .. } = route(JOB, scene.input()).best.reason else { panic!("loads") };
        assert_eq!((evicted, evict_ms), (vec!["c".to_owned()], 1000));
        scene.demand("b", 1, None);
        scene.demand("c", 1, None);
        assert_eq!(begins(&route(JOB, scene.input())), (RouteOption::Wait, None));
        scene.fleet.on_demand.push(scene.on_demand(40_000, false));
        assert_eq!(begins(&route(JOB, scene.input())), (RouteOption::StartWorker, Some(50_000)));
    }

    #[test]
    fn a_model_that_is_being_loaded_is_waited_for_and_a_draining_worker_is_not() {
        let mut scene = Scene::default();
        let loading = LoadedModel { state: ModelState::Loading { permille: 900 }, ..loaded("a", 10) };
        scene.fleet.workers = vec![worker(1, vec![]), worker(2, vec![loading])];
        assert_eq!(begins(&route(JOB, scene.input())), (RouteOption::WarmBusy(scene.id(2)), Some(1000)));
        scene.fleet.workers.iter_mut().for_each(|worker| worker.draining = true);
        assert_eq!(route(JOB, scene.input()).best.option, RouteOption::Wait);
    }
}
