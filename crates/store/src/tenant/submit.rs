//! Taking a job in: once for each idempotency key, and never beyond what its tenant may have open.
//!
//! Submissions of one tenant take turns: each holds a lock on the tenant's row until it is committed, so
//! none can look at the open work while another adds to it.

use crate::{
    Idempotency, Job, NewJob, Store, StoreError, SubmitError, Submitted,
    entity::{job as table, tenant},
    rows::{
        idempotency,
        jobs::{self, Lock},
        unsigned,
    },
    write::Write,
};
use domain::{TenantId, VideoTime, scheduling::admit};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QuerySelect,
    sea_query::{Alias, Expr, ExprTrait, Func, LockType, SimpleExpr},
};

pub(super) async fn submit(
    store: &Store,
    tenant: TenantId,
    job: NewJob,
    idempotency: Option<Idempotency>,
) -> Result<Submitted, SubmitError> {
    let mut write = store.write().await?;
    let taken_in = take_in(&mut write, tenant, job, idempotency).await;
    match taken_in {
        Ok(Submitted { replayed: false, .. }) => write.commit().await?,
        _ => write.abandon().await?,
    }
    taken_in
}

async fn take_in(write: &mut Write, tenant: TenantId, job: NewJob, idempotency: Option<Idempotency>) -> Result<Submitted, SubmitError> {
    lock_tenant(write, tenant).await?;
    if let Some(asked) = &idempotency
        && let Some(job) = earlier(write, tenant, asked).await?
    {
        return Ok(Submitted { job, replayed: true });
    }
    admit(open_work(&write.tx, tenant).await?, job.billed)?;
    let stored = jobs::insert(write, tenant, &job).await?;
    if let Some(asked) = idempotency {
        idempotency::insert(write, tenant, asked, job.id).await?;
    }
    Ok(Submitted { job: stored, replayed: false })
}

async fn lock_tenant(write: &Write, tenant: TenantId) -> Result<(), StoreError> {
    let row = tenant::Entity::find_by_id(tenant.uuid()).lock(LockType::NoKeyUpdate).one(&write.tx).await?;
    row.map(drop).ok_or_else(|| DbErr::RecordNotFound(tenant.to_string()).into())
}

/// The job of an earlier submission under this key. A job deleted since is still the answer, until its row is gone.
async fn earlier(write: &Write, tenant: TenantId, asked: &Idempotency) -> Result<Option<Job>, SubmitError> {
    match idempotency::find(write, tenant, &asked.key).await? {
        None => Ok(None),
        Some(known) if known.fingerprint != asked.fingerprint => Err(SubmitError::KeyReused),
        Some(known) => Ok(jobs::one(&write.tx, table::Entity::find_by_id(known.job.uuid()), Lock::No).await?),
    }
}

/// Video time of the tenant's jobs that have not ended.
pub(super) async fn open_work(db: &impl ConnectionTrait, tenant: TenantId) -> Result<VideoTime, StoreError> {
    // PostgreSQL adds up BIGINT to NUMERIC.
    let sum = SimpleExpr::from(Func::sum(Expr::col(table::Column::BilledMs))).cast_as(Alias::new("BIGINT"));
    let ms: Option<Option<i64>> =
        jobs::visible(tenant).filter(table::Column::EndedAtMs.is_null()).select_only().expr_as(sum, "open_ms").into_tuple().one(db).await?;
    Ok(VideoTime::from_ms(unsigned(jobs::TABLE, "billed_ms", ms.flatten().unwrap_or(0))?))
}
