//! The swaps that are to come, for forecasts of jobs whose model no worker has and none is to load.

use super::{
    arrivals::Arrivals,
    is_placed, rules,
    served::Served,
    view::{Group, Known, LOADED_PER_MS, View},
};
use crate::costs::Costs;
use domain::{
    Catalog, JobId, Stage, TenantId, Timestamp, VideoTime,
    scheduling::fleet::{ForeseenSwap, PlacementInput, foresee},
};
use std::{collections::BTreeMap, sync::Arc};
use store::{
    LiveWorker, Store, StoreError,
    queue::{Limits, OpenJob, OpenPhase, QueueState},
};

/// As whoever plans would have them that knows no more than what waits and works now: how long jobs have waited for their model counts from when
/// they came. What a release rate keeps outside of the queue waits from when it enters. Where no job waits for a swap nothing is read.
///
/// # Errors
/// [`StoreError`] when the database does not answer.
pub(crate) async fn foreseen(store: &Store, state: &QueueState, costs: &Costs, wait_max_ms: u64) -> Result<Vec<ForeseenSwap>, StoreError> {
    if !waits_for_swap(state) {
        return Ok(Vec::new());
    }
    let placement = store.placement();
    let (learned, rules, needs) = (placement.costs().await?, placement.rules().await?, placement.needs().await?);
    let rules = rules::of_offered(rules, &store.models().catalog().await?);
    // The pace of models tells between workers that are as good otherwise.
    let (catalog, arrivals) = (Catalog::default(), Arrivals::default());
    let swaps_of = |state: &QueueState| {
        let known = Known {
            state,
            costs,
            catalog: &catalog,
            learned: &learned,
            rules: &rules,
            arrivals: &arrivals,
            needs: &needs,
            starting: &[],
            wait_max_ms,
        };
        let (mut swaps, mut served) = (Vec::new(), Served::default());
        for group in Group::all(&state.workers) {
            let View { fleet, demand, costs, policy } = &View::of(&known, &group, &mut served);
            swaps.extend(foresee(PlacementInput { fleet, demand, costs, policy, follow: arrivals.follow(), now: state.now }));
        }
        swaps
    };
    let (mut swaps, entering) = (swaps_of(state), entering(state));
    if !entering.is_empty() {
        let later = later_swaps(swaps_of(&entered(state, &entering)), &swaps, &entering, state.now);
        swaps.extend(later);
    }
    Ok(swaps)
}

/// Of the models that wait for a swap and of which no job is in the queue, the one that enters first by its release rate, and when.
fn entering(state: &QueueState) -> BTreeMap<String, (JobId, Timestamp)> {
    let limits: BTreeMap<TenantId, &Limits> = state.tenants.iter().map(|limits| (limits.tenant, limits)).collect();
    let throttled = state.jobs.iter().filter(|open| open.phase == OpenPhase::Throttled).map(|open| (open, false));
    // They take their turn at the gate, and nothing of a worker.
    let held = state.held.iter().map(|open| (open, true));
    let mut throttled: Vec<(&OpenJob, bool)> = throttled.chain(held).collect();
    throttled.sort_by_key(|(open, _)| (open.created_at, open.id));
    let waits = |model: &str| state.jobs.iter().any(|open| open.model == model && matches!(open.phase, OpenPhase::Waiting(_)));
    let (mut ahead, mut first) = (BTreeMap::<TenantId, VideoTime>::new(), BTreeMap::<&str, (JobId, Timestamp)>::new());
    for (open, is_held) in throttled {
        let ahead = ahead.entry(open.tenant).or_default();
        let enters_at = limits.get(&open.tenant).and_then(|limits| limits.gate?.enters_at(limits.free_at, *ahead, state.now));
        *ahead = VideoTime::from_ms(ahead.ms().saturating_add(open.billed.ms()));
        let Some(enters_at) = enters_at.filter(|_| !is_held) else { continue };
        let known = first.entry(&open.model).or_insert((open.id, enters_at));
        if enters_at < known.1 {
            *known = (open.id, enters_at);
        }
    }
    first.retain(|model, _| is_swapped_in(state, model) && !waits(model));
    first.into_iter().map(|(model, entering)| (model.to_owned(), entering)).collect()
}

