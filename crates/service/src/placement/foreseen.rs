//! The swaps that are to come, for forecasts of jobs whose model no worker has and none is to load.

use super::{
    arrivals::Arrivals,
    is_placed,
    served::Served,
    view::{Group, Known, View},
};
use crate::costs::Costs;
use domain::{
    Catalog,
    scheduling::fleet::{ForeseenSwap, PlacementInput, foresee},
};
use store::{
    LiveWorker, Store, StoreError,
    queue::{OpenPhase, QueueState},
};

/// As whoever plans would have them that knows no more than what waits and works now: how long jobs have waited for their model counts from when
/// they came. Where no job waits for a swap nothing is read.
///
/// # Errors
/// [`StoreError`] when the database does not answer.
pub(crate) async fn foreseen(store: &Store, state: &QueueState, costs: &Costs, wait_max_ms: u64) -> Result<Vec<ForeseenSwap>, StoreError> {
    if !waits_for_swap(state) {
        return Ok(Vec::new());
    }
    let placement = store.placement();
    let (learned, rules, needs) = (placement.costs().await?, placement.rules().await?, placement.needs().await?);
    // The pace of models tells between workers that are as good otherwise.
    let (catalog, arrivals, mut served) = (Catalog::default(), Arrivals::default(), Served::default());
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
    let mut swaps = Vec::new();
    for group in Group::all(&state.workers) {
        let View { fleet, demand, costs, policy } = &View::of(&known, &group, &mut served);
        swaps.extend(foresee(PlacementInput { fleet, demand, costs, policy, follow: arrivals.follow(), now: state.now }));
    }
    Ok(swaps)
}

/// Whether a job waits for a model that comes and goes on workers, and is neither there nor on its way.
fn waits_for_swap(state: &QueueState) -> bool {
    let comes = |worker: &LiveWorker, model: &str| {
        let is_wanted = worker.desired.iter().flatten().any(|desired| desired.model == model);
        worker.has_warm(model) || worker.loading_permille(model).is_some() || is_wanted
    };
    let may = |model: &str| state.workers.iter().any(|worker| is_placed(worker) && worker.serves(model));
    let waiting = state.jobs.iter().filter(|open| matches!(open.phase, OpenPhase::Waiting(_) | OpenPhase::Throttled));
    let mut models: Vec<&str> = waiting.map(|open| open.model.as_str()).collect();
    models.sort_unstable();
    models.dedup();
    models.into_iter().any(|model| may(model) && !state.workers.iter().any(|worker| comes(worker, model)))
}
