//! What time brings: grants expire, and a plan gives anew at the beginning of its periods.
//!
//! It is done by whoever needs the balance next, under the lock on the tenant's row; so it needs no clock of its own, and no job is taken in
//! by what has expired.

use super::{
    entries::{self, Entry},
    grants::{self, Fresh, NEVER},
    plans,
    tenants::{self, Change},
};
use crate::{
    StoreError,
    entity::{grant, tenant as table},
};
use domain::{
    TenantId, Timestamp, VideoTime,
    billing::{EntryKind, GrantKind, Included, Overage, Part, Plan, UNLIMITED, period_of},
};
use sea_orm::{ActiveModelTrait, ActiveValue::Set, ConnectionTrait};

/// Ends what has expired. The tenant's row must be locked.
pub(super) async fn expire_due(db: &impl ConnectionTrait, now: Timestamp, tenant: TenantId) -> Result<(), StoreError> {
    for grant in grants::with_rest(db, tenant).await?.iter().filter(|grant| grant.expires_at_ms <= now.ms()) {
        expire(db, now, tenant, grant, Expired::InTime).await?;
    }
    Ok(())
}

/// The same, and gives what the plan gives for the period that runs now. Returns the row as it is then.
pub(super) async fn settle_due(db: &impl ConnectionTrait, now: Timestamp, row: table::Model) -> Result<table::Model, StoreError> {
    let tenant = TenantId::from_uuid(row.id);
    let row = end_paid_plan(db, now, row).await?;
    expire_due(db, now, tenant).await?;
    let period_ends_ms = if row.period_ends_ms <= now.ms() { begin_period(db, now, &row).await? } else { row.period_ends_ms };
    let due_at_ms = grants::first_expiry_ms(db, tenant).await?.min(period_ends_ms).min(row.paid_until_ms.unwrap_or(NEVER));
    let update =
        table::ActiveModel { id: Set(row.id), period_ends_ms: Set(period_ends_ms), due_at_ms: Set(due_at_ms), ..Default::default() };
    Ok(update.update(db).await?)
}

/// A plan that was cancelled ends when what was paid does, also where nobody has told us yet that it has.
async fn end_paid_plan(db: &impl ConnectionTrait, now: Timestamp, row: table::Model) -> Result<table::Model, StoreError> {
    if row.paid_until_ms.is_none_or(|until| until > now.ms()) {
        return Ok(row);
    }
    let is_paid = row.paid_plan.as_ref() == Some(&row.plan);
    let next = plan_after(db, &row).await?;
    let row = tenants::forget_paid_plan(db, &row, now).await?;
    if !is_paid {
        return Ok(row);
    }
    // In the months that it has: who goes back and forth is given nothing anew.
    let since = Timestamp::from_ms(row.plan_since_ms);
    tenants::set_plan(db, &row, &next, since).await
}

/// The plan that follows on the one that is paid.
pub(crate) async fn plan_after(db: &impl ConnectionTrait, row: &table::Model) -> Result<String, StoreError> {
    match &row.next_plan {
        Some(next) if plans::exists(db, next).await? => Ok(next.clone()),
        _ => plans::default(db).await,
    }
}

/// Why what is left of a grant can be used no longer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Expired {
    InTime,
    /// It is given again where the plan that gave it comes back.
    ByAnotherPlan,
}

async fn expire(db: &impl ConnectionTrait, now: Timestamp, tenant: TenantId, grant: &grant::Model, why: Expired) -> Result<(), StoreError> {
    let part = grants::rest(grant)?;
    grants::end(db, grant, now, why == Expired::ByAnotherPlan).await?;
    let note = if why == Expired::InTime { "not used in time" } else { "another plan" };
    if part.time > VideoTime::default() {
        tenants::change(tenant, Change { available: -part.time.ms().cast_signed(), ..Change::default() }).exec(db).await?;
    }
    entries::add(
        db,
        now,
        tenant,
        vec![Entry { kind: EntryKind::Expire, part, job: None, note: Some(note.to_owned()), cause: String::new() }],
    )
    .await
}

