//! Setting the release rates of plans that somebody has looked at.

use crate::Services;
use domain::{
    Actor, Forbidden, Permission, UserId, VideoTime,
    billing::{Lane, Plan, PlanError},
};
use store::{PlanVersion, RateChange, RatesSet, StoreError};

/// What was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RatesSaid {
    /// The plans that have another rate now, each with the one that it had.
    pub changed: Vec<(Plan, Option<VideoTime>)>,
    pub rate: VideoTime,
}

#[derive(Debug, thiserror::Error)]
pub enum RatesError {
    #[error(transparent)]
    Forbidden(#[from] Forbidden),
    #[error("choose a plan")]
    NoPlan,
    #[error("there is no plan `{0}`")]
    Unknown(String),
    #[error("the plan `{0}` is not of the batch lane, and a release rate is one of batches")]
    NotBatch(String),
    #[error("the plan `{plan}` was changed since you looked at it: it releases {} now", rate_words(*.rate))]
    Stale { plan: String, rate: Option<VideoTime> },
    #[error("nothing is left to release: the fleet is full of interactive work")]
    Nothing,
    #[error(transparent)]
    Plan(#[from] PlanError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

fn rate_words(rate: Option<VideoTime>) -> String {
    rate.map_or_else(|| "all at once".to_owned(), |rate| format!("{rate} video-seconds a minute"))
}

impl Services {
    /// Plans as they are, each with its version.
    ///
    /// # Errors
    /// [`crate::AccessError`] when `actor` may not see them, or the database does not answer.
    pub async fn plan_versions(&self, actor: Actor) -> Result<Vec<PlanVersion>, crate::AccessError> {
        actor.require(Permission::ManagePlans)?;
        Ok(self.store.plans().newest().await?)
    }

    /// Gives these plans this release rate, from the next job on: all of them, or none. A new version of each, as when it is defined anew.
    ///
    /// # Errors
    /// [`RatesError`]; nothing was changed.
    pub async fn set_release_rates(
        &self,
        actor: Actor,
        rate: VideoTime,
        changes: &[RateChange],
        by: Option<UserId>,
    ) -> Result<RatesSaid, RatesError> {
        actor.require(Permission::ManagePlans)?;
        if changes.is_empty() {
            return Err(RatesError::NoPlan);
        }
        if rate == VideoTime::default() {
            return Err(RatesError::Nothing);
        }
        let mut plans = Vec::with_capacity(changes.len());
        for RateChange { plan: id, .. } in changes {
            let plan = self.plan_by_id(id).await?;
            if plan.lane != Lane::Batch {
                return Err(RatesError::NotBatch(id.clone()));
            }
            Plan { release_rate: Some(rate), ..plan.clone() }.check()?;
            plans.push(plan);
        }
        match self.store.plans().set_release_rates(changes, rate, by).await? {
            RatesSet::Done(ids) => {
                let changed = plans.into_iter().filter(|plan| ids.contains(&plan.id)).map(|plan| {
                    let before = plan.release_rate;
                    (plan, before)
                });
                Ok(RatesSaid { changed: changed.collect(), rate })
            }
            RatesSet::Stale(id) => {
                let rate = self.plan_by_id(&id).await?.release_rate;
                Err(RatesError::Stale { plan: id, rate })
            }
        }
    }

    async fn plan_by_id(&self, id: &str) -> Result<Plan, RatesError> {
        // PostgreSQL has no such text.
        let found = if id.contains('\0') { None } else { self.store.plans().find(id).await? };
        found.ok_or_else(|| RatesError::Unknown(id.to_owned()))
    }
}
