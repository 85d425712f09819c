//! Setting aside what a job will cost at most, in the transaction that takes it in.

use super::{
    due::settle_due,
    entries::{self, Entry},
    grants, tenants,
    tenants::{Change, total},
};
use crate::{StoreError, SubmitError, entity::tenant as table};
use domain::{
    JobId, TenantId, Timestamp, VideoTime,
    billing::{Drawn, EntryKind, Part, draw},
    scheduling::AdmissionError,
};
use sea_orm::{ColumnTrait, ConnectionTrait, QueryFilter};

/// Takes `asked` from what the tenant has available, and adds it to what it has open: one conditional update, so that however many ask at
/// once, no more is given than there is. Returns the row as it is then; nobody else changes it until this transaction ends.
///
/// # Errors
/// [`AdmissionError::OutOfCredit`] when less is available; nothing was written.
pub(crate) async fn reserve(
    db: &impl ConnectionTrait,
    now: Timestamp,
    tenant: TenantId,
    asked: VideoTime,
) -> Result<table::Model, SubmitError> {
    if let Some(row) = take(db, tenant, asked, Some(now)).await? {
        return Ok(row);
    }
    let row = tenants::lock(db, tenant).await?;
    let row = if row.due_at_ms <= now.ms() { settle_due(db, now, row).await? } else { row };
    let taken = take(db, tenant, asked, None).await?;
    taken.ok_or_else(|| AdmissionError::OutOfCredit { available: total(row.available_ms), asked }.into())
}

/// What the tenant had open before [`reserve`] has taken `asked`.
pub(crate) fn open_before(row: &table::Model, asked: VideoTime) -> VideoTime {
    total(row.open_ms).saturating_sub(asked)
}

/// `unless_due`: only where no grant has expired by then, and no period has ended.
async fn take(
    db: &impl ConnectionTrait,
    tenant: TenantId,
    asked: VideoTime,
    unless_due: Option<Timestamp>,
) -> Result<Option<table::Model>, StoreError> {
    let ms = asked.ms().cast_signed();
    let mut update = tenants::change(tenant, Change { open: ms, available: -ms, held: ms }).filter(table::Column::AvailableMs.gte(ms));
    if let Some(now) = unless_due {
        update = update.filter(table::Column::DueAtMs.gt(now.ms()));
    }
    Ok(update.exec_with_returning(db).await?.into_iter().next())
}

/// From which grants [`reserve`] has taken `asked`, in the order in which they are drawn on.
pub(crate) async fn draw_on(db: &impl ConnectionTrait, tenant: TenantId, asked: VideoTime) -> Result<Vec<(Part, Drawn)>, StoreError> {
    let grants = grants::with_rest(db, tenant).await?;
    let rests = grants.iter().map(grants::rest).collect::<Result<Vec<_>, _>>()?;
    // The total says that there is enough.
    let parts = draw(&rests, asked).ok_or_else(|| StoreError::inconsistent("tenants", "available_ms", tenant))?;
    let drawn = |part: Part| {
        let grant = grants.iter().find(|grant| grant.id == part.grant).ok_or(StoreError::Raced { table: "grants" })?;
        Ok((part, Drawn { kind: grants::kind(grant)?, time: part.time, price: grants::price(grant) }))
    };
    parts.into_iter().map(drawn).collect()
}

/// Takes it from these grants for the job; `cause`: of one that is requeued.
pub(crate) async fn book(
    db: &impl ConnectionTrait,
    now: Timestamp,
    tenant: TenantId,
    (job, cause): (JobId, &str),
    parts: impl Iterator<Item = Part>,
) -> Result<(), StoreError> {
    let mut held = Vec::new();
    for part in parts {
        grants::take(db, part).await?;
        held.push(Entry { kind: EntryKind::Hold, part, job: Some(job), note: None, cause: cause.to_owned() });
    }
    entries::add(db, now, tenant, held).await
}