/// As it is when these have just entered, and nothing else has changed: of the other jobs that a release rate keeps outside, which may be hundreds of
/// thousands, whoever plans knows nothing.
pub(super) fn entered(state: &QueueState, entering: &BTreeMap<String, (JobId, Timestamp)>) -> QueueState {
    let enters = |open: &OpenJob| entering.get(&open.model).is_some_and(|(id, _)| *id == open.id);
    let then = |open: &OpenJob| match open.phase {
        OpenPhase::Throttled if !enters(open) => None,
        OpenPhase::Throttled => Some(OpenJob { phase: OpenPhase::Waiting(Stage::Sampling), created_at: state.now, ..open.clone() }),
        _ => Some(open.clone()),
    };
    QueueState {
        now: state.now,
        jobs: state.jobs.iter().filter_map(then).collect(),
        held: Vec::new(),
        recent: Vec::new(),
        workers: state.workers.clone(),
        tenants: Vec::new(),
        pauses: Arc::clone(&state.pauses),
    }
}

/// Those of the swaps that are for what enters, as much later. None takes the place of what another, that comes before, is to take.
fn later_swaps(
    swaps: Vec<ForeseenSwap>,
    before: &[ForeseenSwap],
    entering: &BTreeMap<String, (JobId, Timestamp)>,
    now: Timestamp,
) -> Vec<ForeseenSwap> {
    let is_free = |swap: &ForeseenSwap| swap.leaves.is_empty() || !before.iter().any(|before| before.worker == swap.worker);
    let later = swaps.into_iter().filter(is_free).filter_map(|swap| {
        let (_, enters_at) = entering.get(&swap.model)?;
        let later = |ms: u64| ms.saturating_add(enters_at.ms_since(now));
        let (begins_in_ms, warm_in_ms) = (later(swap.begins_in_ms), later(swap.warm_in_ms));
        Some(ForeseenSwap { begins_in_ms, warm_in_ms, back_in_ms: swap.back_in_ms.map(later), ..swap })
    });
    later.collect()
}

/// What is left of loading a model where that is done soonest, in milliseconds. `None`: one has it warm, or nothing is known of it.
pub(crate) fn cold_load_ms(workers: &[LiveWorker], model: &str) -> Option<u64> {
    if workers.iter().any(|worker| worker.has_warm(model)) {
        return None;
    }
    let left_ms = |worker: &LiveWorker| {
        let known_ms = Some(worker.load_left_ms(model)).filter(|ms| *ms > 0);
        let size = worker.held.as_ref().and_then(|held| held.of(model)).map(|held| held.memory_bytes);
        // Of one whose load was never timed, or is all but over.
        let left_permille = u64::from(1000 - worker.loading_permille(model).unwrap_or(0));
        known_ms.or_else(|| size.filter(|bytes| *bytes > 0).map(|bytes| bytes / LOADED_PER_MS * left_permille / 1000))
    };
    workers.iter().filter(|worker| !worker.is_draining && worker.serves(model)).filter_map(left_ms).min()
}

/// Whether a job waits for a model that is to be swapped in.
fn waits_for_swap(state: &QueueState) -> bool {
    let waiting = state.jobs.iter().filter(|open| matches!(open.phase, OpenPhase::Waiting(_) | OpenPhase::Throttled));
    let mut models: Vec<&str> = waiting.map(|open| open.model.as_str()).collect();
    models.sort_unstable();
    models.dedup();
    models.into_iter().any(|model| is_swapped_in(state, model))
}

