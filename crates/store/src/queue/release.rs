//! Letting the jobs of tenants into the queue that the limits of their plans keep outside of it.
//!
//! Whether a job enters is decided with its tenant's row locked, by the submission or by whoever releases it, so that any number
//! of servers let in as much as one would.

use super::line::{self, IS_IN_QUEUE, Lines};
use crate::{
    Job, Store, StoreError, billing,
    database::write::Write,
    entity::{job, tenant as table, unsigned},
    rows::{
        has_come, jobs, places_by,
        texts::{self, Texts},
        this_place,
        unreadable::Locked,
    },
};
use domain::{
    TenantId, Timestamp, VideoTime,
    billing::Plan,
    scheduling::{LineOf, Passage, ReleaseGate},
};
use sea_orm::{
    ActiveModelTrait,
    ActiveValue::Set,
    ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Select,
    sea_query::{Alias, Expr, ExprTrait, Func, LockBehavior, LockType, SimpleExpr},
};
use uuid::Uuid;

/// Tenants looked through at once, and jobs of each that enter in one transaction.
const TENANTS_AT_ONCE: u64 = 50;
const JOBS_AT_ONCE: u64 = 20;
/// Whose jobs cannot be let in for whatever is wrong is looked at again after so long.
const LOOK_AGAIN_MS: i64 = 2000;
/// However late the next one may enter, and where it waits for another job, whose end has it looked at: what lies further ahead was set before the
/// clock was put back; what lies less far ahead, maybe by another transaction that began later and had the tenant's row first.
const LOOK_AT_LEAST_MS: i64 = 60_000;
/// What is due and was not let in is somebody else's, or cannot be read: it is looked at again after so long.
const STUCK_MS: u64 = 250;
/// In the words of the index `jobs_throttled`: SQLite takes it for nothing else.
pub(super) const IS_THROTTLED: &str = "state = 'throttled'";

/// What was let in, and when there is more to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Released {
    pub jobs: u64,
    /// In how many milliseconds. `None`: nobody waits.
    pub next_in_ms: Option<u64>,
}

/// Why a job has not entered the queue yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Throttled {
    /// By the release rate it enters at this moment.
    Until(Timestamp),
    /// By the release rate, behind others of its tenant: it is not known when.
    Behind,
    /// So many of its tenant's jobs are made at once.
    AtOnce(u32),
}

/// When the rate lets another job enter. The clock may have been put back since the last one has, which then lets it enter now.
pub(super) fn free_at(row: &table::Model, gate: ReleaseGate, now: Timestamp) -> Timestamp {
    let work = VideoTime::from_ms(u64::try_from(row.released_work_ms).unwrap_or_default());
    let released_at = Timestamp::from_ms(row.released_at_ms);
    if released_at > now.plus_ms(LOOK_AT_LEAST_MS) { now } else { gate.free_after(released_at, work) }
}

/// Whether a job of so much `work` that is taken in now enters the queue at once. Notes that it has, or that one more waits; the tenant's row
/// is locked.
pub(crate) async fn enters(
    db: &impl ConnectionTrait,
    now: Timestamp,
    (row, plan): (&table::Model, &Plan),
    work: VideoTime,
) -> Result<bool, StoreError> {
    let Some(gate) = ReleaseGate::of(plan) else { return Ok(row.next_release_ms.is_none()) };
    if row.next_release_ms.is_some() {
        // Behind those that wait.
        return Ok(false);
    }
    let free_at = free_at(row, gate, now);
    let next = match gate.passage(free_at, in_queue(db, row.id, gate).await?, now) {
        Passage::Open => {
            let update = table::ActiveModel {
                id: Set(row.id),
                released_at_ms: Set(ReleaseGate::counts_from(free_at, now).ms()),
                released_work_ms: Set(work.ms().cast_signed()),
                ..Default::default()
            };
            update.update(db).await?;
            return Ok(true);
        }
        Passage::At(moment) => moment.min(now.plus_ms(LOOK_AT_LEAST_MS)),
        Passage::AfterAnother => now.plus_ms(LOOK_AT_LEAST_MS),
    };
    set_next(db, row.id, Some(next)).await?;
    Ok(false)
}

async fn set_next(db: &impl ConnectionTrait, tenant: Uuid, next: Option<Timestamp>) -> Result<(), StoreError> {
    let next_release_ms = Set(next.map(Timestamp::ms));
    table::ActiveModel { id: Set(tenant), next_release_ms, ..Default::default() }.update(db).await?;
    Ok(())
}

