//! Jobs that wait for a model which no worker can load.

use super::Unmade;
use crate::{
    Job, Store, StoreError,
    entity::job::{self as table, Column},
};
use domain::{
    Lifecycle, Stage, Timestamp, WorkerId,
    job::{Decision, Device, FailedAttempt, FailureClass},
};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QuerySelect, Select};

/// A model that no worker can load which does a stage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnloadableModel {
    pub model: String,
    pub stage: Stage,
    /// One of those that have failed to.
    pub worker: WorkerId,
    pub device: Device,
    /// What that worker says.
    pub problem: String,
}

impl UnloadableModel {
    /// As an attempt that nobody could begin.
    fn failed_attempt(&self, job: &Job, decision: Decision, failed_at: Timestamp) -> FailedAttempt {
        FailedAttempt {
            attempt: job.lifecycle.attempts.saturating_add(1),
            stage: self.stage,
            worker: self.worker,
            device: self.device.clone(),
            class: FailureClass::BrokenWeights,
            detail: format!("could not be loaded: {}", self.problem),
            decision,
            failed_at,
        }
    }
}

pub(in super::super) async fn fail_unloadable(store: &Store, broken: &UnloadableModel) -> Result<u64, StoreError> {
    let attempt = |job: &Job, decision, now| broken.failed_attempt(job, decision, now);
    let why = Unmade { rule: Lifecycle::find_no_model, attempt: Some(&attempt) };
    super::end_those(store, |store, limit| ids(store, broken, limit), &why).await
}

fn ids(store: &Store, broken: &UnloadableModel, limit: u64) -> Select<table::Entity> {
    table::Entity::find()
        .select_only()
        .column(Column::Id)
        .filter(Column::WaitsFor.eq(broken.stage.as_str()))
        .filter(Column::Model.eq(&*broken.model))
        .filter(Column::Id.is_not_in(store.unreadable()))
        .limit(limit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TempDatabase;

    #[tokio::test]
    async fn only_jobs_of_the_model_that_wait_are_looked_at() {
        let store = TempDatabase::sqlite().open().await.unwrap();
        let worker = WorkerId::from_uuid(uuid::Uuid::nil());
        let (model, stage, device, problem) = ("a".to_owned(), Stage::Sampling, Device::default(), String::new());
        let broken = UnloadableModel { model, stage, worker, device, problem };
        let steps = super::super::query_plan(&store, ids(&store, &broken, 1)).await;
        assert!(steps.iter().any(|step| step.contains("jobs_by_line (waits_for=? AND model=?")), "{steps:?}");
    }
}
