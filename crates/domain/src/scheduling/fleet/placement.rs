//! Which models should be warm on which worker: the list that each worker converges to.
//!
//! The plan starts from what is loaded and changes as little as it can, in this order: what is idle for too long goes; pins are kept; a
//! model whose jobs have waited for too long gets a worker, and one whose jobs wait for a larger device such a one; work that waits is worth
//! its load or its swap; what is likely next fills free memory. What could not be loaded somewhere is no reason for anything to go there. Within memory it is least recently used first.
//!
//! **Why it comes to rest.** The `k`-th worker of a model is worth `queued work / k`: its share of what waits. A swap happens only if
//! what comes is worth more than what goes and the swap together, so under the same demand each change raises the sum of all shares,
//! which has an upper bound. Pins come before that sum, and models that have waited too long, those with the longest wait first.

mod builder;
mod foresee;
#[cfg(test)]
mod tests;
mod ways;

use super::{
    reason::{LoadReason, PlacementReason, UnloadReason, UnmetReason},
    view::{LargeDemand, PlacementInput},
};
use crate::WorkerId;
use builder::{PlanBuilder, Purpose, Room};
pub use foresee::ForeseenSwap;
use serde::Serialize;
use std::collections::BTreeMap;
use ways::Way;

/// What makes room must be worth so much less, in thousandths, so that two models that are as much in demand do not take turns.
const HYSTERESIS_PERMILLE: u64 = 1250;

/// For each worker its models, and what could not be done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlacementPlan {
    /// In the order of the fleet.
    pub workers: Vec<WorkerPlan>,
    pub unmet: Vec<UnmetModel>,
}

/// What a worker converges to: it takes no more jobs of a model that is to be unloaded, unloads it when those that run have ended, and
/// loads what is missing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WorkerPlan {
    pub worker: WorkerId,
    /// By name.
    pub models: Vec<PlannedModel>,
    pub unloads: Vec<ModelUnload>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlannedModel {
    pub model: String,
    pub reason: PlacementReason,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ModelUnload {
    pub model: String,
    pub reason: UnloadReason,
}

/// A model that should be warm on more workers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UnmetModel {
    pub model: String,
    pub reason: UnmetReason,
}

/// Which models should be warm on which worker, and why. The same input gives the same plan.
#[must_use]
pub fn plan(input: PlacementInput<'_>) -> PlacementPlan {
    let likely = likely_models(input);
    let (builder, unmet) = build(input, &likely);
    builder.finish(&likely.iter().map(|next| (next.model, (next.after, next.permille))).collect(), unmet)
}

/// The swaps that will follow the plan of now, if nothing else comes.
#[must_use]
pub fn foresee(input: PlacementInput<'_>) -> Vec<ForeseenSwap> {
    foresee::foresee(&build(input, &likely_models(input)).0)
}

fn build<'a>(input: PlacementInput<'a>, likely: &[Likely<'a>]) -> (PlanBuilder<'a>, Vec<UnmetModel>) {
    let mut builder = PlanBuilder::new(input, likely.iter().map(|next| next.model).collect());
    let mut unmet = Vec::new();
    builder.unload_idle();
    builder.unload_over_memory();
    keep_pins(&mut builder, &mut unmet);
    end_starvation(&mut builder, &mut unmet);
    meet_large(&mut builder, &mut unmet);
    meet_demand(&mut builder, &mut unmet);
    for next in likely {
        prefetch(&mut builder, next);
    }
    (builder, unmet)
}

/// A model that usually follows one that is in use.
struct Likely<'a> {
    model: &'a str,
    after: &'a str,
    permille: u64,
}

