//! Taking back what a job was charged, in part or whole, and what is billed for it.

use super::{
    credits::Credits,
    due::expire_due,
    entries::{self, Entry},
    grants, metering, tenants,
    tenants::Change,
};
use crate::{
    Asked, StoreError,
    database::write::Write,
    entity::{grant, tenant as table},
    rows::account::audit,
};
use domain::{
    Act, JobId, TenantId, Timestamp, VideoTime,
    billing::{EntryKind, GRACE_OF_CREDIT_MS, GrantKind, Money, Part, refund_last},
};

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
    /// `None`: by the command line.
    pub by: Option<Asked<'a>>,
}

/// What was given back.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Refunded {
    /// Nothing: this refund was made before, or nothing is charged.
    pub time: VideoTime,
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

impl Credits<'_> {
    /// Gives back what a job was charged, to the grants that it came from, the last of them first. Credit that has expired can be used for another
    /// day; what a plan gave for a month that is over is no longer charged, and can be used no longer. What was used beyond what the plan includes
    /// is not billed: it is told to nobody where it was not yet, and credited in money otherwise.
    ///
    /// # Errors
    /// [`RefundError`]; nothing was changed.
    pub async fn refund(self, new: NewRefund<'_>) -> Result<Refunded, RefundError> {
        let (store, tenant) = self.parts();
        let mut write = store.write().await?;
        let refunded = refund_in(&mut write, tenant, new).await;
        write.end(refunded).await
    }
}

async fn refund_in(write: &mut Write, tenant: TenantId, new: NewRefund<'_>) -> Result<Refunded, RefundError> {
    let row = tenants::lock(&write.tx, tenant).await?;
    if row.due_at_ms <= write.now.ms() {
        expire_due(&write.tx, write.now, tenant).await?;
    }
    if entries::is_refunded(&write.tx, new.job, new.once).await? {
        return Ok(Refunded::default());
    }
    let charged = charged(write, tenant, new.job).await?;
    let left = charged.iter().fold(VideoTime::default(), |left, charged| left + charged.left.time);
    let time = new.amount.unwrap_or(left);
    if time > left {
        return Err(RefundError::TooMuch { left });
    }
    if time == VideoTime::default() {
        return Ok(Refunded::default());
    }
    let parts = refund_last(&charged.iter().map(|charged| charged.left).collect::<Vec<_>>(), time);
    let grants = grants::find_all(&write.tx, &parts.iter().map(|part| part.grant).collect::<Vec<_>>()).await?;
    let mut credited: Option<Money> = None;
    for part in &parts {
        let grant = grants.iter().find(|grant| grant.id == part.grant).ok_or(StoreError::Raced { table: "grants" })?;
        give_back(write, tenant, grant, *part, new).await?;
        let capture = charged.iter().map(|charged| &charged.capture).find(|capture| capture.part.grant == part.grant);
        if grants::kind(grant)? == GrantKind::Overage
            && let Some(capture) = capture
        {
            credited = domain::billing::sum(credited, unbill(write, &row, grant, capture, *part).await?);
        }
    }
    if let (Some(customer), Some(money)) = (&row.stripe_customer, credited) {
        write.add_event(metering::credit_customer(customer, money, &format!("{}:{}", new.job, new.once)));
    }
    note(write, tenant, new, time).await?;
    Ok(Refunded { time, credited })
}

/// In the order in which it was drawn.
async fn charged(write: &Write, tenant: TenantId, job: JobId) -> Result<Vec<Charged>, StoreError> {
    let before = entries::of_kind(&write.tx, tenant, job, EntryKind::Refund).await?;
    let left = |capture: entries::Capture| {
        let refunded =
            before.iter().filter(|part| part.grant == capture.part.grant).fold(VideoTime::default(), |sum, part| sum + part.time);
        let left = Part { time: capture.part.time.saturating_sub(refunded), ..capture.part };
        Charged { capture, left }
    };
    Ok(entries::captures(&write.tx, tenant, job).await?.into_iter().map(left).collect())
}

async fn give_back(write: &Write, tenant: TenantId, grant: &grant::Model, part: Part, new: NewRefund<'_>) -> Result<(), StoreError> {
    let refund = Entry { kind: EntryKind::Refund, part, job: Some(new.job), note: Some(new.reason.to_owned()), cause: new.once.to_owned() };
    let is_over = grant.expires_at_ms <= write.now.ms();
    if is_over && !grants::kind(grant)?.is_credit() {
        let expire = Entry { kind: EntryKind::Expire, part, job: None, note: Some(new.reason.to_owned()), cause: String::new() };
        return entries::add(&write.tx, write.now, tenant, vec![refund, expire]).await;
    }
    let until = is_over.then(|| write.now.plus_ms(GRACE_OF_CREDIT_MS));
    grants::give_back(&write.tx, part, until).await?;
    let available = part.time.ms().cast_signed();
    tenants::change(tenant, Change { available, ..Change::default() }).exec(&write.tx).await?;
    tenants::due_by(&write.tx, tenant, until.unwrap_or(Timestamp::from_ms(grant.expires_at_ms))).await?;
    entries::add(&write.tx, write.now, tenant, vec![refund]).await
}

/// Has it not billed; the money that is to be credited for it, where it may be on an invoice, or soon be.
async fn unbill(
    write: &Write,
    row: &table::Model,
    grant: &grant::Model,
    capture: &entries::Capture,
    part: Part,
) -> Result<Option<Money>, StoreError> {
    if metering::take_back(&write.tx, capture.entry, part.time).await? {
        return Ok(None);
    }
    let is_billed = metering::is_billed(&write.tx, TenantId::from_uuid(row.id), capture.at).await?;
    Ok(grants::price(grant).filter(|_| is_billed).map(|price| price.of(part.time)))
}

/// Into the log of the tenant, and into that of who did it.
async fn note(write: &Write, tenant: TenantId, new: NewRefund<'_>, time: VideoTime) -> Result<(), StoreError> {
    let subject = format!("{}, {time} video-seconds: {}", new.job, new.reason);
    audit::insert_of_operator(write, tenant, new.by, Act::Refunded, subject).await
}
