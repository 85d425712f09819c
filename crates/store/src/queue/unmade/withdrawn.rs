//! Jobs that wait for a model which is not on offer any more: they would wait for ever.

use super::{super::release::IS_THROTTLED, Unmade};
use crate::{
    Job, Store, StoreError,
    entity::{job as table, model},
};
use domain::{
    Lifecycle, Stage, Timestamp, WorkerId,
    job::{Decision, Device, FailedAttempt, FailureClass},
};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QuerySelect, QueryTrait, Select, sea_query::Expr};
use uuid::Uuid;

/// Where jobs wait.
#[derive(Clone, Copy)]
enum Where {
    InQueue,
    /// Outside of it, by the limits of their tenants' plans.
    Throttled,
}

pub(in super::super) async fn fail_withdrawn(store: &Store, grace_ms: i64) -> Result<u64, StoreError> {
    let until = store.now().await?.plus_ms(-grace_ms);
    let mut failed = 0;
    for place in [Where::InQueue, Where::Throttled] {
        let why = Unmade { rule: Lifecycle::withdraw, attempt: Some(&not_on_offer) };
        failed += super::end_those(store, |store, limit| ids(store, place, until, limit), &why).await?;
    }
    Ok(failed)
}

/// As an attempt that nobody could begin.
fn not_on_offer(job: &Job, decision: Decision, failed_at: Timestamp) -> FailedAttempt {
    FailedAttempt {
        attempt: job.lifecycle.attempts.saturating_add(1),
        stage: job.lifecycle.waits_for().unwrap_or(Stage::Sampling),
        // It waited for any.
        worker: WorkerId::from_uuid(Uuid::nil()),
        device: Device::default(),
        class: FailureClass::Withdrawn,
        detail: format!("{} was taken off offer", job.spec.model),
        decision,
        failed_at,
    }
}

/// Of jobs that wait for a model which was withdrawn by then, and is not on offer again.
fn ids(store: &Store, place: Where, withdrawn_until: Timestamp, limit: u64) -> Select<table::Entity> {
    let withdrawn = model::Entity::find()
        .select_only()
        .column(model::Column::Id)
        .filter(model::Column::IsOffered.eq(false))
        .filter(model::Column::WithdrawnAtMs.lte(withdrawn_until.ms()));
    // As the index of either place has them.
    let waits = match place {
        Where::InQueue => table::Column::WaitsFor.is_in([Stage::Sampling, Stage::Decoding].map(Stage::as_str)),
        Where::Throttled => Expr::cust(IS_THROTTLED),
    };
    table::Entity::find()
        .select_only()
        .column(table::Column::Id)
        .filter(waits)
        .filter(table::Column::Model.in_subquery(withdrawn.into_query()))
        .filter(table::Column::Id.is_not_in(store.unreadable()))
        .limit(limit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TempDatabase;

    #[tokio::test]
    async fn jobs_that_have_ended_are_not_looked_at() {
        let database = TempDatabase::sqlite();
        let store = database.open().await.unwrap();
        for (place, index) in [(Where::InQueue, "INDEX jobs_by_line"), (Where::Throttled, "INDEX jobs_throttled_by_model")] {
            let steps = super::super::query_plan(&store, ids(&store, place, Timestamp::from_ms(0), 1)).await;
            assert!(steps.iter().any(|step| step.contains(index)), "{steps:?}");
            assert!(!steps.iter().any(|step| step.contains("SCAN jobs")), "{steps:?}");
        }
    }
}
