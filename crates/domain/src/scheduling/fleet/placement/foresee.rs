//! The swaps that are to come: for models whose jobs wait, which no worker has and none is to load now.
//!
//! A swap comes when the work that waits for what makes room has become little enough, or when the jobs have waited for too long, whichever is sooner.
//! What made room comes back when the other had its stay and its work is done. Only the first turn on each worker is told: of what follows nobody
//! knows enough.

use super::{
    PlacementInput,
    builder::{PlanBuilder, Purpose, Room, STAY_TIMES},
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

/// The swaps that will follow this plan, if nothing else comes. Of two for one worker, the sooner.
pub(super) fn foresee(builder: &PlanBuilder<'_>) -> Vec<ForeseenSwap> {
    let cold = builder.models().filter(|model| builder.warm(*model) == 0 && builder.queued_ms(*model) > 0);
    let mut swaps: Vec<ForeseenSwap> = cold.filter_map(|model| builder.foreseen(model)).collect();
    swaps.sort_by(|a, b| (a.begins_in_ms, &a.model).cmp(&(b.begins_in_ms, &b.model)));
    let mut taken = BTreeSet::new();
    swaps.retain(|swap| taken.insert(swap.worker));
    swaps
}

impl PlanBuilder<'_> {
    fn foreseen(&self, model: usize) -> Option<ForeseenSwap> {
        let PlacementInput { policy, costs, .. } = self.input;
        let waited_ms = self.oldest_wait_ms(model);
        // As it will be then.
        let purpose = Purpose::Starving { oldest_wait_ms: waited_ms.max(policy.wait_max_ms.saturating_add(1)) };
        let room = self.cheapest_room(model, purpose)?;
        let worker = self.workers.get(room.worker)?;
        let device = &worker.view.device_kind;
        let begins_in_ms = self.worth_in_ms(model, &room).min(policy.wait_max_ms.saturating_sub(waited_ms));
        let leaving: Vec<_> = room.victims.iter().map(|at| &worker.kept[*at]).collect();
        let running_left_ms = leaving.iter().filter_map(|kept| kept.now.as_ref().ok()).map(|loaded| loaded.running_left_ms).max();
        let unload_ms: u64 = leaving.iter().filter_map(|kept| costs.of(self.name(kept.model), device)).map(|cost| cost.unload_ms).sum();
        let own = costs.of(self.name(model), device)?;
        let ends_ms = running_left_ms.unwrap_or(0).saturating_sub(begins_in_ms);
        let warm_in_ms = begins_in_ms.saturating_add(ends_ms).saturating_add(unload_ms).saturating_add(own.load_ms);
        let stays_ms = self.queued_ms(model).max(own.load_ms.saturating_add(own.unload_ms).saturating_mul(STAY_TIMES));
        let waited_for = leaving.iter().any(|kept| self.queued_ms(kept.model) > 0);
        let reload_ms: u64 = leaving.iter().filter_map(|kept| costs.of(self.name(kept.model), device)).map(|cost| cost.load_ms).sum();
        let back_in_ms = warm_in_ms.saturating_add(stays_ms).saturating_add(own.unload_ms).saturating_add(reload_ms);
        Some(ForeseenSwap {
            model: self.name(model).to_owned(),
            worker: worker.view.worker,
            leaves: leaving.iter().map(|kept| self.name(kept.model).to_owned()).collect(),
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
