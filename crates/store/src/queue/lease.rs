//! What the holder of a lease may write, and what becomes of a lease that nobody holds any more.
//!
//! Every operation goes the same way ([`under_lease`]): lock the row, let the rule decide, write with the
//! guard repeated. What the rule refuses is, to the holder, a lost lease.

use super::{LeaseError, LeaseToken};
use crate::{
    ArtifactKind, Job, Preview, Store, StoreError, StoredObject,
    entity::job as table,
    rows::{
        artifacts,
        jobs::{self, Lock},
        previews, signed,
    },
    write::Write,
};
use domain::{Failure, Lifecycle, Stage, job::TransitionError};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
    sea_query::{LockBehavior, LockType},
};

/// Leases ended in one transaction, so that no claimer waits long.
const EXPIRED_AT_ONCE: u64 = 100;

impl LeaseToken {
    const fn lost(&self) -> LeaseError {
        LeaseError::Lost { job: self.job, epoch: self.epoch }
    }

    fn is_of(&self, lifecycle: &Lifecycle) -> bool {
        lifecycle.epoch == self.epoch && lifecycle.state.lease().is_some_and(|(stage, _)| stage == self.stage)
    }
}

/// A transaction with the job locked, if `token` still holds it.
async fn under_lease(store: &Store, token: &LeaseToken) -> Result<(Write, Job), LeaseError> {
    let write = store.write().await?;
    match jobs::find(&write.tx, token.tenant, token.job, Lock::Yes).await? {
        Some(job) if token.is_of(&job.lifecycle) => Ok((write, job)),
        _ => {
            write.abandon().await?;
            Err(token.lost())
        }
    }
}

/// Moves the job on by `rule`, with whatever else `also` sets.
async fn end_lease(
    mut write: Write,
    token: &LeaseToken,
    job: &Job,
    rule: impl FnOnce(Lifecycle) -> Result<Lifecycle, TransitionError>,
    also: impl FnOnce(&mut table::ActiveModel),
) -> Result<(), LeaseError> {
    let Ok(next) = rule(job.lifecycle.clone()) else {
        write.abandon().await?;
        return Err(token.lost());
    };
    jobs::store(&mut write, job, next, also).await?;
    Ok(write.commit().await?)
}

/// In the order of the ids, so that two heartbeats never wait for each other.
pub(super) async fn renew(store: &Store, tokens: &[LeaseToken], lease_ms: i64) -> Result<Vec<LeaseToken>, StoreError> {
    let write = store.write().await?;
    let expires_at = write.now.plus_ms(lease_ms);
    let mut in_order = tokens.to_vec();
    in_order.sort_by_key(|token| token.job);
    let mut lost = Vec::new();
    for token in in_order {
        if !jobs::renew(&write, &token, expires_at).await? {
            lost.push(token);
        }
    }
    write.commit().await?;
    Ok(lost)
}

pub(super) async fn progress(store: &Store, token: &LeaseToken, step: u32, preview: Option<Preview>) -> Result<(), LeaseError> {
    let (mut write, job) = under_lease(store, token).await?;
    let step = signed(jobs::TABLE, "step", step)?;
    let preview_step = preview.as_ref().map(|preview| signed(jobs::TABLE, "preview_step", preview.step)).transpose()?;
    jobs::note(&mut write, &job, |row| {
        row.step = Set(step);
        if preview_step.is_some() {
            row.preview_step = Set(preview_step);
        }
    })
    .await?;
    if let Some(preview) = preview {
        previews::replace(&write, token.job, preview).await?;
    }
    Ok(write.commit().await?)
}

pub(super) async fn announce(store: &Store, token: &LeaseToken, kinds: &[ArtifactKind]) -> Result<Vec<String>, LeaseError> {
    let (write, _job) = under_lease(store, token).await?;
    let keys = artifacts::announce(&write, token, kinds).await?;
    write.commit().await?;
    Ok(keys)
}

