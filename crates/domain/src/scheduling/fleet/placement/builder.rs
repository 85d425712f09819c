//! A plan in the making: what is kept and loaded on each worker so far, and where there is room for one more model.

use super::{
    super::{
        reason::{LoadReason, PlacementReason, UnloadReason},
        view::{LargeDemand, LoadedModel, ModelDemand, ModelState, PlacementInput, WorkerView},
    },
    HYSTERESIS_PERMILLE, ModelUnload, PlacementPlan, PlannedModel, UnmetModel, WorkerPlan,
};
use crate::Timestamp;
use std::collections::{BTreeMap, BTreeSet};

/// A model for which work waits stays for at least so many times what loading and unloading it takes: no more than a fifth of the time
/// goes into swaps, however long the others have waited.
pub(super) const STAY_TIMES: u64 = 4;

/// For what room is sought. It decides what may go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    Pinned,
    Starving {
        oldest_wait_ms: u64,
    },
    Work,
    /// Nothing goes.
    FreeMemory,
}

/// A worker where a model would fit.
#[derive(Debug, Clone)]
pub(super) struct Room {
    /// Of the fleet, by number.
    pub(super) worker: usize,
    memory_bytes: u64,
    /// Of what is kept there, by number, ascending.
    pub(super) victims: Vec<usize>,
    /// Loading, unloading what makes room when its jobs have ended, and loading that again where it is in demand.
    pub(super) swap_ms: u64,
    /// The share of the work that waits for what makes room.
    pub(super) displaced_ms: u64,
    /// Nobody wants what makes room, if anything does.
    pub(super) is_unwanted: bool,
}

impl Room {
    /// What work must be worth to take it.
    pub(super) const fn price_ms(&self) -> u64 {
        self.swap_ms.saturating_add(self.displaced_ms.saturating_mul(HYSTERESIS_PERMILLE) / 1000)
    }

    /// How much may wait for what makes room, where work of so much is worth the swap.
    pub(super) const fn displaced_for(&self, share_ms: u64) -> u64 {
        // In this order nothing overflows that is in milliseconds.
        share_ms.saturating_sub(self.swap_ms).saturating_sub(1).saturating_mul(1000) / HYSTERESIS_PERMILLE
    }
}

pub(super) struct Kept<'a> {
    pub(super) model: usize,
    memory_bytes: u64,
    /// As it is now; otherwise why it is to be loaded.
    pub(super) now: Result<&'a LoadedModel, LoadReason>,
}

pub(super) struct BuiltWorker<'a> {
    pub(super) view: &'a WorkerView,
    pub(super) kept: Vec<Kept<'a>>,
    pub(super) unloads: Vec<ModelUnload>,
}

impl BuiltWorker<'_> {
    fn used_bytes(&self) -> u64 {
        self.kept.iter().map(|kept| kept.memory_bytes).fold(0, u64::saturating_add)
    }
}

/// What is known of a model besides where it is.
struct BuiltModel<'a> {
    name: &'a str,
    queued_ms: u64,
    interactive_ms: u64,
    oldest_wait_ms: u64,
    large: Option<LargeDemand>,
    wanted: bool,
    likely: bool,
    pinned: u32,
    keep_warm_ms: u64,
    /// Workers that have it or are to load it, without those that drain.
    warm: u32,
}

impl BuiltModel<'_> {
    /// What the `n`-th worker that has it is worth.
    fn share_ms(&self, n: u32) -> u64 {
        self.queued_ms / u64::from(n.max(1))
    }
}

pub(super) struct PlanBuilder<'a> {
    pub(super) input: PlacementInput<'a>,
    pub(super) workers: Vec<BuiltWorker<'a>>,
    /// Workers that are starting and will take jobs of some model, by number.
    pub(super) counted_on: BTreeSet<usize>,
    /// By name.
    models: Vec<BuiltModel<'a>>,
}

impl<'a> PlanBuilder<'a> {
    /// What is there is kept.
    pub(super) fn new(input: PlacementInput<'a>, likely: BTreeSet<&'a str>) -> Self {
        let loaded = input.fleet.workers.iter().flat_map(|worker| &worker.models).map(|loaded| loaded.model.as_str());
        let wanted = input.demand.models.iter().map(|demand| demand.model.as_str());
        let pinned = input.policy.models.keys().map(String::as_str);
        let names: BTreeSet<&str> = loaded.chain(wanted).chain(pinned).chain(likely.iter().copied()).collect();
        let models = names.into_iter().map(|name| {
            let (demand, policy) = (input.demand.of(name), input.policy.of(name));
            BuiltModel {
                name,
                queued_ms: demand.map_or(0, ModelDemand::queued_ms),
                interactive_ms: demand.map_or(0, |demand| demand.interactive_ms),
                oldest_wait_ms: demand.and_then(|demand| demand.oldest_wait_ms).unwrap_or(0),
                large: demand.and_then(|demand| demand.large),
                wanted: input.demand.wants(name),
                likely: likely.contains(name),
                pinned: policy.pinned_workers,
                keep_warm_ms: policy.keep_warm_ms,
                warm: 0,
            }
        });
        let mut builder = Self { input, workers: Vec::new(), counted_on: BTreeSet::new(), models: models.collect() };
        for view in &input.fleet.workers {
            let mut kept = Vec::new();
            for loaded in &view.models {
                let Some(model) = builder.number(&loaded.model) else { continue };
                builder.models[model].warm += u32::from(!view.draining);
                kept.push(Kept { model, memory_bytes: loaded.memory_bytes, now: Ok(loaded) });
            }
            builder.workers.push(BuiltWorker { view, kept, unloads: Vec::new() });
        }
        builder
    }

