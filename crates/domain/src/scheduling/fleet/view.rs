//! What the rules for a fleet look at: workers with the models in their memory, what waits for each model, and what loading has been
//! measured to cost. Times are milliseconds, memory is bytes.

use super::follow::FollowTable;
use crate::{Timestamp, WorkerId};
use std::collections::BTreeMap;

/// No placement fills more of a device's memory, in thousandths: the rest is for what a job needs while it runs.
pub const MEMORY_MAX_PERMILLE: u64 = 950;

/// What models may take of a device's memory, of so many bytes in all.
#[must_use]
pub const fn memory_max_bytes(total_bytes: u64) -> u64 {
    // In two parts, so that nothing overflows.
    total_bytes / 1000 * MEMORY_MAX_PERMILLE + total_bytes % 1000 * MEMORY_MAX_PERMILLE / 1000
}

/// All that a decision of placement depends on.
#[derive(Debug, Clone, Copy)]
pub struct PlacementInput<'a> {
    pub fleet: &'a FleetView,
    pub demand: &'a DemandView,
    pub costs: &'a Costs,
    pub policy: &'a PlacementPolicy,
    pub follow: &'a FollowTable,
    pub now: Timestamp,
}

/// The workers that are there, and those that are starting.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FleetView {
    pub workers: Vec<WorkerView>,
    pub starting: Vec<StartingWorker>,
}

/// A worker process with its device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkerView {
    pub worker: WorkerId,
    pub device_kind: String,
    pub memory_total_bytes: u64,
    /// The models that take up its memory.
    pub models: Vec<LoadedModel>,
    /// All that it can load, those in memory included.
    pub servable: Vec<String>,
    /// Of those, what could not be loaded lately: nothing makes room for it.
    pub failed: Vec<String>,
    /// Jobs that it may take now beside those that run.
    pub slots_free: u32,
    /// Takes no more jobs and ends.
    pub draining: bool,
}

/// A model in the memory of a device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadedModel {
    pub model: String,
    pub memory_bytes: u64,
    pub state: ModelState,
    /// When it was warm first. While it loads: when that began.
    pub since: Timestamp,
    /// When a job of it last ran or it was loaded, whichever is later.
    pub used_at: Timestamp,
    /// Its jobs that run here.
    pub running: u32,
    /// Until those have ended.
    pub running_left_ms: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModelState {
    Warm,
    /// So many thousandths are done.
    Loading {
        permille: u32,
    },
}

/// A worker that was asked for and is not there yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StartingWorker {
    pub device_kind: String,
    /// Until it takes jobs, before any model is loaded.
    pub ready_in_ms: u64,
    pub servable: Vec<String>,
}

/// What waits for the models. Of those that are left out nothing does.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DemandView {
    pub models: Vec<ModelDemand>,
}

/// What waits for a model. Work is device time, in milliseconds of the fastest kind of device that was measured with it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ModelDemand {
    pub model: String,
    /// How many jobs wait.
    pub jobs: u64,
    pub interactive_ms: u64,
    pub batch_ms: u64,
    /// How long the job has waited that has waited longest; `None`: none waits.
    pub oldest_wait_ms: Option<u64>,
    /// Work that came lately, over a time that the caller chooses and is the same for all.
    pub arrived_ms: u64,
    /// The part of what waits that a smaller device is not given.
    pub large: Option<LargeDemand>,
}

/// What waits for a device of some size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LargeDemand {
    /// Of the memory of the device.
    pub needs_bytes: u64,
    pub queued_ms: u64,
    /// How long the job has waited that has waited longest.
    pub oldest_wait_ms: u64,
}

impl ModelDemand {
    #[must_use]
    pub const fn queued_ms(&self) -> u64 {
        self.interactive_ms.saturating_add(self.batch_ms)
    }
}

/// What was measured of a model on a kind of device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModelCost {
    pub load_ms: u64,
    pub unload_ms: u64,
    pub memory_bytes: u64,
    pub device_ms_per_video_second: u64,
}

/// What was measured, by model and kind of device. Without an entry a model is never placed on that kind: of what was never loaded, the
/// caller enters what the size of its weights suggests.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Costs {
    by_model: BTreeMap<String, BTreeMap<String, ModelCost>>,
}

impl Costs {
    pub fn set(&mut self, model: &str, device_kind: &str, cost: ModelCost) {
        self.by_model.entry(model.to_owned()).or_default().insert(device_kind.to_owned(), cost);
    }

    #[must_use]
    pub fn of(&self, model: &str, device_kind: &str) -> Option<&ModelCost> {
        self.by_model.get(model)?.get(device_kind)
    }
}

/// What the operator says of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModelPolicy {
    /// On so many workers it is always warm.
    pub pinned_workers: u32,
    /// How long it stays warm where nobody uses it; [`NEVER_IDLE_MS`]: until its memory is needed.
    pub keep_warm_ms: u64,
}

/// A time to keep warm that never ends.
pub const NEVER_IDLE_MS: u64 = u64::MAX;

impl Default for ModelPolicy {
    fn default() -> Self {
        Self { pinned_workers: 0, keep_warm_ms: 15 * 60_000 }
    }
}

/// What the operator says of placement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlacementPolicy {
    pub models: BTreeMap<String, ModelPolicy>,
    /// A model whose oldest job has waited for longer gets a worker whatever the swap costs.
    pub wait_max_ms: u64,
    /// From which probability on the likely next model is loaded ahead, in thousandths.
    pub prefetch_permille: u64,
}

impl Default for PlacementPolicy {
    fn default() -> Self {
        Self { models: BTreeMap::new(), wait_max_ms: 2 * 60_000, prefetch_permille: 300 }
    }
}

impl PlacementPolicy {
    #[must_use]
    pub fn of(&self, model: &str) -> ModelPolicy {
        self.models.get(model).copied().unwrap_or_default()
    }
}

impl WorkerView {
    /// What placements may use of its memory.
    #[must_use]
    pub const fn memory_max_bytes(&self) -> u64 {
        memory_max_bytes(self.memory_total_bytes)
    }

    #[must_use]
    pub fn loaded(&self, model: &str) -> Option<&LoadedModel> {
        self.models.iter().find(|loaded| loaded.model == model)
    }

    pub(super) fn is_large_enough(&self, large: LargeDemand) -> bool {
        !self.draining && self.memory_total_bytes >= large.needs_bytes
    }

    pub(super) fn can_serve(&self, model: &str) -> bool {
        self.servable.iter().any(|served| served == model)
    }
}

impl LoadedModel {
    #[must_use]
    pub fn is_warm(&self) -> bool {
        self.state == ModelState::Warm
    }
}

impl DemandView {
    #[must_use]
    pub fn of(&self, model: &str) -> Option<&ModelDemand> {
        self.models.iter().find(|demand| demand.model == model)
    }

    /// Whether work waits for a model, or came lately.
    pub(super) fn wants(&self, model: &str) -> bool {
        self.of(model).is_some_and(|demand| demand.queued_ms() > 0 || demand.arrived_ms > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_twentieth_of_the_memory_is_left_free() {
        let worker = |memory_total_bytes| WorkerView {
            worker: WorkerId::from_uuid(uuid::Uuid::nil()),
            device_kind: String::new(),
            memory_total_bytes,
            models: Vec::new(),
            servable: Vec::new(),
            failed: Vec::new(),
            slots_free: 0,
            draining: false,
        };
        assert_eq!([0, 999, 80_000, u64::MAX].map(|total| worker(total).memory_max_bytes() <= total), [true; 4]);
        assert_eq!(worker(80_000).memory_max_bytes(), 76_000);
    }
}
