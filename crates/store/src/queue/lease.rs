//! What the holder of a lease may write, and what becomes of a lease that nobody holds any more.
//!
//! Every operation goes the same way ([`under_lease`]): lock the row, let the rule decide, write with the
//! guard repeated. What the rule refuses is, to the holder, a lost lease.

use super::{
    LeaseError, LeaseToken,
    fallback::{self, OtherModel},
};
use crate::{
    Job, Store, StoreError,
    database::write::Write,
    entity::{job as table, signed},
    rows::{
        Place, artifacts,
        fallback::forget_took,
        has_come,
        jobs::{self, Lock},
        places_by,
        texts::{self, Texts},
        this_place,
        unreadable::Locked,
    },
    workers::Crew,
};
use domain::{
    JobState, Lifecycle, Stage, Timestamp,
    job::{self, AttemptFailure, Decision, FailedAttempt, FailureClass, LEASE_AHEAD_MAX_MS, Setting, TransitionError},
};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Select,
    sea_query::{Expr, ExprTrait, LockBehavior, LockType},
};
use uuid::Uuid;

/// Leases ended in one transaction, so that nobody who writes waits long.
const EXPIRED_AT_ONCE: u64 = 20;

impl LeaseToken {
    pub(super) const fn lost(&self) -> LeaseError {
        LeaseError::Lost { job: self.job, epoch: self.epoch }
    }

