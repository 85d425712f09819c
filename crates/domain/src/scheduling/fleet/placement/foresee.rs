//! The swaps that are to come: for models whose jobs wait, which no worker has.
//!
//! What the plan of now would load is told as a swap that begins now: whoever leads may know more, and not do so yet. Any other swap comes when the work that waits for what makes room has become little enough, or when the jobs have waited for too long, whichever is sooner.
//! What made room comes back when the other had its stay and its work is done. Only the first turn on each worker is told: of what follows nobody
//! knows enough.

use super::{
    super::{
        reason::UnloadReason,
        view::{LoadedModel, WorkerView},
    },
    PlacementInput,
    builder::{BuiltWorker, PlanBuilder, Purpose, Room, STAY_TIMES},
};
use crate::WorkerId;
use std::collections::BTreeSet;

/// A model that is to take the place of others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForeseenSwap {
    pub model: String,
    pub worker: WorkerId,
    /// What makes room, by name.
    pub leaves: Vec<String>,
    /// From then on the worker takes no more jobs of what leaves, in milliseconds from now.
    pub begins_in_ms: u64,
    /// From then on it takes jobs of the model.
    pub warm_in_ms: u64,
    /// From then on those that left are back; `None`: nothing waits for them.
    pub back_in_ms: Option<u64>,
}

/// The loads of this plan, and the swaps that will follow it, if nothing else comes. Of two swaps for one worker, the sooner, and none where this
/// plan loads.
pub(super) fn foresee(builder: &PlanBuilder<'_>) -> Vec<ForeseenSwap> {
    let mut loads: Vec<ForeseenSwap> = builder.workers.iter().flat_map(|worker| builder.loads(worker)).collect();
    let cold = builder.models().filter(|model| builder.warm(*model) == 0 && builder.queued_ms(*model) > 0);
    let mut swaps: Vec<ForeseenSwap> = cold.filter_map(|model| builder.foreseen(model)).collect();
    swaps.sort_by(|a, b| (a.begins_in_ms, &a.model).cmp(&(b.begins_in_ms, &b.model)));
    let mut taken: BTreeSet<WorkerId> = loads.iter().map(|load| load.worker).collect();
    swaps.retain(|swap| taken.insert(swap.worker));
    loads.append(&mut swaps);
    loads
}

impl PlanBuilder<'_> {
    /// What this plan loads on a worker of models whose jobs wait and that no worker has yet.
    fn loads(&self, worker: &BuiltWorker<'_>) -> Vec<ForeseenSwap> {
        let is_somewhere = |model: &str| self.input.fleet.workers.iter().any(|worker| !worker.draining && worker.loaded(model).is_some());
        let planned = worker.kept.iter().filter(|kept| kept.now.is_err() && self.queued_ms(kept.model) > 0).map(|kept| kept.model);
        let loads = planned.filter(|model| !is_somewhere(self.name(*model))).filter_map(|model| {
            let makes_room = |reason: &UnloadReason| matches!(reason, UnloadReason::MakesRoom { model: by, .. } if by == self.name(model));
            let leaving = worker.unloads.iter().filter(|unload| makes_room(&unload.reason));
            self.swap((model, worker.view), &leaving.filter_map(|unload| worker.view.loaded(&unload.model)).collect::<Vec<_>>(), 0)
        });
        loads.collect()
    }

    fn foreseen(&self, model: usize) -> Option<ForeseenSwap> {
        let PlacementInput { policy, .. } = self.input;
        let waited_ms = self.oldest_wait_ms(model);
        // As it will be then.
        let purpose = Purpose::Starving { oldest_wait_ms: waited_ms.max(policy.wait_max_ms.saturating_add(1)) };
        let room = self.cheapest_room(model, purpose)?;
        let worker = self.workers.get(room.worker)?;
        let begins_in_ms = self.worth_in_ms(model, &room).min(policy.wait_max_ms.saturating_sub(waited_ms));
        let leaving: Vec<&LoadedModel> = room.victims.iter().filter_map(|at| worker.kept[*at].now.as_ref().ok().copied()).collect();
        self.swap((model, worker.view), &leaving, begins_in_ms)
    }

    /// A model takes the place of these on a worker.
    fn swap(&self, (model, worker): (usize, &WorkerView), leaving: &[&LoadedModel], begins_in_ms: u64) -> Option<ForeseenSwap> {
        let (costs, device) = (self.input.costs, &worker.device_kind);
        let running_left_ms = leaving.iter().map(|loaded| loaded.running_left_ms).max();
        let of_leaving = || leaving.iter().filter_map(|loaded| costs.of(&loaded.model, device));
        let unload_ms: u64 = of_leaving().map(|cost| cost.unload_ms).sum();
        let own = costs.of(self.name(model), device)?;
        let ends_ms = running_left_ms.unwrap_or(0).saturating_sub(begins_in_ms);
        let warm_in_ms = begins_in_ms.saturating_add(ends_ms).saturating_add(unload_ms).saturating_add(own.load_ms);
        let stays_ms = self.queued_ms(model).max(own.load_ms.saturating_add(own.unload_ms).saturating_mul(STAY_TIMES));
        let waited_for = leaving.iter().filter_map(|loaded| self.number(&loaded.model)).any(|model| self.queued_ms(model) > 0);
        let reload_ms: u64 = of_leaving().map(|cost| cost.load_ms).sum();
        let back_in_ms = warm_in_ms.saturating_add(stays_ms).saturating_add(own.unload_ms).saturating_add(reload_ms);
        Some(ForeseenSwap {
            model: self.name(model).to_owned(),
            worker: worker.worker,
            leaves: leaving.iter().map(|loaded| loaded.model.clone()).collect(),
            begins_in_ms,
            warm_in_ms,
            back_in_ms: waited_for.then_some(back_in_ms),
        })
    }

    /// When the work that waits for what makes room has become so little that the swap is worth it; far away, where it is not worth even the swap.
    fn worth_in_ms(&self, model: usize, room: &Room) -> u64 {
        let share_ms = self.next_share_ms(model);
        if share_ms <= room.swap_ms {
            return u64::MAX;
        }
        room.displaced_ms.saturating_sub(room.displaced_for(share_ms))
    }
}