/// Whether a model comes and goes on workers, and is neither there nor on its way.
fn is_swapped_in(state: &QueueState, model: &str) -> bool {
    let comes = |worker: &LiveWorker| {
        let is_wanted = worker.desired.iter().flatten().any(|desired| desired.model == model);
        worker.has_warm(model) || worker.loading_permille(model).is_some() || is_wanted
    };
    state.workers.iter().any(|worker| is_placed(worker) && worker.serves(model)) && !state.workers.iter().any(comes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{
        Shape, Size, WorkerId,
        billing::Lane,
        scheduling::{Tag, VirtualTime},
    };
    use store::{HeldModel, HeldModels, HeldState, WorkerSlots, on_both_engines, testing::Dial};
    use uuid::Uuid;

    const NOW: Timestamp = Timestamp::from_ms(1_800_000_000_000);

    /// It has a model of twenty gigabytes so, whose load was timed or not.
    fn worker(state: HeldState, load_ms: Option<u64>) -> LiveWorker {
        let model = HeldModel {
            model: "m".into(),
            memory_bytes: 20_000_000_000,
            state,
            since: NOW,
            used_at: NOW,
            running: 0,
            load_ms,
            failed: None,
        };
        LiveWorker {
            id: WorkerId::from_uuid(Uuid::nil()),
            device: "h100".into(),
            slots: WorkerSlots::default(),
            memory_bytes: None,
            models: None,
            held: Some(HeldModels { memory_max_bytes: None, models: vec![model] }),
            desired: None,
            started_at: NOW,
            is_draining: false,
        }
    }

    fn waiting() -> OpenJob {
        let shape = Shape { size: Size { width: 64, height: 64 }, duration: VideoTime::from_ms(2000) };
        let (work, tag) = (VideoTime::from_ms(2000), Tag { start: VirtualTime::new(0), finish: VirtualTime::new(1) });
        let (id, tenant, phase) = (JobId::from_uuid(Uuid::nil()), TenantId::from_uuid(Uuid::nil()), OpenPhase::Waiting(Stage::Sampling));
        let (model, created_at) = ("m".to_owned(), NOW.plus_ms(-1000));
        OpenJob { id, tenant, lane: Lane::Batch, model, shape, steps: 10, work, billed: work, tag, created_at, phase }
    }

    on_both_engines! {
        async fn a_model_that_was_withdrawn_is_foreseen_to_make_room(database: TempDatabase) {
            let store = database.open_at(&Dial::default()).await.unwrap();
            database.damage("INSERT INTO model_rules (model, pinned_workers, keep_warm_ms) VALUES ('gone-1', 1, NULL)").await;
            let mut placed = worker(HeldState::Absent, None);
            let held = placed.held.as_mut().unwrap();
            held.memory_max_bytes = Some(30_000_000_000);
            let gone = HeldModel { model: "gone-1".into(), state: HeldState::Warm, ..held.models[0].clone() };
            held.models.push(gone);
            let (jobs, workers, held, recent, tenants) = (vec![waiting()], vec![placed], Vec::new(), Vec::new(), Vec::new());
            let state = QueueState { now: NOW, jobs, held, recent, workers, tenants, pauses: Arc::default() };
            let swaps = foreseen(&store, &state, &Costs::default(), 120_000).await.unwrap();
            assert_eq!(swaps.iter().map(|swap| &*swap.model).collect::<Vec<_>>(), ["m"]);
        }
    }

    #[test]
    fn what_is_left_of_a_load_is_less_the_further_it_has_come_whether_it_was_timed_or_not() {
        let left = |permille, load_ms| cold_load_ms(&[worker(HeldState::Loading { permille }, load_ms)], "m");
        assert_eq!([0, 750, 1000].map(|permille| left(permille, None)), [Some(20_000), Some(5000), Some(0)]);
        assert_eq!([0, 750, 1000].map(|permille| left(permille, Some(8000))), [Some(8000), Some(2000), Some(0)]);
        let absent = || worker(HeldState::Absent, None);
        let two = [absent(), worker(HeldState::Loading { permille: 1000 }, None)];
        assert_eq!((cold_load_ms(&[absent()], "m"), cold_load_ms(&two, "m")), (Some(20_000), Some(0)));
        assert_eq!((cold_load_ms(&[worker(HeldState::Warm, None)], "m"), cold_load_ms(&[], "m")), (None, None));
    }
}