    pub(super) fn is_of(&self, lifecycle: &Lifecycle) -> bool {
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

pub(super) async fn note_device_time(store: &Store, token: &LeaseToken, device_ms: u64) -> Result<(), LeaseError> {
    let (write, job) = under_lease(store, token).await?;
    let device_ms = signed::<_, i64>(jobs::TABLE, "lease_device_ms", device_ms)?;
    let noted = table::Entity::update_many().col_expr(table::Column::LeaseDeviceMs, Expr::value(device_ms));
    noted.filter(table::Column::Id.eq(job.id.uuid())).exec(&write.tx).await.map_err(StoreError::from)?;
    Ok(write.commit().await?)
}

pub(super) async fn report_failure(store: &Store, token: &LeaseToken, failure: AttemptFailure) -> Result<(), LeaseError> {
    let (mut write, job) = under_lease(store, token).await?;
    if failure.class == FailureClass::LostLatents {
        artifacts::abandon_latents(&write, token.job).await?;
    }
    let (crew, now) = (Crew::read(&write.tx, write.now).await?, write.now);
    let rule = |job: Lifecycle, setting: &Setting| job.fail(token.epoch, &failure, setting, now);
    match Box::pin(fail(store, &mut write, &job, (&failure, &crew), rule)).await? {
        Some(_) => Ok(write.commit().await?),
        None => {
            write.abandon().await?;
            Err(token.lost())
        }
    }
}

/// An attempt has failed: what `rule` decides is done, and kept with the job. `None`: it does not apply.
async fn fail(
    store: &Store,
    write: &mut Write,
    job: &Job,
    (failure, crew): (&AttemptFailure, &Crew),
    rule: impl FnOnce(Lifecycle, &Setting) -> Result<(Lifecycle, Decision), TransitionError>,
) -> Result<Option<Decision>, StoreError> {
    let Some((stage, lease)) = job.lifecycle.state.lease() else { return Ok(None) };
    let (worker, device) = (lease.worker, crew.device(lease.worker));
    let others = crew.others(stage, &job.spec.model, worker);
    let fallback = fallback::of(write, job).await?;
    let allows_fallback = fallback.is_some();
    let setting = Setting { job: job.id, device: &device, past: &job.failed_attempts, others: &others, allows_fallback };
    let Ok((next, decision)) = rule(job.lifecycle.clone(), &setting) else { return Ok(None) };
    let mut attempts = job.failed_attempts.clone();
    let (attempt, class, detail, failed_at) = (job.lifecycle.attempts, failure.class, failure.detail.clone(), write.now);
    job::keep(&mut attempts, FailedAttempt { attempt, stage, worker, device, class, detail, decision, failed_at });
    let other = match (decision, fallback) {
        (Decision::FallBack { .. }, Some(fallback)) => Some(OtherModel::take_over(store, write, job, fallback).await?),
        _ => None,
    };
    // Its latents are lost: what is told of its sampling is to come.
    let is_sampled_anew = stage == Stage::Decoding && matches!(next.state, JobState::Retrying { stage: Stage::Sampling, .. });
    let also = |row: &mut table::ActiveModel| {
        row.failed_attempts = Set(serde_json::to_string(&attempts).ok());
        if is_sampled_anew {
            row.sampling_ms = Set(None);
            forget_took(row);
        }
        other.map_or(Ok(()), |other| other.set(row, job))
    };
    jobs::try_store(write, job, next, also).await?;
    Ok(Some(decision))
}

pub(super) async fn give_back(store: &Store, token: &LeaseToken) -> Result<(), LeaseError> {
    let (write, job) = under_lease(store, token).await?;
    let now = write.now;
    end_lease(write, token, &job, |job| job.give_back(token.epoch, now), |_| ()).await
}

pub(super) async fn expire_all(store: &Store, seen: Timestamp) -> Result<u64, StoreError> {
    let (mut ended, mut behind) = (0, None);
    loop {
        let Expired { last, requeued } = expire_some(store, seen, behind).await?;
        ended += requeued;
        if last.is_none() {
            return Ok(ended);
        }
        behind = last;
    }
}

#[derive(Default)]
struct Expired {
    /// The last that was looked at, where there may be more.
    last: Option<Place>,
    /// The others cannot be read.
    requeued: u64,
}

/// The ids of jobs whose leases have run out.
pub(super) fn due(now: Timestamp) -> Select<table::Entity> {
    let due = table::Entity::find().filter(has_come(table::Column::LeaseExpiresAtMs, now, LEASE_AHEAD_MAX_MS));
    due.select_only().column(table::Column::Id)
}

async fn expire_some(store: &Store, seen: Timestamp, behind: Option<Place>) -> Result<Expired, StoreError> {
    // By a moment before the writer is free: nobody could renew a lease while this waited for it.
    let mut due = due(seen).filter(table::Column::Id.is_not_in(store.unreadable()));
    let (expires_at, id) = (table::Column::LeaseExpiresAtMs, table::Column::Id);
    if let Some(place) = behind {
        due = due.filter(places_by(expires_at).gt(this_place(place)));
    }
    // Mostly there are none: then nobody has to wait for a writer.
    if due.clone().into_tuple::<Uuid>().one(&store.db).await?.is_none() {
        return Ok(Expired::default());
    }
    let mut write = store.write().await?;
    let now = write.now;
    let places: Vec<Place> = due
        // Where the clock has jumped since, what was renewed by it has not run out, and what was not lies as it lay.
        .filter(has_come(expires_at, now, LEASE_AHEAD_MAX_MS))
        .select_only()
        .columns([expires_at, id])
        .order_by_asc(expires_at)
        .order_by_asc(id)
        .limit(EXPIRED_AT_ONCE)
        .lock_with_behavior(LockType::NoKeyUpdate, LockBehavior::SkipLocked)
        .into_tuple()
        .all(&write.tx)
        .await?;
    let last = places.last().copied().filter(|_| places.len() as u64 == EXPIRED_AT_ONCE);
    let mut expired = Expired { last, requeued: 0 };
    let ids = places.into_iter().map(|(_, id)| id).collect();
    let mut locked = Locked::read(&write, texts::jobs(Texts::LeftOut), ids).await?;
    let (crew, failure) = (Crew::read(&write.tx, now).await?, AttemptFailure::new(FailureClass::Poison, "its lease ran out"));
    for job in std::mem::take(&mut locked.jobs) {
        let rule = |job: Lifecycle, setting: &Setting| job.expire_lease(&failure, setting, now);
        let decision = match fail(store, &mut write, &job, (&failure, &crew), rule).await {
            Ok(Some(decision)) => decision.as_str(),
            Ok(None) => continue,
            Err(error) => {
                locked.pass_over(job.id, error)?;
                continue;
            }
        };
        tracing::warn!(job.id = %job.id, epoch = job.lifecycle.epoch, stage = job.stage.map(Stage::as_str), decision, "a lease ran out");
        expired.requeued += 1;
    }
    write.commit().await?;
    locked.note_unreadable(store).await;
    Ok(expired)
}
