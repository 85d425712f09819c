//! The `ledger_entries` table: the only place that writes it.

use crate::{
    StoreError, chance,
    entity::{ledger_entry as table, signed, unsigned},
    sql::in_steps,
};
use domain::{
    JobId, TenantId, Timestamp, VideoTime,
    billing::{EntryKind, Part},
};
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, Select};
use std::collections::HashSet;
use uuid::Uuid;

pub(super) const TABLE: &str = "ledger_entries";

pub(super) struct Entry {
    pub kind: EntryKind,
    pub part: Part,
    pub job: Option<JobId>,
    /// Why.
    pub note: Option<String>,
    /// Of refunds: which one; others of the same job are other refunds. Of what is held for a job, and of what becomes of that: since which
    /// requeue of it, and nothing of its first run.
    pub cause: String,
}

/// What a job was charged from one grant.
pub(super) struct Capture {
    pub entry: Uuid,
    pub at: Timestamp,
    pub part: Part,
}

/// Those of nothing are left out.
pub(super) async fn add(db: &impl ConnectionTrait, now: Timestamp, tenant: TenantId, entries: Vec<Entry>) -> Result<(), StoreError> {
    add_all(db, now, entries.into_iter().map(|entry| (tenant, entry)).collect()).await
}

/// The same for several tenants, in one statement.
pub(super) async fn add_all(db: &impl ConnectionTrait, now: Timestamp, entries: Vec<(TenantId, Entry)>) -> Result<(), StoreError> {
    let mut rows = Vec::with_capacity(entries.len());
    let some = entries.into_iter().filter(|(_, entry)| entry.part.time > VideoTime::default());
    for (tenant, Entry { kind, part, job, note, cause }) in some {
        let (from, to) = kind.accounts();
        rows.push(table::ActiveModel {
            id: Set(chance::new_id()),
            tenant_id: Set(tenant.uuid()),
            at_ms: Set(now.ms()),
            kind: Set(kind.as_str().to_owned()),
            from_account: Set(from.as_str().to_owned()),
            to_account: Set(to.as_str().to_owned()),
            amount_ms: Set(signed(TABLE, "amount_ms", part.time.ms())?),
            grant_id: Set(part.grant),
            job_id: Set(job.map(JobId::uuid)),
            note: Set(note),
            cause: Set(cause),
        });
    }
    if !rows.is_empty() {
        table::Entity::insert_many(rows).exec_without_returning(db).await?;
    }
    Ok(())
}

/// What was booked of one kind for a job, in the order in which it was drawn.
pub(super) async fn of_kind(db: &impl ConnectionTrait, tenant: TenantId, job: JobId, kind: EntryKind) -> Result<Vec<Part>, StoreError> {
    rows_of_kind(tenant, job, kind).all(db).await?.iter().map(part).collect()
}

/// What a job was charged, in the order in which it was drawn.
pub(super) async fn captures(db: &impl ConnectionTrait, tenant: TenantId, job: JobId) -> Result<Vec<Capture>, StoreError> {
    let rows = rows_of_kind(tenant, job, EntryKind::Capture).all(db).await?;
    rows.iter().map(|row| Ok(Capture { entry: row.id, at: Timestamp::from_ms(row.at_ms), part: part(row)? })).collect()
}

fn rows_of_kind(tenant: TenantId, job: JobId, kind: EntryKind) -> Select<table::Entity> {
    let of_job = table::Entity::find().filter(table::Column::JobId.eq(job.uuid())).filter(table::Column::TenantId.eq(tenant.uuid()));
    of_job.filter(table::Column::Kind.eq(kind.as_str())).order_by_asc(table::Column::Id)
}

/// How much of a grant has expired for this reason.
pub(super) async fn expired_as(db: &impl ConnectionTrait, tenant: TenantId, grant: Uuid, note: &str) -> Result<VideoTime, StoreError> {
    let of_tenant = table::Entity::find().filter(table::Column::TenantId.eq(tenant.uuid())).filter(table::Column::GrantId.eq(grant));
    let expired = of_tenant.filter(table::Column::Kind.eq(EntryKind::Expire.as_str()));
    let rows = expired.filter(table::Column::Note.eq(note)).all(db).await?;
    rows.iter().try_fold(VideoTime::default(), |sum, row| Ok(sum + part(row)?.time))
}

/// Whether this refund of a job was made before.
pub(super) async fn is_refunded(db: &impl ConnectionTrait, job: JobId, cause: &str) -> Result<bool, StoreError> {
    let of_job =
        table::Entity::find().filter(table::Column::JobId.eq(job.uuid())).filter(table::Column::Kind.eq(EntryKind::Refund.as_str()));
    Ok(of_job.filter(table::Column::Cause.eq(cause)).one(db).await?.is_some())
}

fn part(row: &table::Model) -> Result<Part, StoreError> {
    Ok(Part { grant: row.grant_id, time: VideoTime::from_ms(unsigned(TABLE, "amount_ms", row.amount_ms)?) })
}

/// What is held for a job.
pub(super) struct Hold {
    pub job: JobId,
    pub part: Part,
    /// That of its entry.
    pub cause: String,
}

/// What is held for these jobs, in the order in which it was drawn: not what an earlier run of them had held, of which each end has entries.
pub(super) async fn holds(db: &impl ConnectionTrait, jobs: &[JobId]) -> Result<Vec<Hold>, StoreError> {
    let kinds = [EntryKind::Hold, EntryKind::Capture, EntryKind::Release, EntryKind::ReleaseExpired].map(EntryKind::as_str);
    let rows = table::Entity::find()
        .filter(table::Column::JobId.is_in(in_steps(jobs.iter().map(|job| job.uuid()).collect())))
        .filter(table::Column::Kind.is_in(kinds))
        .order_by_asc(table::Column::Id)
        .all(db)
        .await?;
    let (holds, ends): (Vec<_>, Vec<_>) = rows.into_iter().partition(|row| row.kind == EntryKind::Hold.as_str());
    let ended: HashSet<_> = ends.iter().map(|row| (row.job_id, &row.cause)).collect();
    let open = holds.iter().filter(|row| !ended.contains(&(row.job_id, &row.cause)));
    let hold = |row: &table::Model| {
        let part = part(row)?;
        Ok(row.job_id.map(|job| Hold { job: JobId::from_uuid(job), part, cause: row.cause.clone() }))
    };
    open.filter_map(|row| hold(row).transpose()).collect()
}

/// Names what is held for a job when it is requeued. Its row must be locked.
pub(crate) async fn next_cause(db: &impl ConnectionTrait, tenant: TenantId, job: JobId) -> Result<String, StoreError> {
    let rows = rows_of_kind(tenant, job, EntryKind::Hold).all(db).await?;
    let runs: HashSet<_> = rows.iter().map(|row| &row.cause).collect();
    Ok(format!("requeue {}", runs.len()))
}