pub(super) async fn hand_over(store: &Store, token: &LeaseToken, latents: StoredObject, sampling_ms: u64) -> Result<(), LeaseError> {
    let (write, job) = under_lease(store, token).await?;
    artifacts::commit(&write, token, &latents).await?;
    let sampling_ms = signed(jobs::TABLE, "sampling_ms", sampling_ms)?;
    let step = signed(jobs::TABLE, "step", job.spec.steps)?;
    end_lease(
        write,
        token,
        &job,
        |job| job.hand_over(token.epoch),
        |row| {
            row.sampling_ms = Set(Some(sampling_ms));
            row.step = Set(step);
        },
    )
    .await
}

pub(super) async fn succeed(store: &Store, token: &LeaseToken, objects: Vec<StoredObject>, decoding_ms: u64) -> Result<(), LeaseError> {
    let (write, job) = under_lease(store, token).await?;
    for object in &objects {
        artifacts::commit(&write, token, object).await?;
    }
    let decoding_ms = signed(jobs::TABLE, "decoding_ms", decoding_ms)?;
    end_lease(write, token, &job, |job| job.succeed(token.epoch), |row| row.decoding_ms = Set(Some(decoding_ms))).await
}

pub(super) async fn lose_latents(store: &Store, token: &LeaseToken) -> Result<(), LeaseError> {
    let (write, job) = under_lease(store, token).await?;
    artifacts::abandon_latents(&write, token.job).await?;
    let now = write.now;
    end_lease(write, token, &job, |job| job.lose_latents(token.epoch, now), |_| ()).await
}

pub(super) async fn report_failure(store: &Store, token: &LeaseToken, failure: Failure, retry: bool) -> Result<(), LeaseError> {
    let (write, job) = under_lease(store, token).await?;
    let now = write.now;
    end_lease(write, token, &job, |job| job.report_failure(token.epoch, failure, retry, now), |_| ()).await
}

pub(super) async fn give_back(store: &Store, token: &LeaseToken) -> Result<(), LeaseError> {
    let (write, job) = under_lease(store, token).await?;
    let now = write.now;
    end_lease(write, token, &job, |job| job.give_back(token.epoch, now), |_| ()).await
}

pub(super) async fn expire_all(store: &Store) -> Result<u64, StoreError> {
    let mut ended = 0;
    loop {
        let some = expire_some(store).await?;
        ended += some;
        if some < EXPIRED_AT_ONCE {
            return Ok(ended);
        }
    }
}

async fn expire_some(store: &Store) -> Result<u64, StoreError> {
    // Mostly there are none: then nobody has to wait for a writer.
    let due = |now_ms: i64| table::Entity::find().filter(table::Column::LeaseExpiresAtMs.lte(now_ms));
    if due(store.now().await?.ms()).one(&store.db).await?.is_none() {
        return Ok(0);
    }
    let mut write = store.write().await?;
    let now = write.now;
    let rows = due(now.ms())
        .order_by_asc(table::Column::LeaseExpiresAtMs)
        .limit(EXPIRED_AT_ONCE)
        .lock_with_behavior(LockType::NoKeyUpdate, LockBehavior::SkipLocked)
        .all(&write.tx)
        .await?;
    let mut ended = 0;
    for row in rows {
        // One that cannot be read, from a newer version, must not keep the others waiting.
        let Ok(job) =
            jobs::parsed(row).inspect_err(|error| tracing::error!(error = error as &dyn std::error::Error, "a job cannot be read"))
        else {
            continue;
        };
        let Ok(next) = job.lifecycle.clone().expire_lease(now) else { continue };
        tracing::warn!(job.id = %job.id, epoch = job.lifecycle.epoch, stage = job.stage.map(Stage::as_str), "a lease ran out");
        jobs::store(&mut write, &job, next, |_| ()).await?;
        ended += 1;
    }
    write.commit().await?;
    Ok(ended)
}
