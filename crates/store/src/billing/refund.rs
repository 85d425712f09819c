//! Taking back what a job was charged, in part or whole, and what is billed for it.

use super::{
    due::expire_due,
    entries::{self, Entry},
    grants, metering, tenants,
    tenants::Change,
};
use crate::{
    StoreError,
    entity::{grant, tenant as table},
};
use domain::{
    JobId, TenantId, Timestamp, VideoTime,
    billing::{EntryKind, GRACE_OF_CREDIT_MS, GrantKind, Money, Part, refund_last},
};
use sea_orm::ConnectionTrait;

/// What is to be given back.
#[derive(Debug, Clone, Copy)]
pub struct NewRefund<'a> {
    pub job: JobId,
    /// `None`: all that is still charged.
    pub amount: Option<VideoTime>,
    /// In words that the tenant sees.
    pub reason: &'a str,
    /// Names this refund: sent again, it is made once.
    pub once: &'a str,
}

/// What was given back.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Refunded {
    /// Nothing: this refund was made before, or nothing is charged.
    pub time: VideoTime,
    /// Of it, what another plan included, which is left as far as the plan of now includes as much in this month, or the plan in a month that is
    /// over, which is used no more.
    pub expired: VideoTime,
    /// Of it, what the payment processor was told already: so much is credited there for the next invoice.
    pub credited: Option<Money>,
}

#[derive(Debug, thiserror::Error)]
pub enum RefundError {
    #[error("{left} video-seconds are still charged for this video, and no more can be given back")]
    TooMuch { left: VideoTime },
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What was charged from one grant, and is not given back.
struct Charged {
    capture: entries::Capture,
    left: Part,
}

/// Gives back what a job was charged, to the grants that it came from, the last of them first. Credit that has expired can be used for another day;
/// what a plan gave for a month that is over is no longer charged, and can be used no longer.
///
/// # Errors
/// [`RefundError`]; the transaction is to be abandoned.
pub(crate) async fn refund(
    db: &impl ConnectionTrait,
    now: Timestamp,
    tenant: TenantId,
    new: NewRefund<'_>,
) -> Result<Refunded, RefundError> {
    let row = tenants::lock_live(db, tenant).await?;
    if row.due_at_ms <= now.ms() {
        expire_due(db, now, tenant).await?;
    }
    if entries::is_refunded(db, new.job, new.once).await? {
        return Ok(Refunded::default());
    }
    let charged = charged(db, tenant, new.job).await?;
    let left = charged.iter().fold(VideoTime::default(), |left, charged| left + charged.left.time);
    let time = new.amount.unwrap_or(left);
    if time > left {
        return Err(RefundError::TooMuch { left });
    }
    if time == VideoTime::default() {
        return Ok(Refunded::default());
    }
    let parts = refund_last(&charged.iter().map(|charged| charged.left).collect::<Vec<_>>(), time);
    let grants = grants::find_all(db, &parts.iter().map(|part| part.grant).collect::<Vec<_>>()).await?;
    let (mut credited, mut expired) = (None::<Money>, VideoTime::default());
    for part in &parts {
        let grant = grants.iter().find(|grant| grant.id == part.grant).ok_or(StoreError::Raced { table: "grants" })?;
        let is_overage = grants::kind(grant)? == GrantKind::Overage;
        // What was to be paid afterwards is given back as money.
        if !give_back(db, now, tenant, grant, *part, new).await? && !is_overage {
            expired = expired + part.time;
        }
        let capture = charged.iter().map(|charged| &charged.capture).find(|capture| capture.part.grant == part.grant);
        if is_overage && let Some(capture) = capture {
            credited = domain::billing::sum(credited, unbill(db, &row, grant, capture, *part).await?);
        }
    }
    Ok(Refunded { time, expired, credited })
}

/// In the order in which it was drawn.
async fn charged(db: &impl ConnectionTrait, tenant: TenantId, job: JobId) -> Result<Vec<Charged>, StoreError> {
    let before = entries::of_kind(db, tenant, job, EntryKind::Refund).await?;
    let left = |capture: entries::Capture| {
        let refunded =
            before.iter().filter(|part| part.grant == capture.part.grant).fold(VideoTime::default(), |sum, part| sum + part.time);
        let left = Part { time: capture.part.time.saturating_sub(refunded), ..capture.part };
        Charged { capture, left }
    };
    Ok(entries::captures(db, tenant, job).await?.into_iter().map(left).collect())
}

/// Whether it can be used: what a plan gave for a time that is over cannot.
async fn give_back(
    db: &impl ConnectionTrait,
    now: Timestamp,
    tenant: TenantId,
    grant: &grant::Model,
    part: Part,
    new: NewRefund<'_>,
) -> Result<bool, StoreError> {
    let refund = Entry { kind: EntryKind::Refund, part, job: Some(new.job), note: Some(new.reason.to_owned()), cause: new.once.to_owned() };
    let is_over = grant.expires_at_ms <= now.ms();
    if is_over && !grants::kind(grant)?.is_credit() {
        // Its plan may come back, and what another one gives may be more again.
        grants::leave(db, part).await?;
        tenants::look_again(db, tenant).await?;
        let expire = Entry { kind: EntryKind::Expire, part, job: None, note: Some(new.reason.to_owned()), cause: String::new() };
        entries::add(db, now, tenant, vec![refund, expire]).await?;
        return Ok(false);
    }
    let until = is_over.then(|| now.plus_ms(GRACE_OF_CREDIT_MS));
    grants::give_back(db, part, until).await?;
    let available = part.time.ms().cast_signed();
    tenants::change(tenant, Change { available, ..Change::default() }).exec(db).await?;
    tenants::due_by(db, tenant, until.unwrap_or(Timestamp::from_ms(grant.expires_at_ms))).await?;
    entries::add(db, now, tenant, vec![refund]).await?;
    Ok(true)
}

/// Has it not billed; the money that is to be credited for it, where it may be on an invoice, or soon be.
async fn unbill(
    db: &impl ConnectionTrait,
    row: &table::Model,
    grant: &grant::Model,
    capture: &entries::Capture,
    part: Part,
) -> Result<Option<Money>, StoreError> {
    if metering::take_back(db, capture.entry, part.time).await? {
        return Ok(None);
    }
    let is_billed = metering::is_billed(db, TenantId::from_uuid(row.id), capture.at).await?;
    Ok(grants::price(grant).filter(|_| is_billed).map(|price| price.of(part.time)))
}
