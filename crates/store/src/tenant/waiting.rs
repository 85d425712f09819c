//! A tenant's jobs that no worker has begun: how many they are, and cancelling them all.

use crate::{
    Store, StoreError,
    entity::job as table,
    rows::{jobs, texts::Texts, unreadable::Locked, unsigned},
};
use domain::{TenantId, VideoTime};
use sea_orm::{
    ColumnTrait, QueryFilter, QueryOrder, QuerySelect, Select,
    sea_query::{Alias, Expr, ExprTrait, Func, LockType, SimpleExpr},
};
use uuid::Uuid;

/// Jobs that wait for their first step, and the video time they are billed when they are done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Waiting {
    pub jobs: u64,
    pub billed: VideoTime,
}

/// Ready, or given back before a step was done.
fn rows(tenant: TenantId) -> Select<table::Entity> {
    jobs::visible(tenant, Texts::LeftOut)
        .filter(table::Column::EndedAtMs.is_null())
        .filter(table::Column::State.is_in(["ready", "retry_sampling", "retry_decoding"]))
        .filter(table::Column::Step.eq(0))
}

pub(super) async fn total(store: &Store, tenant: TenantId) -> Result<Waiting, StoreError> {
    // PostgreSQL adds up BIGINT to NUMERIC.
    let billed_ms = SimpleExpr::from(Func::sum(Expr::col(table::Column::BilledMs))).cast_as(Alias::new("BIGINT"));
    let found: Option<(i64, Option<i64>)> = rows(tenant)
        .select_only()
        .expr_as(table::Column::Id.count(), "jobs")
        .expr_as(billed_ms, "billed_ms")
        .into_tuple()
        .one(&store.db)
        .await?;
    let (count, billed_ms) = found.unwrap_or_default();
    Ok(Waiting {
        jobs: unsigned(jobs::TABLE, "id", count)?,
        billed: VideoTime::from_ms(unsigned(jobs::TABLE, "billed_ms", billed_ms.unwrap_or(0))?),
    })
}

/// Cancels the newest that wait, at most `limit` in one transaction, and says how many these were: none when all
/// that can be read are cancelled.
pub(super) async fn cancel(store: &Store, tenant: TenantId, limit: u64) -> Result<u64, StoreError> {
    loop {
        let Batch { looked_at, cancelled } = cancel_some(store, tenant, limit).await?;
        if cancelled > 0 || looked_at == 0 {
            return Ok(cancelled);
        }
    }
}

struct Batch {
    looked_at: usize,
    /// The others cannot be read.
    cancelled: u64,
}

async fn cancel_some(store: &Store, tenant: TenantId, limit: u64) -> Result<Batch, StoreError> {
    let mut write = store.write().await?;
    let newest = rows(tenant).filter(table::Column::Id.is_not_in(store.unreadable.ids())).order_by_desc(table::Column::Id).limit(limit);
    let ids: Vec<Uuid> = newest.select_only().column(table::Column::Id).lock(LockType::NoKeyUpdate).into_tuple().all(&write.tx).await?;
    let mut batch = Batch { looked_at: ids.len(), cancelled: 0 };
    let locked = Locked::read(store, &write, jobs::visible(tenant, Texts::LeftOut), ids).await?;
    for job in &locked.jobs {
        if let Ok(next) = job.lifecycle.clone().cancel() {
            jobs::store(&mut write, job, next, |_| ()).await?;
            batch.cancelled += 1;
        }
    }
    write.commit().await?;
    locked.note_unreadable(store).await?;
    Ok(batch)
}
