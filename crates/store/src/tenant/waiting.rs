//! A tenant's jobs that no worker has begun: how many they are, and cancelling them all.

use super::batch_lines;
use crate::{
    Store, StoreError,
    database::deadlock,
    entity::{job as table, unsigned},
    rows::{Place, jobs, places_by, texts::Texts, this_place, unreadable::Locked},
};
use domain::{TenantId, VideoTime};
use sea_orm::{
    ColumnTrait, QueryFilter, QueryOrder, QuerySelect, Select,
    sea_query::{Alias, Expr, ExprTrait, Func, LockType, SimpleExpr},
};

/// Jobs that wait for their first step, and the video time they are billed when they are done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Waiting {
    pub jobs: u64,
    pub billed: VideoTime,
}

/// Throttled, ready, or given back before a step was done. In the words of the index `jobs_waiting_by_tenant`: SQLite takes it for
/// nothing else.
const BEFORE_THE_FIRST_STEP: &str = "step = 0 AND state IN ('throttled', 'ready', 'retry_sampling', 'retry_decoding')";

fn rows(tenant: TenantId) -> Select<table::Entity> {
    jobs::visible(tenant, Texts::LeftOut).filter(Expr::cust(BEFORE_THE_FIRST_STEP))
}

fn sums(tenant: TenantId) -> Select<table::Entity> {
    // PostgreSQL adds up BIGINT to NUMERIC.
    let billed_ms = SimpleExpr::from(Func::sum(Expr::col(table::Column::BilledMs))).cast_as(Alias::new("BIGINT"));
    rows(tenant).select_only().expr_as(table::Column::Id.count(), "jobs").expr_as(billed_ms, "billed_ms")
}

pub(super) async fn total(store: &Store, tenant: TenantId) -> Result<Waiting, StoreError> {
    let found: Option<(i64, Option<i64>)> = sums(tenant).into_tuple().one(&store.of(tenant)).await?;
    let (count, billed_ms) = found.unwrap_or_default();
    let all: u64 = unsigned(jobs::TABLE, "id", count)?;
    let billed = VideoTime::from_ms(unsigned(jobs::TABLE, "billed_ms", billed_ms.unwrap_or(0))?);
    let of_batches = batch_lines::waiting(store, tenant).await?;
    Ok(Waiting { jobs: all.saturating_sub(of_batches.jobs), billed: billed.saturating_sub(of_batches.billed) })
}

/// Cancels the newest that wait, at most `limit` in one transaction, and says how many these were: none when all
/// that can be read are cancelled.
pub(super) async fn cancel(store: &Store, tenant: TenantId, limit: u64) -> Result<u64, StoreError> {
    let mut before = None;
    loop {
        // The operator may be writing the same rows in another order.
        let Batch { oldest, cancelled } = deadlock::retried(StoreError::is_deadlock, || cancel_some(store, tenant, limit, before)).await?;
        if cancelled > 0 || oldest.is_none() {
            return Ok(cancelled);
        }
        before = oldest;
    }
}

struct Batch {
    /// The last that was looked at.
    oldest: Option<Place>,
    /// The others cannot be read.
    cancelled: u64,
}

fn newest(tenant: TenantId, limit: u64, before: Option<Place>) -> Select<table::Entity> {
    let (created_at, id) = (table::Column::CreatedAtMs, table::Column::Id);
    let newest = rows(tenant).select_only().columns([created_at, id]).order_by_desc(created_at).order_by_desc(id).limit(limit);
    match before {
        Some(place) => newest.filter(places_by(created_at).lt(this_place(place))),
        None => newest,
    }
}

async fn cancel_some(store: &Store, tenant: TenantId, limit: u64, before: Option<Place>) -> Result<Batch, StoreError> {
    let mut write = store.write_of(tenant).await?;
    let alone = table::Column::Id.not_in_subquery(batch_lines::open(tenant));
    let newest = newest(tenant, limit, before).filter(alone).filter(table::Column::Id.is_not_in(store.unreadable()));
    let places: Vec<Place> = newest.lock(LockType::NoKeyUpdate).into_tuple().all(&write.tx).await?;
    let mut batch = Batch { oldest: places.last().copied(), cancelled: 0 };
    let ids = places.into_iter().map(|(_, id)| id).collect();
    let mut locked = Locked::read(&write, jobs::visible(tenant, Texts::LeftOut), ids).await?;
    for job in std::mem::take(&mut locked.jobs) {
        let Ok(next) = job.lifecycle.clone().cancel() else { continue };
        match jobs::store(&mut write, &job, next, |_| ()).await {
            Ok(_) => batch.cancelled += 1,
            Err(error) => locked.pass_over(job.id, error)?,
        }
    }
    write.commit().await?;
    locked.note_unreadable(store).await;
    Ok(batch)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TempDatabase;
    use sea_orm::{ConnectionTrait, DbBackend, QueryTrait, Statement};
    use uuid::Uuid;

    #[tokio::test]
    async fn neither_looks_at_a_row_nor_sorts() {
        let database = TempDatabase::sqlite();
        let store = database.open().await.unwrap();
        let tenant = TenantId::from_uuid(Uuid::nil());
        for query in [sums(tenant), newest(tenant, 50, None), newest(tenant, 50, Some((1, Uuid::nil())))] {
            let sql = format!("EXPLAIN QUERY PLAN {}", query.build(DbBackend::Sqlite));
            let plan = store.db.query_all_raw(Statement::from_string(DbBackend::Sqlite, sql)).await.unwrap();
            let steps: Vec<String> = plan.iter().map(|row| row.try_get("", "detail").unwrap()).collect();
            assert!(steps.len() == 1 && steps[0].contains("USING COVERING INDEX jobs_waiting_by_tenant"), "{steps:?}");
        }
    }
}