    pub(super) fn models(&self) -> std::ops::Range<usize> {
        0..self.models.len()
    }

    pub(super) fn number(&self, name: &str) -> Option<usize> {
        self.models.binary_search_by(|model| model.name.cmp(name)).ok()
    }

    pub(super) fn name(&self, model: usize) -> &'a str {
        self.models[model].name
    }

    pub(super) fn warm(&self, model: usize) -> u32 {
        self.models[model].warm
    }

    pub(super) fn pinned(&self, model: usize) -> u32 {
        self.models[model].pinned
    }

    pub(super) fn queued_ms(&self, model: usize) -> u64 {
        self.models[model].queued_ms
    }

    pub(super) fn interactive_ms(&self, model: usize) -> u64 {
        self.models[model].interactive_ms
    }

    /// What one more worker would be worth to it.
    pub(super) fn next_share_ms(&self, model: usize) -> u64 {
        self.models[model].share_ms(self.models[model].warm.saturating_add(1))
    }

    pub(super) fn oldest_wait_ms(&self, model: usize) -> u64 {
        self.models[model].oldest_wait_ms
    }

    /// How long the oldest job waits of a model that waits for too long.
    pub(super) fn starving_ms(&self, model: usize) -> Option<u64> {
        let model = &self.models[model];
        (model.queued_ms > 0 && model.oldest_wait_ms > self.wait_max_ms()).then_some(model.oldest_wait_ms)
    }

    pub(super) fn wait_max_ms(&self) -> u64 {
        self.input.policy.wait_max_ms
    }

    /// Drops what was not used for as long as it is kept warm, the longest unused first. What is pinned or likely to be used next stays,
    /// and so does what its share of the waiting work would bring back.
    pub(super) fn unload_idle(&mut self) {
        let mut idle = Vec::new();
        for (at, worker) in self.workers.iter().enumerate().filter(|(_, worker)| !worker.view.draining) {
            for (kept, loaded) in worker.kept.iter().filter_map(|kept| Some((kept, kept.now.as_ref().ok()?))) {
                let idle_ms = self.input.now.ms_since(loaded.used_at);
                if loaded.is_warm() && loaded.running == 0 && idle_ms >= self.models[kept.model].keep_warm_ms {
                    idle.push((std::cmp::Reverse(idle_ms), worker.view.worker, at, kept.model));
                }
            }
        }
        idle.sort_unstable();
        for (std::cmp::Reverse(idle_ms), _, at, number) in idle {
            let model = &self.models[number];
            let load_ms = self.input.costs.of(model.name, &self.workers[at].view.device_kind).map_or(0, |cost| cost.load_ms);
            let needed = model.pinned.max(u32::from(model.likely || model.queued_ms > 0));
            if model.warm > needed && model.share_ms(model.warm) <= load_ms && self.only_large(at, number).is_none() {
                let reason = UnloadReason::Idle { idle_ms, keep_warm_ms: model.keep_warm_ms };
                self.drop_model(at, number, reason);
            }
        }
    }

    /// Where models take more memory than they may, what makes room first goes, and what is pinned last.
    pub(super) fn unload_over_memory(&mut self) {
        for at in 0..self.workers.len() {
            let max_bytes = self.workers[at].view.memory_max_bytes();
            while !self.workers[at].view.draining && self.workers[at].used_bytes() > max_bytes {
                let used_bytes = self.workers[at].used_bytes();
                let kept = &self.workers[at].kept;
                let order = |kept: &Kept<'a>| (self.models[kept.model].warm <= self.models[kept.model].pinned, self.victim_order(kept));
                let Some(first) = (0..kept.len()).min_by_key(|at| order(&kept[*at])) else { break };
                let model = self.workers[at].kept[first].model;
                self.drop_model(at, model, UnloadReason::OverMemory { used_bytes, max_bytes });
            }
        }
    }

    /// What waits for a larger device than those that have its model or are to load it.
    pub(super) fn unmet_large(&self, model: usize) -> Option<LargeDemand> {
        self.models[model].large.filter(|large| self.large_with(model, *large).next().is_none())
    }

    /// What waits for a device of some size, where no other than this worker has the model and is as large.
    fn only_large(&self, worker: usize, model: usize) -> Option<LargeDemand> {
        self.models[model].large.filter(|large| self.large_with(model, *large).eq([worker]))
    }

    fn large_with(&self, model: usize, large: LargeDemand) -> impl Iterator<Item = usize> {
        let has_it = move |worker: &BuiltWorker<'a>| {
            let is_large = !worker.view.draining && worker.view.is_large_enough(large);
            is_large && worker.kept.iter().any(|kept| kept.model == model)
        };
        self.workers.iter().enumerate().filter(move |(_, worker)| has_it(worker)).map(|(at, _)| at)
    }

    /// The worker where a model costs least, then the fastest for it, then the one with the least other work, then the first by id.
    pub(super) fn cheapest_room(&self, model: usize, purpose: Purpose) -> Option<Room> {
        self.cheapest_room_on(model, purpose, 0)
    }

    /// The same, of the workers with a device of so many bytes or more.
    pub(super) fn cheapest_room_on(&self, model: usize, purpose: Purpose, device_bytes: u64) -> Option<Room> {
        let is_large_enough = |at: &usize| self.workers[*at].view.memory_total_bytes >= device_bytes;
        let rooms = (0..self.workers.len()).filter(is_large_enough).filter_map(|at| self.room_on(at, model, purpose));
        rooms.min_by_key(|room| {
            let worker = &self.workers[room.worker];
            let pace = self.input.costs.of(self.name(model), &worker.view.device_kind).map(|cost| cost.device_ms_per_video_second);
            let other_work: u64 = worker.kept.iter().map(|kept| self.share_ms(kept)).fold(0, u64::saturating_add);
            (room.price_ms(), pace, other_work, worker.view.worker)
        })
    }

    fn room_on(&self, at: usize, model: usize, purpose: Purpose) -> Option<Room> {
        let worker = &self.workers[at];
        let has_it = worker.kept.iter().any(|kept| kept.model == model);
        let has_left = worker.unloads.iter().any(|unload| unload.model == self.name(model));
        if worker.view.draining || has_it || has_left || !worker.view.can_serve(self.name(model)) {
            return None;
        }
        let cost = self.input.costs.of(self.name(model), &worker.view.device_kind)?;
        let has_failed = worker.view.failed.iter().any(|failed| failed == self.name(model));
        let purpose = if has_failed { Purpose::FreeMemory } else { purpose };
        let free_bytes = worker.view.memory_max_bytes().saturating_sub(worker.used_bytes());
        let memory_bytes = cost.memory_bytes;
        let victims = self.victims((at, worker), purpose, memory_bytes.saturating_sub(free_bytes))?;
        let (mut swap_ms, mut displaced_ms, mut is_unwanted) = (cost.load_ms, 0_u64, true);
        for kept in victims.iter().map(|at| &worker.kept[*at]) {
            let (model, running_left_ms) = (&self.models[kept.model], kept.now.as_ref().map_or(0, |loaded| loaded.running_left_ms));
            let cost = self.input.costs.of(model.name, &worker.view.device_kind);
            let reload_ms = cost.map_or(0, |cost| cost.unload_ms + if model.wanted { cost.load_ms } else { 0 });
            swap_ms = swap_ms.saturating_add(running_left_ms).saturating_add(reload_ms);
            displaced_ms = displaced_ms.saturating_add(self.share_ms(kept));
            is_unwanted &= !model.wanted && kept.now.as_ref().is_ok_and(|loaded| loaded.running == 0);
        }
        Some(Room { worker: at, memory_bytes, victims, swap_ms, displaced_ms, is_unwanted })
    }

    /// What goes to free so many bytes; `None`: not enough may go. Nothing goes that is not needed for it.
    fn victims(&self, (number, worker): (usize, &BuiltWorker<'a>), purpose: Purpose, needed_bytes: u64) -> Option<Vec<usize>> {
        if needed_bytes == 0 {
            return Some(Vec::new());
        }
        let mut may_go: Vec<usize> =
            (0..worker.kept.len()).filter(|at| self.may_go((number, worker), &worker.kept[*at], purpose)).collect();
        may_go.sort_by_key(|at| self.victim_order(&worker.kept[*at]));
        let (mut freed, mut victims) = (0_u64, Vec::new());
        for at in may_go {
            if freed >= needed_bytes {
                break;
            }
            freed += worker.kept[at].memory_bytes;
            victims.push(at);
        }
        if freed < needed_bytes {
            return None;
        }
        for at in victims.clone().into_iter().rev() {
            if freed - worker.kept[at].memory_bytes >= needed_bytes {
                freed -= worker.kept[at].memory_bytes;
                victims.retain(|victim| *victim != at);
            }
        }
        victims.sort_unstable();
        Some(victims)
    }

    /// What nobody wants goes first, then what has no job running, and of those the least recently used.
    fn victim_order(&self, kept: &Kept<'a>) -> (bool, bool, Option<Timestamp>, usize) {
        let loaded = kept.now.as_ref().ok();
        (self.models[kept.model].wanted, loaded.is_none_or(|loaded| loaded.running > 0), loaded.map(|loaded| loaded.used_at), kept.model)
    }

    fn may_go(&self, (number, worker): (usize, &BuiltWorker<'a>), kept: &Kept<'a>, purpose: Purpose) -> bool {
        let (model, Ok(loaded)) = (&self.models[kept.model], &kept.now) else { return false };
        if purpose == Purpose::FreeMemory || !loaded.is_warm() || model.warm <= model.pinned {
            return false;
        }
        if purpose == Purpose::Pinned {
            return true;
        }
        let cost = self.input.costs.of(model.name, &worker.view.device_kind);
        let stay_ms = cost.map_or(0, |cost| (cost.load_ms + cost.unload_ms).saturating_mul(STAY_TIMES));
        let has_stayed = model.queued_ms == 0 || self.input.now.ms_since(loaded.since) >= stay_ms;
        let waits_longer = |than_ms: u64| matches!(purpose, Purpose::Starving { oldest_wait_ms } if oldest_wait_ms > than_ms);
        let is_needed_here = self.only_large(number, kept.model).is_some_and(|large| !waits_longer(large.oldest_wait_ms));
        has_stayed && !is_needed_here && (model.warm > 1 || self.starving_ms(kept.model).is_none_or(waits_longer))
    }

    fn share_ms(&self, kept: &Kept<'a>) -> u64 {
        let model = &self.models[kept.model];
        model.share_ms(model.warm)
    }

    pub(super) fn load(&mut self, model: usize, room: Room, reason: LoadReason) {
        let (at, name, memory_bytes) = (room.worker, self.name(model), room.memory_bytes);
        let leaving: Vec<usize> = room.victims.iter().map(|kept| self.workers[at].kept[*kept].model).collect();
        for victim in leaving {
            self.drop_model(at, victim, UnloadReason::MakesRoom { model: name.to_owned(), because: reason.clone() });
        }
        self.workers[at].kept.push(Kept { model, memory_bytes, now: Err(reason) });
        self.models[model].warm += 1;
    }

    fn drop_model(&mut self, at: usize, model: usize, reason: UnloadReason) {
        let name = self.name(model).to_owned();
        let worker = &mut self.workers[at];
        worker.kept.retain(|kept| kept.model != model);
        worker.unloads.push(ModelUnload { model: name, reason });
        self.models[model].warm = self.models[model].warm.saturating_sub(1);
    }

    /// `likely`: after what a model comes, and how likely, in thousandths.
    pub(super) fn finish(self, likely: &BTreeMap<&str, (&str, u64)>, unmet: Vec<UnmetModel>) -> PlacementPlan {
        let workers = self.workers.iter().map(|worker| {
            let planned =
                |kept: &Kept<'a>| PlannedModel { model: self.name(kept.model).to_owned(), reason: self.reason(worker, kept, likely) };
            let mut models: Vec<PlannedModel> = worker.kept.iter().map(planned).collect();
            models.sort_by(|a, b| a.model.cmp(&b.model));
            WorkerPlan { worker: worker.view.worker, models, unloads: worker.unloads.clone() }
        });
        PlacementPlan { workers: workers.collect(), unmet }
    }

    /// Why a model is on a worker.
    fn reason(&self, worker: &BuiltWorker<'a>, kept: &Kept<'a>, likely: &BTreeMap<&str, (&str, u64)>) -> PlacementReason {
        let model = &self.models[kept.model];
        let loaded = match &kept.now {
            Err(reason) => return PlacementReason::Load(reason.clone()),
            Ok(loaded) => loaded,
        };
        if worker.view.draining {
            return PlacementReason::Draining;
        }
        match (loaded.state, likely.get(model.name)) {
            (ModelState::Loading { permille }, _) => PlacementReason::Loading { permille },
            _ if model.warm <= model.pinned => PlacementReason::Pinned { workers: model.pinned },
            _ if model.queued_ms > 0 => PlacementReason::InDemand { queued_ms: model.queued_ms },
            _ if loaded.running > 0 => PlacementReason::Running { jobs: loaded.running },
            (_, Some((after, permille))) => PlacementReason::LikelyNext { after: (*after).to_owned(), permille: *permille },
            _ => PlacementReason::RecentlyUsed { idle_ms: self.input.now.ms_since(loaded.used_at), keep_warm_ms: model.keep_warm_ms },
        }
    }
}