/// How many jobs of a tenant are in the queue or with a worker, as far as a limit needs to know.
async fn in_queue(db: &impl ConnectionTrait, tenant: Uuid, gate: ReleaseGate) -> Result<u64, StoreError> {
    let Some(at_once) = gate.at_once() else { return Ok(0) };
    // One in quarantine keeps no other out.
    let open = job::Entity::find().filter(job::Column::TenantId.eq(tenant)).filter(Expr::cust(IS_IN_QUEUE));
    let open = open.filter(job::Column::QuarantinedSinceMs.is_null());
    let open = open.select_only().column(job::Column::Id).limit(u64::from(at_once));
    Ok(open.into_tuple::<Uuid>().all(db).await?.len() as u64)
}

/// A tenant's jobs that have not entered, the next first.
pub(super) fn throttled(tenant: Uuid) -> Select<job::Entity> {
    job::Entity::find().filter(job::Column::TenantId.eq(tenant)).filter(Expr::cust(IS_THROTTLED))
}

async fn has_throttled(db: &impl ConnectionTrait, tenant: Uuid) -> Result<bool, StoreError> {
    Ok(first_of(db, throttled(tenant)).await?.is_some())
}

async fn first_of(db: &impl ConnectionTrait, jobs: Select<job::Entity>) -> Result<Option<Uuid>, StoreError> {
    Ok(jobs.select_only().column(job::Column::Id).limit(1).into_tuple().one(db).await?)
}

pub(super) fn next_first(jobs: Select<job::Entity>) -> Select<job::Entity> {
    jobs.order_by_asc(job::Column::CreatedAtMs).order_by_asc(job::Column::Id)
}

pub(super) async fn release_due(store: &Store) -> Result<Released, StoreError> {
    let mut released = Released::default();
    loop {
        let now = store.now().await?;
        let due = table::Entity::find()
            .select_only()
            .column(table::Column::Id)
            .filter(has_come(table::Column::NextReleaseMs, now, LOOK_AT_LEAST_MS))
            .order_by_asc(table::Column::NextReleaseMs)
            .limit(TENANTS_AT_ONCE);
        let due: Vec<Uuid> = due.into_tuple().all(&store.db).await?;
        let (before, is_last) = (released.jobs, (due.len() as u64) < TENANTS_AT_ONCE);
        for tenant in due {
            match release_of(store, tenant).await {
                Ok(jobs) => released.jobs += jobs,
                // It keeps no other tenant waiting.
                Err(error) => {
                    tracing::warn!(tenant.id = %tenant, error = &error as &dyn std::error::Error, "jobs of a tenant stay outside of the queue");
                    put_off(store, tenant, now).await?;
                }
            }
        }
        if is_last && released.jobs == before {
            break;
        }
    }
    let next = table::Entity::find().select_only().column(table::Column::NextReleaseMs).filter(table::Column::NextReleaseMs.is_not_null());
    let next: Option<i64> = next.order_by_asc(table::Column::NextReleaseMs).limit(1).into_tuple().one(&store.db).await?;
    let now = store.now().await?;
    let next_in_ms = next.map(|next| Timestamp::from_ms(next).ms_since(now)).map(|ms| if ms == 0 { STUCK_MS } else { ms });
    Ok(Released { next_in_ms, ..released })
}

/// Looks at a tenant again in a while.
async fn put_off(store: &Store, tenant: Uuid, now: Timestamp) -> Result<(), StoreError> {
    let write = store.write().await?;
    set_next(&write.tx, tenant, Some(now.plus_ms(LOOK_AGAIN_MS))).await?;
    write.commit().await
}

