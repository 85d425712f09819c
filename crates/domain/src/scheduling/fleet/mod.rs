//! Rules for a fleet of workers: which model is warm where, and how many there are.
//!
//! Nothing that runs in a browser calls any of it.

mod capacity;
mod duration;
mod follow;
mod placement;
mod queueing;
mod reason;
mod scaling;
#[cfg(test)]
mod testing;
mod view;
mod week;

pub use capacity::{
    BreakEven, CapacityError, CapacityInput, CapacityPlan, CostPoint, FleetKind, MixEntry, OnDemand, WORKERS_MAX, break_even, plan_capacity,
};
pub use follow::FollowTable;
pub use placement::{ForeseenSwap, ModelUnload, PlacementPlan, PlannedModel, UnmetModel, WorkerPlan, foresee, plan};
pub use queueing::{Station, WaitPoint, erlang_b, erlang_c};
pub use reason::{LoadReason, PlacementReason, UnloadReason, UnmetReason};
pub use scaling::{
    Decision, ProvisionRequest, ScalingChange, ScalingHistory, ScalingLimits, ScalingReason, ScalingView, ScalingWorker, decide,
};
pub use view::{
    Costs, DemandView, FleetView, LargeDemand, LoadedModel, MEMORY_MAX_PERMILLE, ModelCost, ModelDemand, ModelPolicy, ModelState,
    NEVER_IDLE_MS, PlacementInput, PlacementPolicy, StartingWorker, WorkerView, memory_max_bytes,
};
pub use week::WeekForecast;
