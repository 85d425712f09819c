//! The `jobs` table: the only place that writes it, and the meaning of its columns.
//!
//! A transition is decided by [`domain::Lifecycle`] and stored by [`store`], which repeats the guard in its
//! UPDATE, so that a row which moved on meanwhile is never overwritten.

mod lifecycle;
pub(crate) mod listed;
pub(crate) mod several;

use super::{
    artifacts, charges, fallback, previews, readable_tuples,
    texts::{self, Texts},
    webhooks,
};
use crate::{
    Change, Job, NewJob, Store, StoreError, chance,
    database::{transitions::Transition, write::Write},
    device_time::Came,
    entity::{job as table, optional, signed, unsigned},
    sql::in_steps,
};
use domain::{
    ApiKeyId, JobId, JobSpec, Lifecycle, ProjectId, Quote, Seed, Size, Stage, TenantId, Timestamp, UserId, VideoTime,
    billing::{Charge, Drawn, Lane, Plan},
    catalog::Arrangement,
    job::Deadlines,
    scheduling::{Tag, VirtualTime},
};
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QuerySelect, Select, sea_query::LockType,
};
use std::collections::HashMap;
use uuid::Uuid;

pub(crate) const TABLE: &str = "jobs";
/// The default of the one model that there was before quotes were stored.
const STEPS_OF_BEFORE: u32 = 24;
/// Of whatever number of jobs: a statement has no more than some ten thousand places.
const REVISIONS_AT_ONCE: usize = 1024;