const CLOCKS_DIFFER_MS: i64 = 24 * 60 * 60 * 1000;

/// What the plan gives for a period: one of each kind.
struct Given {
    kind: GrantKind,
    amount: VideoTime,
    expires_at_ms: i64,
}

/// Gives what the plan says for the period that holds `now`, in place of what another plan gave. Where this one gave something for the
/// period under an earlier version, that is made more or less. Returns when the period ends.
async fn begin_period(db: &impl ConnectionTrait, now: Timestamp, row: &table::Model) -> Result<i64, StoreError> {
    let tenant = TenantId::from_uuid(row.id);
    let plan = plans::current(db, &row.plan).await?;
    let (from, until) = period_of(Timestamp::from_ms(row.plan_since_ms), now);
    let period = format!("{}:{}:", plan.id, from.ms());
    let cause = |kind: GrantKind| format!("{period}{}", kind.as_str());
    let plan = if row.without_overage { Plan { overage: None, ..plan } } else { plan };
    let used = used_of_other_plans(db, tenant, from, &cause(GrantKind::Included)).await?;
    let given = given(&plan, until, used);
    for before in grants::of_plan(db, tenant, now).await? {
        match given.iter().find(|given| cause(given.kind) == before.cause) {
            Some(given) => adjust(db, now, tenant, &before, given.amount).await?,
            // A later version may give it again.
            None if before.cause.starts_with(&period) => adjust(db, now, tenant, &before, VideoTime::default()).await?,
            None => expire(db, now, tenant, &before, Expired::ByAnotherPlan).await?,
        }
    }
    for Given { kind, amount, expires_at_ms } in given {
        if let Some(before) = grants::find_by_cause(db, tenant, &cause(kind)).await? {
            resume(db, now, tenant, &before, Given { kind, amount, expires_at_ms }).await?;
            continue;
        }
        let price = if kind == GrantKind::Overage { plan.overage_price() } else { None };
        let note = Some(plan.name.clone());
        give(db, now, tenant, Fresh { kind, cause: cause(kind), amount, expires_at_ms, price, note }).await?;
    }
    Ok(if plan.included == Included::Unlimited && plan.overage.is_none() { NEVER } else { until.ms() })
}

/// A plan that comes back within its period gives what was left of what it gave, and nothing anew.
async fn resume(db: &impl ConnectionTrait, now: Timestamp, tenant: TenantId, grant: &grant::Model, given: Given) -> Result<(), StoreError> {
    if grant.ended_ms == 0 && grant.expires_at_ms >= given.expires_at_ms {
        return Ok(());
    }
    let part = Part { grant: grant.id, time: VideoTime::from_ms(grant.ended_ms.unsigned_abs()) };
    let row = grants::resume(db, grant, given.expires_at_ms).await?;
    if part.time > VideoTime::default() {
        tenants::change(tenant, Change { available: grant.ended_ms, ..Change::default() }).exec(db).await?;
        let entry = Entry { kind: EntryKind::Grant, part, job: None, note: Some("the plan is back".to_owned()), cause: String::new() };
        entries::add(db, now, tenant, vec![entry]).await?;
    }
    adjust(db, now, tenant, &row, given.amount).await
}

/// What is used already stays used, and is paid at the price that there was.
async fn adjust(
    db: &impl ConnectionTrait,
    now: Timestamp,
    tenant: TenantId,
    grant: &grant::Model,
    amount: VideoTime,
) -> Result<(), StoreError> {
    let by_ms = (amount.ms().cast_signed() - grant.amount_ms).max(-grant.remaining_ms);
    if by_ms == 0 {
        return Ok(());
    }
    grants::adjust(db, grant, by_ms).await?;
    tenants::change(tenant, Change { available: by_ms, ..Change::default() }).exec(db).await?;
    let kind = if by_ms > 0 { EntryKind::Grant } else { EntryKind::Expire };
    let part = Part { grant: grant.id, time: VideoTime::from_ms(by_ms.unsigned_abs()) };
    entries::add(
        db,
        now,
        tenant,
        vec![Entry { kind, part, job: None, note: Some("another version of the plan".to_owned()), cause: String::new() }],
    )
    .await
}