/// The most likely first.
fn likely_models(input: PlacementInput<'_>) -> Vec<Likely<'_>> {
    let mut likely: BTreeMap<&str, Likely> = BTreeMap::new();
    let mut used: Vec<&str> = input.demand.models.iter().map(|demand| demand.model.as_str()).collect();
    used.sort_unstable();
    for after in used.into_iter().filter(|model| input.demand.wants(model)) {
        let Some((model, permille)) = input.follow.likely_after(after) else { continue };
        let known = likely.get(model).map_or(0, |next| next.permille);
        if permille >= input.policy.prefetch_permille && permille > known {
            likely.insert(model, Likely { model, after, permille });
        }
    }
    let mut likely: Vec<Likely> = likely.into_values().collect();
    likely.sort_by_key(|next| (std::cmp::Reverse(next.permille), next.model));
    likely
}

fn keep_pins(builder: &mut PlanBuilder<'_>, unmet: &mut Vec<UnmetModel>) {
    for model in builder.models() {
        let wanted = builder.pinned(model);
        while builder.warm(model) < wanted {
            let warm = builder.warm(model);
            let Some(room) = builder.cheapest_room(model, Purpose::Pinned) else {
                unmet.push(UnmetModel { model: builder.name(model).to_owned(), reason: UnmetReason::NoRoom { warm, wanted } });
                break;
            };
            builder.load(model, room, LoadReason::Pinned { warm, workers: wanted });
        }
    }
}

/// The one that has waited longest first.
fn end_starvation(builder: &mut PlanBuilder<'_>, unmet: &mut Vec<UnmetModel>) {
    let mut starving: Vec<(u64, usize)> = builder.models().filter_map(|model| Some((builder.starving_ms(model)?, model))).collect();
    starving.sort_by_key(|(wait_ms, model)| (std::cmp::Reverse(*wait_ms), *model));
    for (oldest_wait_ms, model) in starving {
        if builder.warm(model) > 0 {
            continue;
        }
        match builder.cheapest_room(model, Purpose::Starving { oldest_wait_ms }) {
            Some(room) => {
                let swap_ms = room.swap_ms;
                builder.load(model, room, LoadReason::Starving { oldest_wait_ms, wait_max_ms: builder.wait_max_ms(), swap_ms });
            }
            None => unmet.push(UnmetModel { model: builder.name(model).to_owned(), reason: UnmetReason::NoRoom { warm: 0, wanted: 1 } }),
        }
    }
}

/// Jobs that smaller devices leave to larger ones are worth a load there of their own.
fn meet_large(builder: &mut PlanBuilder<'_>, unmet: &mut Vec<UnmetModel>) {
    for model in builder.models() {
        let Some(LargeDemand { needs_bytes, queued_ms, oldest_wait_ms }) = builder.unmet_large(model) else { continue };
        let is_starving = oldest_wait_ms > builder.wait_max_ms();
        let purpose = if is_starving { Purpose::Starving { oldest_wait_ms } } else { Purpose::Work };
        let reason = match builder.cheapest_room_on(model, purpose, needs_bytes) {
            Some(room) if is_starving || room.is_unwanted || queued_ms > room.price_ms() => {
                let reason = LoadReason::LargerDevice { needs_bytes, queued_ms, swap_ms: room.swap_ms };
                builder.load(model, room, reason);
                continue;
            }
            Some(Room { swap_ms, displaced_ms, .. }) => UnmetReason::NotWorthSwap { share_ms: queued_ms, swap_ms, displaced_ms },
            None => UnmetReason::NoRoom { warm: 0, wanted: 1 },
        };
        unmet.push(UnmetModel { model: builder.name(model).to_owned(), reason });
    }
}

/// The model with the largest share first, until no load is worth its costs.
fn meet_demand(builder: &mut PlanBuilder<'_>, unmet: &mut Vec<UnmetModel>) {
    let mut open: Vec<usize> = builder.models().filter(|model| builder.queued_ms(*model) > 0).collect();
    while let Some(at) =
        (0..open.len()).max_by_key(|at| (builder.next_share_ms(open[*at]), builder.interactive_ms(open[*at]), std::cmp::Reverse(open[*at])))
    {
        let model = open[at];
        let reason = match builder.cheapest_room(model, Purpose::Work) {
            None => UnmetReason::NoRoom { warm: 0, wanted: 1 },
            Some(room) => match worth(builder, model, &room) {
                Ok(reason) => {
                    builder.load(model, room, reason);
                    continue;
                }
                Err(reason) => reason,
            },
        };
        open.swap_remove(at);
        if builder.warm(model) == 0 && builder.starving_ms(model).is_none() {
            unmet.push(UnmetModel { model: builder.name(model).to_owned(), reason });
        }
    }
    unmet.sort_by(|a, b| a.model.cmp(&b.model));
}

/// Whether work that waits is worth a load there. Where nothing but what nobody wants makes room, the first worker of a model always is.
fn worth(builder: &mut PlanBuilder<'_>, model: usize, room: &Room) -> Result<LoadReason, UnmetReason> {
    let (share_ms, swap_ms, displaced_ms) = (builder.next_share_ms(model), room.swap_ms, room.displaced_ms);
    match builder.ways(model, room).best() {
        Way::Load => {}
        Way::Warm | Way::Wait => return Err(UnmetReason::NotWorthSwap { share_ms, swap_ms, displaced_ms }),
        Way::Starting { ready_in_ms, load_ms } => {
            builder.count_on_starting(model);
            return Err(UnmetReason::WorkerStarts { ready_in_ms, load_ms, swap_ms });
        }
    }
    if builder.warm(model) == 0 && room.is_unwanted {
        return Ok(LoadReason::NowhereWarm { queued_ms: share_ms, load_ms: swap_ms });
    }
    let is_swap = !room.victims.is_empty();
    Ok(if is_swap { LoadReason::Swap { share_ms, swap_ms, displaced_ms } } else { LoadReason::Share { share_ms, load_ms: swap_ms } })
}

fn prefetch(builder: &mut PlanBuilder<'_>, next: &Likely<'_>) {
    let Some(model) = builder.number(next.model) else { return };
    if builder.warm(model) == 0
        && let Some(room) = builder.cheapest_room(model, Purpose::FreeMemory)
    {
        builder.load(model, room, LoadReason::LikelyNext { after: next.after.to_owned(), permille: next.permille });
    }
}
