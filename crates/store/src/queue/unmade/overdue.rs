//! Jobs that wait when they were to have begun or to have ended.

use super::Unmade;
use crate::{
    Store, StoreError,
    entity::job::{self as table, Column},
};
use domain::{Lifecycle, Timestamp};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QuerySelect, Select, sea_query::Expr};

/// In the words of the indexes `jobs_by_start_by` and `jobs_by_finish_by`: SQLite takes them for nothing else.
const NOT_BEGUN: &str = "start_by_ms IS NOT NULL AND started_at_ms IS NULL AND ended_at_ms IS NULL";
const NOT_ENDED: &str = "finish_by_ms IS NOT NULL AND ended_at_ms IS NULL";

pub(in super::super) async fn fail_overdue(store: &Store) -> Result<u64, StoreError> {
    let now = store.now().await?;
    let why = Unmade { rule: Lifecycle::miss_deadline, attempt: None };
    let not_begun = super::end_those(store, |store, limit| not_begun(store, now, limit), &why).await?;
    let not_ended = super::end_those(store, |store, limit| not_ended(store, now, limit), &why).await?;
    Ok(not_begun + not_ended)
}

fn not_begun(store: &Store, now: Timestamp, limit: u64) -> Select<table::Entity> {
    waiting(store, limit).filter(Expr::cust(NOT_BEGUN)).filter(Column::StartByMs.lte(now.ms()))
}

fn not_ended(store: &Store, now: Timestamp, limit: u64) -> Select<table::Entity> {
    waiting(store, limit).filter(Expr::cust(NOT_ENDED)).filter(Column::FinishByMs.lte(now.ms()))
}

/// Those that workers have are finished; one in quarantine waits too.
fn waiting(store: &Store, limit: u64) -> Select<table::Entity> {
    table::Entity::find()
        .select_only()
        .column(Column::Id)
        // Not along the index of who holds jobs: most hold none.
        .filter(Expr::cust("(lease_worker IS NULL) = TRUE"))
        .filter(Column::Id.is_not_in(store.unreadable()))
        .limit(limit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TempDatabase;

    #[tokio::test]
    async fn only_jobs_with_a_deadline_are_looked_at() {
        let database = TempDatabase::sqlite();
        let store = database.open().await.unwrap();
        let now = Timestamp::from_ms(0);
        for (ids, index) in [(not_begun(&store, now, 1), "jobs_by_start_by"), (not_ended(&store, now, 1), "jobs_by_finish_by")] {
            let steps = super::super::query_plan(&store, ids).await;
            assert!(steps.iter().any(|step| step.contains(index)), "{steps:?}");
            assert!(!steps.iter().any(|step| step.contains("SCAN jobs")), "{steps:?}");
        }
    }
}