/// What was used in a period of what other plans included.
async fn used_of_other_plans(db: &impl ConnectionTrait, tenant: TenantId, from: Timestamp, cause: &str) -> Result<VideoTime, StoreError> {
    let included = included_in(db, tenant, from).await?;
    Ok(used(included.iter().filter(|grant| grant.cause != cause)))
}

fn used<'a>(included: impl Iterator<Item = &'a grant::Model>) -> VideoTime {
    let used_ms: i64 = included.map(|grant| grant.amount_ms - grant.remaining_ms - grant.ended_ms).sum();
    VideoTime::from_ms(used_ms.max(0).unsigned_abs())
}

/// How the cause of what is included in the period from a moment ends. Before it stands the plan.
fn included_from(from: Timestamp) -> String {
    format!(":{}:{}", from.ms(), GrantKind::Included.as_str())
}

/// What plans included in the period from a moment.
async fn included_in(db: &impl ConnectionTrait, tenant: TenantId, from: Timestamp) -> Result<Vec<grant::Model>, StoreError> {
    // The clock by which a period begins may be ahead of ours.
    let mut included = grants::since(db, tenant, GrantKind::Included, from.plus_ms(-CLOCKS_DIFFER_MS)).await?;
    let period = included_from(from);
    included.retain(|grant| grant.cause.ends_with(&period));
    Ok(included)
}

/// What was used of all that plans included in the period from a moment.
pub(super) async fn used_since(db: &impl ConnectionTrait, tenant: TenantId, from: Timestamp) -> Result<VideoTime, StoreError> {
    Ok(used(included_in(db, tenant, from).await?.iter()))
}

/// A new tenant of an account that has had its month of what the plan includes elsewhere: it gets none of it before the next month, counted from
/// `since`, and is as old as the account is.
pub(crate) async fn had_elsewhere(db: &impl ConnectionTrait, tenant: TenantId, since: Timestamp, now: Timestamp) -> Result<(), StoreError> {
    let update =
        table::ActiveModel { id: Set(tenant.uuid()), created_at_ms: Set(since.ms()), plan_since_ms: Set(since.ms()), ..Default::default() };
    update.update(db).await?;
    // Of no plan, and used up.
    grants::insert_used(db, now, tenant, GrantKind::Included, included_from(period_of(since, now).0)).await
}

/// `used`: in the same period, of what other plans included. Who goes from one to another gains nothing by it.
fn given(plan: &Plan, until: Timestamp, used: VideoTime) -> Vec<Given> {
    let mut given = match plan.included {
        Included::Unlimited => vec![Given { kind: GrantKind::Unlimited, amount: UNLIMITED, expires_at_ms: NEVER }],
        Included::MonthlyMs(amount) => {
            let amount = VideoTime::from_ms(amount.ms().saturating_sub(used.ms()));
            vec![Given { kind: GrantKind::Included, amount, expires_at_ms: until.ms() }]
        }
    };
    if let Some(Overage { limit_ms, .. }) = plan.overage {
        given.push(Given { kind: GrantKind::Overage, amount: limit_ms, expires_at_ms: until.ms() });
    }
    given.retain(|given| given.amount > VideoTime::default());
    given
}

/// Grants it, unless it was granted before. It is not nothing, and the tenant's row is locked.
pub(super) async fn give(db: &impl ConnectionTrait, now: Timestamp, tenant: TenantId, fresh: Fresh) -> Result<Option<Part>, StoreError> {
    let note = fresh.note.clone();
    let expires_at = Timestamp::from_ms(fresh.expires_at_ms);
    let Some(part) = grants::insert(db, now, tenant, fresh).await? else { return Ok(None) };
    tenants::change(tenant, Change { available: part.time.ms().cast_signed(), ..Change::default() }).exec(db).await?;
    tenants::due_by(db, tenant, expires_at).await?;
    entries::add(db, now, tenant, vec![Entry { kind: EntryKind::Grant, part, job: None, note, cause: String::new() }]).await?;
    Ok(Some(part))
}
