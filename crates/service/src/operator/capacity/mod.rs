//! What a fleet does with what comes to it: by the formulas of the planner, and as the simulator has it beside them.

mod live;
mod question;
mod rates;
mod simulated;

pub(super) use live::Lately;
pub use live::{Guess, LiveCapacity};
pub use question::{CAPACITY_ROWS_MAX, CAPACITY_WORKERS_MAX, CapacityField, CapacityProblem, CapacityQuestion, ModelMix};
pub use rates::{RatesError, RatesSaid};
pub use simulated::{BEGUN_WITHIN_MS, NotSimulated, SIMULATED_JOBS, SIMULATED_WORKERS_MAX, SimulatedWaits};

use crate::{AccessError, Services};
use domain::{
    Actor, Forbidden, Permission,
    scheduling::fleet::{BreakEven, CapacityError, CapacityPlan, ScalingLimits, WaitPoint, break_even, plan_capacity},
};
use serde::Serialize;
use store::StoreError;

/// The utilisation at which workers are added, in thousandths.
#[must_use]
pub fn knee_permille() -> u64 {
    ScalingLimits::default().knee_permille
}

/// How many jobs begin in time at one load.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BegunAt {
    /// The part of the workers' time that is filled.
    pub utilisation: f64,
    /// Of 1, the parts that begin within each of [`BEGUN_WITHIN_MS`], by the formula. `None`: the queue grows for ever.
    pub formula: Option<[f64; 4]>,
    /// The same as it was simulated, at the loads that were.
    pub simulated: Option<[f64; 4]>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CapacityAnswer {
    pub plan: CapacityPlan,
    /// The utilisation at which workers are added.
    pub knee_permille: u64,
    /// At a few loads, the lowest first; the loads that were done in time.
    pub simulated: Vec<SimulatedWaits>,
    /// Why there are none.
    pub not_simulated: Option<NotSimulated>,
    /// At several loads, the lowest first.
    pub begun: Vec<BegunAt>,
    /// `None`: the worker has no price.
    pub break_even: Option<BreakEven>,
}

impl CapacityAnswer {
    /// The waits by the formula at a load in hundredths.
    #[must_use]
    pub fn at(&self, percent: u32) -> Option<WaitPoint> {
        self.plan.station.waits(f64::from(percent) / 100.0)
    }
}

#[derive(Debug, thiserror::Error)]
pub enum CapacityRefused {
    #[error(transparent)]
    Forbidden(#[from] Forbidden),
    #[error("{}", .0.iter().map(|problem| format!("{:?}: {}", problem.field, problem.message)).collect::<Vec<_>>().join(" "))]
    Problems(Vec<CapacityProblem>),
    #[error(transparent)]
    Plan(#[from] CapacityError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Services {
    /// What the live system would ask the planner, and how it fares.
    ///
    /// # Errors
    /// [`AccessError`] when `actor` may not see it, or the database does not answer.
    pub async fn capacity_question(&self, actor: Actor) -> Result<LiveCapacity, AccessError> {
        actor.require(Permission::InspectInstallation)?;
        Ok(Box::pin(self.live_capacity()).await?)
    }

    /// Answers a question. What is simulated is kept for a moment.
    ///
    /// # Errors
    /// [`CapacityRefused`] says what to mend.
    pub async fn capacity(&self, actor: Actor, question: &CapacityQuestion) -> Result<CapacityAnswer, CapacityRefused> {
        actor.require(Permission::InspectInstallation)?;
        let problems = question.problems();
        if !problems.is_empty() {
            return Err(CapacityRefused::Problems(problems));
        }
        let plan = plan_capacity(&question.input())?;
        let simulated = self.simulated_capacity(question).await?;
        let break_even = question.prices().map(|(own, on_demand)| break_even(own, on_demand)).transpose()?;
        let not_simulated = simulated.as_ref().err().copied();
        let simulated = simulated.unwrap_or_default();
        let begun = begun(&plan, &simulated);
        Ok(CapacityAnswer { plan, knee_permille: knee_permille(), simulated, not_simulated, begun, break_even })
    }

    async fn simulated_capacity(&self, question: &CapacityQuestion) -> Result<Result<Vec<SimulatedWaits>, NotSimulated>, StoreError> {
        // Numbers have no order of their own to be kept by.
        let key = serde_json::to_string(question).unwrap_or_default();
        let question = question.clone();
        let simulated = self.recent_parts.capacity.get(key.clone(), || async move { Ok(simulated::simulate(&question).await) }).await?;
        if matches!(simulated, Err(NotSimulated::Busy)) {
            // By the next question others may be done.
            self.recent_parts.capacity.forget(&key);
        }
        Ok(simulated)
    }
}

fn begun(plan: &CapacityPlan, simulated: &[SimulatedWaits]) -> Vec<BegunAt> {
    let at = |utilisation: f64| {
        let formula = BEGUN_WITHIN_MS.map(|ms| plan.station.begun_within(utilisation, ms as f64));
        BegunAt {
            utilisation,
            formula: formula.iter().all(Option::is_some).then(|| formula.map(Option::unwrap_or_default)),
            simulated: simulated.iter().find(|of| (of.utilisation - utilisation).abs() < 1e-9).map(|of| of.begun_within),
        }
    };
    simulated::LOADS.into_iter().map(|percent| at(f64::from(percent) / 100.0)).collect()
}
