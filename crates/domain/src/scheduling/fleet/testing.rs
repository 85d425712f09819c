//! A small fleet for tests: every model takes ten seconds to load, one to unload, and the memory that it is given.

use super::{
    follow::FollowTable,
    view::{
        Costs, DemandView, FleetView, LoadedModel, ModelCost, ModelDemand, ModelPolicy, ModelState, PlacementInput, PlacementPolicy,
        StartingWorker, WorkerView,
    },
};
use crate::{Timestamp, WorkerId};
use uuid::Uuid;

pub const GB: u64 = 1_000_000_000;
pub const MODELS: [&str; 4] = ["a", "b", "c", "d"];
/// More jobs than a fleet has room for.
const MANY: u64 = 1000;
const NOW: Timestamp = Timestamp::from_ms(1_000_000_000);

pub fn id(n: u128) -> WorkerId {
    WorkerId::from_uuid(Uuid::from_u128(n))
}

/// Warm for an hour and used just now.
pub fn loaded(model: &str, gb: u64) -> LoadedModel {
    LoadedModel {
        model: model.to_owned(),
        memory_bytes: gb * GB,
        state: ModelState::Warm,
        since: NOW.plus_ms(-3_600_000),
        used_at: NOW,
        running: 0,
        running_left_ms: 0,
    }
}

/// Idle, with four slots and 80 GB.
pub fn worker(n: u128, models: Vec<LoadedModel>) -> WorkerView {
    WorkerView {
        worker: id(n),
        device_kind: "h100".to_owned(),
        memory_total_bytes: 80 * GB,
        models,
        servable: MODELS.map(str::to_owned).to_vec(),
        failed: Vec::new(),
        slots_free: 4,
        draining: false,
    }
}

#[derive(Debug)]
pub struct Scene {
    pub fleet: FleetView,
    pub demand: DemandView,
    pub costs: Costs,
    pub policy: PlacementPolicy,
    pub follow: FollowTable,
    pub now: Timestamp,
}

impl Default for Scene {
    /// Models of 30 GB: two fit a worker.
    fn default() -> Self {
        let mut costs = Costs::default();
        let cost = ModelCost { load_ms: 10_000, unload_ms: 1000, memory_bytes: 30 * GB, device_ms_per_video_second: 5000 };
        MODELS.iter().for_each(|model| costs.set(model, "h100", cost));
        let (fleet, demand, follow) = Default::default();
        let policy = PlacementPolicy { wait_max_ms: 10 * 60_000, ..PlacementPolicy::default() };
        Self { fleet, demand, costs, policy, follow, now: NOW }
    }
}

impl Scene {
    pub fn input(&self) -> PlacementInput<'_> {
        let Self { fleet, demand, costs, policy, follow, now } = self;
        PlacementInput { fleet, demand, costs, policy, follow, now: *now }
    }

    pub fn demand(&mut self, model: &str, queued_ms: u64, oldest_wait_ms: Option<u64>) {
        self.demand.models.retain(|demand| demand.model != model);
        let demand =
            ModelDemand { model: model.to_owned(), jobs: MANY, interactive_ms: queued_ms, oldest_wait_ms, ..ModelDemand::default() };
        self.demand.models.push(demand);
    }

    pub fn pin(&mut self, model: &str, pinned_workers: u32) {
        self.policy.models.insert(model.to_owned(), ModelPolicy { pinned_workers, ..ModelPolicy::default() });
    }

    /// Another worker is starting.
    pub fn starts(&mut self, ready_in_ms: u64) {
        let servable = MODELS.map(str::to_owned).to_vec();
        self.fleet.starting.push(StartingWorker { device_kind: "h100".to_owned(), ready_in_ms, servable });
    }
}