/// How many jobs of one tenant have entered.
async fn release_of(store: &Store, tenant: Uuid) -> Result<u64, StoreError> {
    let mut write = store.write().await?;
    let now = write.now;
    // Jobs first, as whoever ends them does.
    let readable = || next_first(throttled(tenant)).filter(job::Column::Id.is_not_in(store.unreadable()));
    let waiting = readable()
        .limit(JOBS_AT_ONCE)
        .select_only()
        .column(job::Column::Id)
        .lock_with_behavior(LockType::NoKeyUpdate, LockBehavior::SkipLocked);
    let ids: Vec<Uuid> = waiting.into_tuple().all(&write.tx).await?;
    let row = billing::lock_tenant(&write.tx, TenantId::from_uuid(tenant)).await?;
    let is_due = |next: i64| Timestamp::from_ms(next).has_come(now, LOOK_AT_LEAST_MS);
    // Those behind the jobs that another server has just locked are not the next ones.
    let are_next = first_of(&write.tx, readable()).await? == ids.first().copied();
    if !are_next || !row.next_release_ms.is_some_and(is_due) {
        // Another server is here, or was.
        write.abandon().await?;
        return Ok(0);
    }
    if row.deleted_at_ms.is_some() {
        // They are about to be deleted, and nobody would see what is made of them meanwhile.
        set_next(&write.tx, tenant, None).await?;
        write.commit().await?;
        return Ok(0);
    }
    if ids.is_empty() && has_throttled(&write.tx, tenant).await? {
        // None of them can be read: the tenants behind this one have their turn meanwhile.
        set_next(&write.tx, tenant, Some(now.plus_ms(LOOK_AGAIN_MS))).await?;
        write.commit().await?;
        return Ok(0);
    }
    let plan = billing::current_plan(&write.tx, &row.plan).await?;
    let gate = ReleaseGate::of(&plan);
    let is_last = (ids.len() as u64) < JOBS_AT_ONCE;
    let mut locked = Locked::read(&write, texts::jobs(Texts::LeftOut), ids).await?;
    let mut in_queue = match gate {
        Some(gate) => in_queue(&write.tx, tenant, gate).await?,
        None => 0,
    };
    let (mut released, mut last, mut next) = (0, None, if is_last { None } else { Some(now) });
    for job in std::mem::take(&mut locked.jobs) {
        let free_at = match (gate, last) {
            (Some(gate), Some((entered, work))) => gate.free_after(entered, work),
            (Some(gate), None) => free_at(&row, gate, now),
            (None, _) => now,
        };
        match gate.map_or(Passage::Open, |gate| gate.passage(free_at, in_queue, now)) {
            Passage::Open => {}
            Passage::At(moment) => {
                next = Some(moment.min(now.plus_ms(LOOK_AT_LEAST_MS)));
                break;
            }
            Passage::AfterAnother => {
                next = Some(now.plus_ms(LOOK_AT_LEAST_MS));
                break;
            }
        }
        if let Err(error) = enter(store, &mut write, &job, plan.weight).await {
            locked.pass_over(job.id, error)?;
            continue;
        }
        last = Some((ReleaseGate::counts_from(free_at, now), job.held));
        (in_queue, released) = (in_queue + u64::from(!job.lifecycle.quarantined), released + 1);
    }
    if next.is_none() && has_throttled(&write.tx, tenant).await? {
        // Somebody else is just writing it, or it cannot be read.
        next = Some(now.plus_ms(LOOK_AGAIN_MS));
    }
    let (released_at_ms, released_work_ms) = match last {
        Some((entered, work)) => (Set(entered.ms()), Set(work.ms().cast_signed())),
        None => Default::default(),
    };
    let next_release_ms = Set(next.map(Timestamp::ms));
    let update = table::ActiveModel { id: Set(tenant), released_at_ms, released_work_ms, next_release_ms, ..Default::default() };
    update.update(&write.tx).await?;
    write.commit().await?;
    locked.note_unreadable(store).await;
    Ok(released)
}

async fn enter(store: &Store, write: &mut Write, job: &Job, weight: u32) -> Result<(), StoreError> {
    let Ok(next) = job.lifecycle.clone().release() else {
        return Err(StoreError::inconsistent(jobs::TABLE, "state", job.lifecycle.state.name()));
    };
    let line = LineOf { lane: job.lane(), model: &job.spec.model };
    let progress = Lines::read(store, &write.tx, line.model).await?.progress(line.lane);
    let tag = line::stand(&write.tx, (job.tenant, line), (progress, job.work, weight), job.deadlines.first()).await?;
    let queued_at_ms = Some(write.now.ms());
    let tags = |row: &mut job::ActiveModel| {
        row.start_tag = Set(tag.start.value());
        row.finish_tag = Set(tag.finish.value());
        row.queued_at_ms = Set(queued_at_ms);
    };
    jobs::store(write, job, next, tags).await.map(drop)
}

pub(super) async fn throttle(store: &Store, job: &Job) -> Result<Option<Throttled>, StoreError> {
    let db = store.of(job.tenant);
    let Some(row) = table::Entity::find_by_id(job.tenant.uuid()).one(&db).await? else { return Ok(None) };
    let Some(gate) = ReleaseGate::of(&billing::current_plan(&db, &row.plan).await?) else { return Ok(None) };
    let now = store.now().await?;
    let free_at = free_at(&row, gate, now);
    if gate.passage(free_at, in_queue(&db, row.id, gate).await?, now) == Passage::AfterAnother {
        return Ok(gate.at_once().map(Throttled::AtOnce));
    }
    // PostgreSQL adds up BIGINT to NUMERIC.
    let sum = SimpleExpr::from(Func::sum(Expr::col(job::Column::BilledMs))).cast_as(Alias::new("BIGINT"));
    let place = this_place((job.created_at.ms(), job.id.uuid()));
    let ahead = throttled(job.tenant.uuid()).filter(places_by(job::Column::CreatedAtMs).lt(place));
    let ahead: Option<Option<i64>> = ahead.select_only().expr_as(sum, "ahead_ms").into_tuple().one(&db).await?;
    let ahead = VideoTime::from_ms(unsigned(jobs::TABLE, "billed_ms", ahead.flatten().unwrap_or_default())?);
    let until = gate.enters_at(free_at, ahead, now).map(Throttled::Until);
    Ok(until.or_else(|| gate.at_once().map(Throttled::AtOnce)))
}