/// A tenant's job, unless it deleted it; `lock`ed until the transaction ends.
pub(crate) async fn find(db: &impl ConnectionTrait, tenant: TenantId, id: JobId, lock: Lock) -> Result<Option<Job>, StoreError> {
    one(db, visible(tenant, Texts::Whole).filter(table::Column::Id.eq(id.uuid())), lock).await
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lock {
    Yes,
    No,
}

/// What a tenant can see.
pub(crate) fn visible(tenant: TenantId, texts: Texts) -> Select<table::Entity> {
    texts::jobs(texts).filter(table::Column::TenantId.eq(tenant.uuid())).filter(table::Column::DeletedAtMs.is_null())
}

pub(crate) async fn one(db: &impl ConnectionTrait, query: Select<table::Entity>, lock: Lock) -> Result<Option<Job>, StoreError> {
    let query = if lock == Lock::Yes { query.lock(LockType::NoKeyUpdate) } else { query };
    query.one(db).await?.map(parsed).transpose()
}

/// What was found that can be read, and how far that goes.
#[derive(Default)]
pub(crate) struct Readable {
    pub jobs: Vec<Job>,
    /// Those that cannot be read among them.
    pub rows: u64,
    pub last: Option<JobId>,
}

/// Those rows of a tenant that can be read; the others are written down for the operator. Not within a transaction.
pub(crate) async fn readable(store: &Store, tenant: TenantId, query: Select<table::Entity>) -> Result<Readable, StoreError> {
    let (mut found, mut unreadable) = (Readable::default(), Vec::new());
    for (id, job) in each(&store.of(tenant), query).await? {
        found.rows += 1;
        found.last = Some(id);
        match job {
            Ok(job) => found.jobs.push(job),
            Err(error) => unreadable.push((id, error)),
        }
    }
    store.operator().note_in_passing(&unreadable).await;
    Ok(found)
}

/// All at once, or one by one where a row keeps the others from being read.
async fn each(db: &impl ConnectionTrait, query: Select<table::Entity>) -> Result<Vec<(JobId, Result<Job, StoreError>)>, StoreError> {
    match query.clone().all(db).await.map_err(StoreError::from) {
        Ok(rows) => return Ok(rows.into_iter().map(|row| (JobId::from_uuid(row.id), parsed(row))).collect()),
        Err(error) if !error.is_of_row() => return Err(error),
        Err(_) => {}
    }
    let ids: Vec<Uuid> = query.clone().select_only().column(table::Column::Id).into_tuple().all(db).await?;
    let mut found = Vec::with_capacity(ids.len());
    for id in ids {
        match one(db, query.clone().filter(table::Column::Id.eq(id)), Lock::No).await {
            Err(error) if !error.is_of_row() => return Err(error),
            job => found.extend(job.transpose().map(|job| (JobId::from_uuid(id), job))),
        }
    }
    Ok(found)
}

/// Whoever inserts has counted it as open. Without a tag it does not enter the queue yet.
pub(crate) async fn insert(
    write: &mut Write,
    tenant: TenantId,
    job: &NewJob,
    (plan, drawn, tag): (&Plan, &[Drawn], Option<Tag>),
) -> Result<Job, StoreError> {
    let spec = &job.spec;
    let fresh = if tag.is_some() { Lifecycle::submitted() } else { Lifecycle::throttled() };
    let tag = tag.unwrap_or_default();
    let mut row = table::ActiveModel {
        // This transaction holds the lock on the tenant's row: who reads a list on from the last id misses none of what
        // one server takes in. Several are as exact as their clocks.
        id: Set(chance::new_id()),
        tenant_id: Set(tenant.uuid()),
        user_id: Set(job.user.uuid()),
        api_key_id: Set(job.api_key.map(|key| key.uuid())),
        project_id: Set(Some(job.project.unwrap_or(ProjectId::default_of(tenant)).uuid())),
        remixed_from: Set(job.remixed_from.map(JobId::uuid)),
        trace_id: Set(job.trace_id.clone()),
        traceparent: Set(job.traceparent.clone()),
        model: Set(spec.model.clone()),
        prompt: Set(spec.prompt.clone()),
        expanded_prompt: Set(spec.expanded_prompt.clone()),
        read_as: Set(spec.read_as.clone()),
        negative_prompt: Set(spec.negative_prompt.clone()),
        width: Set(signed(TABLE, "width", spec.size.width)?),
        height: Set(signed(TABLE, "height", spec.size.height)?),
        duration_ms: Set(signed(TABLE, "duration_ms", spec.duration.ms())?),
        steps: Set(signed(TABLE, "steps", spec.steps)?),
        guidance: Set(spec.guidance),
        seed: Set(signed(TABLE, "seed", spec.seed.value())?),
        size_weight_permille: Set(Some(signed(TABLE, "size_weight_permille", job.quote.size_weight_permille)?)),
        work_ms: Set(job.work.map(|work| signed(TABLE, "work_ms", work.ms())).transpose()?),
        steps_default: Set(Some(signed(TABLE, "steps_default", job.quote.steps_default)?)),
        counts_as_ms: Set(Some(signed(TABLE, "counts_as_ms", job.quote.duration.ms())?)),
        revision: Set(1),
        step: Set(0),
        created_at_ms: Set(write.now.ms()),
        arrangement: Set(spec.arrangement.as_ref().map(|arrangement| arrangement.as_str().to_owned())),
        understanding: Set(job.understanding.as_ref().and_then(|understanding| serde_json::to_string(understanding).ok())),
        plan: Set(Some(plan.id.clone())),
        drawn: Set(serde_json::to_string(drawn).ok()),
        lane: Set(Some(plan.lane.as_str().to_owned())),
        start_by_ms: Set(job.deadlines.start_by.map(Timestamp::ms)),
        finish_by_ms: Set(job.deadlines.finish_by.map(Timestamp::ms)),
        start_tag: Set(tag.start.value()),
        finish_tag: Set(tag.finish.value()),
        ..lifecycle::columns(&fresh)?
    };
    fallback::of_new(job, &mut row)?;
    let stored = parsed(row.insert(&write.tx).await?)?;
    write.note([Transition::submitted(&stored)]);
    tell(write, &stored.lifecycle, stored.id);
    Ok(stored)
}

/// Stores the move of `job`, locked in this transaction, to `next`, with whatever else `also` sets; wakes
/// whoever it concerns.
///
/// A lease that ends leaves its announced objects to the garbage, and a job that ends its preview and latents. A job that ends is charged.
pub(crate) async fn store(
    write: &mut Write,
    job: &Job,
    next: Lifecycle,
    also: impl FnOnce(&mut table::ActiveModel),
) -> Result<Job, StoreError> {
    let also = |row: &mut table::ActiveModel| {
        also(row);
        Ok(())
    };
    try_store(write, job, next, also).await
}

/// As [`store`], where what is set besides may be no value of a row.
pub(crate) async fn try_store(
    write: &mut Write,
    job: &Job,
    next: Lifecycle,
    also: impl FnOnce(&mut table::ActiveModel) -> Result<(), StoreError>,
) -> Result<Job, StoreError> {
    let ends = Ends::of(job, &next);
    // One that no worker has had left nothing.
    if ends.is_end() && job.lifecycle.epoch > 0 {
        previews::remove(write, job.id).await?;
        artifacts::abandon_latents(write, job.id).await?;
    }
    let row = changed(write, job, &next, ends, also)?;
    if job.lifecycle.state.lease().is_some() {
        artifacts::abandon_uncommitted(write, job.id).await?;
    }
    let stored = guarded(write, job, row).await?;
    if let Some(charged) = ends.charged() {
        write.settlement.add(job.tenant, charges::ended(&stored, charged));
        webhooks::job_ended(write, &stored).await?;
    }
    write.note(Transition::between(job, &stored));
    tell(write, &next, job.id);
    Ok(stored)
}

/// Whether a move ends a job, and what that is charged.
#[derive(Debug, Clone, Copy)]
struct Ends(Option<VideoTime>);

impl Ends {
    fn of(job: &Job, next: &Lifecycle) -> Self {
        let ends = next.state.is_terminal() && !job.lifecycle.state.is_terminal();
        Self(ends.then(|| charges::charged(job, &next.state)))
    }

    const fn is_end(self) -> bool {
        self.0.is_some()
    }

    const fn charged(self) -> Option<VideoTime> {
        self.0
    }
}

/// The columns that the move of `job` to `next` sets; books what its lease has taken of the device.
fn changed(
    write: &mut Write,
    job: &Job,
    next: &Lifecycle,
    ends: Ends,
    also: impl FnOnce(&mut table::ActiveModel) -> Result<(), StoreError>,
) -> Result<table::ActiveModel, StoreError> {
    let mut row = lifecycle::columns(next)?;
    row.reserved_by = Set(None);
    row.reserved_until_ms = Set(None);
    row.revision = Set(signed(TABLE, "revision", job.revision + 1)?);
    if let Some(charged) = ends.charged() {
        row.charged_ms = Set(Some(signed(TABLE, "charged_ms", charged.ms())?));
        row.ended_at_ms = Set(Some(write.now.ms()));
        row.preview_step = Set(None);
    }
    also(&mut row)?;
    if let Some((_, lease)) = job.lifecycle.state.lease() {
        let device_ms = if let Set(ms) = row.lease_device_ms { ms } else { job.lease_device_ms };
        write.booking.add((job.tenant, &job.spec.model, lease.worker), Came::of(&next.state), device_ms);
        row.lease_device_ms = Set(0);
    }
    Ok(row)
}

/// Notes what does not move the job: the same guard, the same count of changes.
pub(crate) async fn note(write: &mut Write, job: &Job, what: impl FnOnce(&mut table::ActiveModel)) -> Result<Job, StoreError> {
    let mut row = table::ActiveModel { revision: Set(signed(TABLE, "revision", job.revision + 1)?), ..Default::default() };
    what(&mut row);
    let stored = guarded(write, job, row).await?;
    write.tell(Change::Job(job.id));
    Ok(stored)
}

/// Writes one row that must still stand where `job` stood.
async fn guarded(write: &Write, job: &Job, row: table::ActiveModel) -> Result<Job, StoreError> {
    let rows = table::Entity::update_many()
        .set(row)
        .filter(table::Column::Id.eq(job.id.uuid()))
        .filter(table::Column::State.eq(job.lifecycle.state.name()))
        .filter(table::Column::Epoch.eq(signed::<_, i32>(TABLE, "epoch", job.lifecycle.epoch)?))
        .exec_with_returning(&write.tx)
        .await?;
    match <[table::Model; 1]>::try_from(rows) {
        Ok([row]) => parsed(row),
        Err(_) => Err(StoreError::Raced { table: TABLE }),
    }
}

/// The revisions of those of these jobs that are there, not deleted, and to be read.
pub(crate) async fn revisions(db: &impl ConnectionTrait, ids: &[JobId]) -> Result<HashMap<JobId, u64>, StoreError> {
    let mut all = HashMap::with_capacity(ids.len());
    for some in ids.chunks(REVISIONS_AT_ONCE) {
        let revisions = table::Entity::find()
            .select_only()
            .columns([table::Column::Id, table::Column::Revision])
            .filter(table::Column::Id.is_in(in_steps(some.iter().map(|id| id.uuid()).collect())))
            .filter(table::Column::DeletedAtMs.is_null());
        let rows: Vec<(Uuid, i64)> = readable_tuples(db, revisions).await?;
        let read = |(id, revision)| Some((JobId::from_uuid(id), unsigned(TABLE, "revision", revision).ok()?));
        all.extend(rows.into_iter().filter_map(read));
    }
    Ok(all)
}

fn tell(write: &mut Write, next: &Lifecycle, id: JobId) {
    if let Some(stage) = next.waits_for() {
        write.tell(Change::Queue(stage));
    }
    write.tell(Change::Job(id));
}

pub(crate) fn parsed(row: table::Model) -> Result<Job, StoreError> {
    let lifecycle = lifecycle::parsed(&row)?;
    let (fallback, price) = fallback::parsed(&row)?;
    let arrangement = row.arrangement.as_deref().map_or(Ok(None), Arrangement::parse);
    let spec = JobSpec {
        model: row.model,
        size: Size { width: unsigned(TABLE, "width", row.width)?, height: unsigned(TABLE, "height", row.height)? },
        duration: VideoTime::from_ms(unsigned(TABLE, "duration_ms", row.duration_ms)?),
        steps: unsigned(TABLE, "steps", row.steps)?,
        guidance: row.guidance,
        seed: Seed::new(unsigned(TABLE, "seed", row.seed)?).ok_or_else(|| StoreError::inconsistent(TABLE, "seed", row.seed))?,
        prompt: row.prompt,
        expanded_prompt: row.expanded_prompt,
        read_as: row.read_as,
        negative_prompt: row.negative_prompt,
        arrangement: arrangement.map_err(|error| StoreError::inconsistent(TABLE, "arrangement", error))?,
    };
    // Rows from before quotes were stored have no more than their price, and are all of the one model that there was.
    let weight_of_before = match spec.size.width {
        96 => 500,
        192 => 750,
        768 => 1500,
        _ => 1000,
    };
    let held = VideoTime::from_ms(unsigned(TABLE, "billed_ms", row.billed_ms)?);
    let quote = Quote {
        duration: optional(TABLE, "counts_as_ms", row.counts_as_ms)?.map_or(spec.duration, VideoTime::from_ms),
        size_weight_permille: optional(TABLE, "size_weight_permille", row.size_weight_permille)?.unwrap_or(weight_of_before),
        steps: spec.steps,
        steps_default: optional(TABLE, "steps_default", row.steps_default)?.unwrap_or(STEPS_OF_BEFORE),
        billed: price.unwrap_or(held),
    };
    Ok(Job {
        id: JobId::from_uuid(row.id),
        tenant: TenantId::from_uuid(row.tenant_id),
        user: UserId::from_uuid(row.user_id),
        api_key: row.api_key_id.map(ApiKeyId::from_uuid),
        project: ProjectId::from_uuid(row.project_id.unwrap_or(row.tenant_id)),
        remixed_from: row.remixed_from.map(JobId::from_uuid),
        trace_id: row.trace_id,
        traceparent: row.traceparent,
        spec,
        work: optional(TABLE, "work_ms", row.work_ms)?.map_or(quote.billed, VideoTime::from_ms),
        quote,
        held,
        fallback,
        requested_model: row.requested_model,
        lifecycle,
        failed_attempts: row.failed_attempts.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default(),
        revision: unsigned(TABLE, "revision", row.revision)?,
        stage: row.stage.as_deref().map(stage).transpose()?,
        step: unsigned(TABLE, "step", row.step)?,
        preview_step: optional(TABLE, "preview_step", row.preview_step)?,
        decoded_permille: optional(TABLE, "decoded_permille", row.decoded_permille)?.unwrap_or_default(),
        sampling_ms: optional(TABLE, "sampling_ms", row.sampling_ms)?,
        sampled_at: row.sampled_at_ms.map(Timestamp::from_ms),
        decoding_ms: optional(TABLE, "decoding_ms", row.decoding_ms)?,
        lease_device_ms: row.lease_device_ms,
        created_at: Timestamp::from_ms(row.created_at_ms),
        started_at: row.started_at_ms.map(Timestamp::from_ms),
        ended_at: row.ended_at_ms.map(Timestamp::from_ms),
        // It is told beside the job, which does not depend on it.
        understanding: row.understanding.and_then(|text| serde_json::from_str(&text).ok()),
        charge: Charge {
            plan: row.plan,
            lane: row.lane.as_deref().and_then(Lane::named),
            drawn: row.drawn.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default(),
            charged: optional(TABLE, "charged_ms", row.charged_ms)?.map(VideoTime::from_ms),
        },
        tag: Tag { start: VirtualTime::new(row.start_tag), finish: VirtualTime::new(row.finish_tag) },
        deadlines: Deadlines { start_by: row.start_by_ms.map(Timestamp::from_ms), finish_by: row.finish_by_ms.map(Timestamp::from_ms) },
        quarantine_reason: row.quarantine_reason,
    })
}

/// As [`parsed`], of a row that may be taken for damaged: also looks at the columns that repeat others.
pub(crate) fn consistent(row: table::Model) -> Result<Job, StoreError> {
    let waiting = row.waits_for.clone();
    let job = parsed(row)?;
    let state = &job.lifecycle.state;
    if waiting.as_deref() != job.lifecycle.waits_for().map(Stage::as_str) {
        return Err(StoreError::inconsistent(TABLE, "waits_for", format!("{waiting:?} of a job that is {}", state.name())));
    }
    if job.ended_at.is_some() != state.is_terminal() {
        return Err(StoreError::inconsistent(TABLE, "ended_at_ms", format!("{:?} of a job that is {}", job.ended_at, state.name())));
    }
    Ok(job)
}

fn stage(text: &str) -> Result<Stage, StoreError> {
    [Stage::Sampling, Stage::Decoding]
        .into_iter()
        .find(|stage| stage.as_str() == text)
        .ok_or_else(|| StoreError::inconsistent(TABLE, "stage", text))
}
