//! Taking the next job of a stage.

use super::{Claimed, Company, LeaseToken};
use crate::{
    Store, StoreError,
    entity::job as table,
    rows::jobs::{self, Lock},
};
use domain::{Lease, Stage, Timestamp, WorkerId};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Select,
    sea_query::{LockBehavior, LockType},
};

/// Jobs that `stage` may take now, in the order of the queue.
fn claimable(stage: Stage, models: &[&str], now: Timestamp) -> Select<table::Entity> {
    table::Entity::find()
        .filter(table::Column::WaitsFor.eq(stage.as_str()))
        .filter(table::Column::NotBeforeMs.lte(now.ms()))
        .filter(table::Column::Model.is_in(models.iter().copied()))
        .order_by_asc(table::Column::CreatedAtMs)
        .order_by_asc(table::Column::Id)
        .limit(1)
}

/// A row that another claimer is just taking is skipped, not waited for.
pub(super) async fn claim(
    store: &Store,
    stage: Stage,
    worker: WorkerId,
    models: &[&str],
    lease_ms: i64,
    company: Company,
) -> Result<Option<Claimed>, StoreError> {
    let mut write = store.write().await?;
    let mut query = claimable(stage, models, write.now).lock_with_behavior(LockType::NoKeyUpdate, LockBehavior::SkipLocked);
    if company == Company::Unsuspected {
        query = query.filter(table::Column::Suspect.eq(false));
    }
    let Some(job) = jobs::one(&write.tx, query, Lock::No).await? else {
        write.abandon().await?;
        return Ok(None);
    };
    let (now, lease) = (write.now, Lease { worker, expires_at: write.now.plus_ms(lease_ms) });
    let Ok(next) = job.lifecycle.clone().claim(stage, lease, now) else {
        return Err(StoreError::inconsistent(jobs::TABLE, "waits_for", stage));
    };
    let again = stage == Stage::Sampling;
    let begun_ms = job.started_at.unwrap_or(now).ms();
    if again {
        crate::rows::previews::remove(&write, job.id).await?;
    }
    let job = jobs::store(&mut write, &job, next, |row| {
        row.stage = Set(Some(stage.as_str().to_owned()));
        row.started_at_ms = Set(Some(begun_ms));
        if again {
            row.step = Set(0);
            row.preview_step = Set(None);
        }
    })
    .await?;
    write.commit().await?;
    Ok(Some(Claimed { token: LeaseToken { job: job.id, tenant: job.tenant, stage, epoch: job.lifecycle.epoch }, job }))
}

/// Whether the next job of the stage must run alone; `None` when none waits. A look takes no lock.
pub(super) async fn next_is_suspect(store: &Store, stage: Stage, models: &[&str]) -> Result<Option<bool>, StoreError> {
    let next = claimable(stage, models, store.now().await?).one(&store.db).await?;
    Ok(next.map(|job| job.suspect))
}
