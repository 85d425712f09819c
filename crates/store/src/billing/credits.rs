//! What a tenant may use: reading it, and granting more.

use super::{
    due::{give, settle_due, used_since},
    entries::{self, Entry},
    grants::{self, Fresh, NEVER},
    plans, spending, tenants,
    tenants::total,
};
use crate::{
    Store, StoreError,
    entity::{grant, job, ledger_entry, unsigned},
};
use domain::{
    JobId, ProjectId, TenantId, Timestamp, VideoTime,
    billing::{Balance, Drawn, EntryKind, GrantKind, Part, Plan, Rest, Spender, UnitPrice, period_of},
};
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};
use std::collections::HashMap;
use uuid::Uuid;

/// Credit for a tenant.
#[derive(Debug, Clone)]
pub struct NewGrant {
    pub kind: GrantKind,
    pub amount: VideoTime,
    /// `None`: never.
    pub expires_at: Option<Timestamp>,
    /// What it is granted for: a second grant of the same cause is none.
    pub cause: String,
    /// What it was paid with.
    pub price: Option<UnitPrice>,
    /// The same in words.
    pub note: Option<String>,
}

/// Whether it was granted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Granted {
    Now,
    Before,
}

/// An entry of the ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LedgerRow {
    pub id: Uuid,
    pub at: Timestamp,
    pub kind: EntryKind,
    pub amount: VideoTime,
    pub job: Option<JobId>,
    /// Of the grant that it is about.
    pub grant: Option<GrantKind>,
    pub note: Option<String>,
}

#[derive(Debug, Clone)]
pub struct LedgerPage {
    pub rows: Vec<LedgerRow>,
    pub has_more: bool,
}

#[derive(Clone, Copy)]
pub struct Credits<'a> {
    store: &'a Store,
    tenant: TenantId,
}

impl<'a> Credits<'a> {
    pub(crate) const fn new(store: &'a Store, tenant: TenantId) -> Self {
        Self { store, tenant }
    }

    pub(crate) const fn parts(self) -> (&'a Store, TenantId) {
        (self.store, self.tenant)
    }

    /// The tenant's plan as it is now.
    pub async fn plan(self) -> Result<Plan, StoreError> {
        let row = tenants::read(&self.store.of(self.tenant), self.tenant).await?;
        plans::current(&self.store.of(self.tenant), &row.plan).await
    }

    /// For how many days the tenant's videos are kept, `None`: for ever; and until when they are kept at least.
    pub async fn kept(self) -> Result<(Option<u32>, Timestamp), StoreError> {
        let row = tenants::read(&self.store.of(self.tenant), self.tenant).await?;
        let plan = plans::current(&self.store.of(self.tenant), &row.plan).await?;
        Ok((plan.retention_days, Timestamp::from_ms(row.kept_until_ms)))
    }

    /// What the tenant can use now.
    pub async fn balance(self) -> Result<Balance, StoreError> {
        let now = self.store.now().await?;
        let row = tenants::read(&self.store.of(self.tenant), self.tenant).await?;
        if row.due_at_ms > now.ms() {
            return balance(&self.store.of(self.tenant), now, self.tenant).await;
        }
        let write = self.store.write_of(self.tenant).await?;
        let row = tenants::lock(&write.tx, self.tenant).await?;
        if row.due_at_ms <= write.now.ms() {
            settle_due(&write.tx, write.now, row).await?;
        }
        let balance = balance(&write.tx, write.now, self.tenant).await?;
        write.commit().await?;
        Ok(balance)
    }

    /// Gives credit. It is more than nothing.
    pub async fn grant(self, new: NewGrant) -> Result<Granted, StoreError> {
        let write = self.store.write_of(self.tenant).await?;
        tenants::lock(&write.tx, self.tenant).await?;
        let granted = grant(&write.tx, write.now, self.tenant, new).await?;
        write.commit().await?;
        Ok(granted)
    }

    /// The tenant has this plan from now on, and what it gives; what the one before gave is gone, credit stays. Nothing happens when it has the
    /// plan already. The plan must be one.
    pub async fn set_plan(self, plan: &str) -> Result<(), StoreError> {
        let write = self.store.write_of(self.tenant).await?;
        let row = tenants::lock(&write.tx, self.tenant).await?;
        if row.plan == plan {
            return write.abandon().await;
        }
        // Whoever needs the balance next gives what it gives: by then a change of the plan itself is seen.
        tenants::set_plan(&write.tx, &row, plan, write.now).await?;
        write.commit().await
    }

    /// The tenant has chosen this plan itself: as [`Self::set_plan`], in the months that it has, so that going back and forth gives nothing anew.
    /// `false`: it pays for another one.
    pub async fn choose_plan(self, plan: &str) -> Result<bool, StoreError> {
        let write = self.store.write_of(self.tenant).await?;
        let row = tenants::lock(&write.tx, self.tenant).await?;
        if row.paid_plan.is_some() {
            write.abandon().await?;
            return Ok(false);
        }
        let row = tenants::forget_paid_plan(&write.tx, &row, write.now).await?;
        tenants::set_plan(&write.tx, &row, plan, Timestamp::from_ms(row.plan_since_ms)).await?;
        write.commit().await?;
        Ok(true)
    }

    /// What the tenant has used of what plans include in the period that runs.
    pub async fn included_used(self) -> Result<VideoTime, StoreError> {
        let (db, now) = (self.store.of(self.tenant), self.store.now().await?);
        let since = Timestamp::from_ms(tenants::read(&db, self.tenant).await?.plan_since_ms);
        used_since(&db, self.tenant, period_of(since, now).0).await
    }

    /// The prices at which open jobs are paid afterwards, each once.
    pub async fn overage_held(self) -> Result<Vec<UnitPrice>, StoreError> {
        let open = job::Entity::find().filter(job::Column::TenantId.eq(self.tenant.uuid())).filter(job::Column::EndedAtMs.is_null());
        let drawn =
            open.select_only().column(job::Column::Drawn).distinct().filter(job::Column::Drawn.contains(GrantKind::Overage.as_str()));
        let found: Vec<Option<String>> = drawn.into_tuple().all(&self.store.of(self.tenant)).await?;
        let mut prices = Vec::new();
        for text in found.into_iter().flatten() {
            let drawn: Vec<Drawn> = serde_json::from_str(&text).map_err(|_| StoreError::inconsistent("jobs", "drawn", &text))?;
            for price in drawn.iter().filter(|drawn| drawn.kind == GrantKind::Overage).filter_map(|drawn| drawn.price) {
                if !prices.contains(&price) {
                    prices.push(price);
                }
            }
        }
        Ok(prices)
    }

    /// What was granted for a cause.
    pub async fn granted_for(self, cause: &str) -> Result<Option<(GrantKind, VideoTime)>, StoreError> {
        let Some(row) = grants::find_by_cause(&self.store.of(self.tenant), self.tenant, cause).await? else { return Ok(None) };
        Ok(Some((grants::kind(&row)?, VideoTime::from_ms(unsigned("grants", "amount_ms", row.amount_ms)?))))
    }

    /// What was booked for a job, in the order in which it was.
    pub async fn of_job(self, job: JobId) -> Result<Vec<LedgerRow>, StoreError> {
        let of_job = ledger_entry::Entity::find().filter(ledger_entry::Column::JobId.eq(job.uuid()));
        let of_job = of_job.filter(ledger_entry::Column::TenantId.eq(self.tenant.uuid())).order_by_asc(ledger_entry::Column::Id);
        rows(&self.store.of(self.tenant), of_job.all(&self.store.of(self.tenant)).await?).await
    }

    /// The newest entries before `before`.
    pub async fn ledger(self, before: Option<Uuid>, limit: u64) -> Result<LedgerPage, StoreError> {
        let mut query = ledger_entry::Entity::find().filter(ledger_entry::Column::TenantId.eq(self.tenant.uuid()));
        if let Some(before) = before {
            query = query.filter(ledger_entry::Column::Id.lt(before));
        }
        let mut found = query.order_by_desc(ledger_entry::Column::Id).limit(limit + 1).all(&self.store.of(self.tenant)).await?;
        let has_more = found.len() as u64 > limit;
        found.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        Ok(LedgerPage { rows: rows(&self.store.of(self.tenant), found).await?, has_more })
    }
}

/// Gives credit to a tenant whose row is locked.
pub(crate) async fn grant(db: &impl ConnectionTrait, now: Timestamp, tenant: TenantId, new: NewGrant) -> Result<Granted, StoreError> {
    let NewGrant { kind, amount, expires_at, cause, price, note } = new;
    let fresh = Fresh { kind, cause, amount, expires_at_ms: expires_at.map_or(NEVER, Timestamp::ms), price, note };
    let given = give(db, now, tenant, fresh).await?;
    Ok(if given.is_some() { Granted::Now } else { Granted::Before })
}

const PAID_BACK: &str = "paid back";

/// Of credit that was granted for a cause, so much was not paid in the end: that much of it is taken back, as far as it is left now. The tenant's
/// row is locked.
pub(crate) async fn take_back(
    db: &impl ConnectionTrait,
    now: Timestamp,
    tenant: TenantId,
    cause: &str,
    unpaid: VideoTime,
) -> Result<(), StoreError> {
    if unpaid == VideoTime::default() {
        return Ok(());
    }
    let Some(row) = grants::find_by_cause(db, tenant, cause).await? else { return Ok(()) };
    let before = entries::expired_as(db, tenant, row.id, PAID_BACK).await?;
    let time = VideoTime::from_ms(unpaid.ms().saturating_sub(before.ms()).min(grants::rest(&row)?.time.ms()));
    if time == VideoTime::default() {
        return Ok(());
    }
    let part = Part { grant: row.id, time };
    grants::take(db, part).await?;
    tenants::change(tenant, tenants::Change { available: -time.ms().cast_signed(), ..Default::default() }).exec(db).await?;
    let entry = Entry { kind: EntryKind::Expire, part, job: None, note: Some(PAID_BACK.to_owned()), cause: String::new() };
    entries::add(db, now, tenant, vec![entry]).await
}

async fn balance(db: &impl ConnectionTrait, now: Timestamp, tenant: TenantId) -> Result<Balance, StoreError> {
    let row = tenants::read(db, tenant).await?;
    let plan = plans::current(db, &row.plan).await?;
    let grants = grants::with_rest(db, tenant).await?.iter().map(rest).collect::<Result<_, _>>()?;
    let of_pages = [Spender::Tenant, Spender::Project(ProjectId::default_of(tenant))];
    let limit_left = if row.has_spending_limits { spending::left(db, now, tenant, &of_pages).await? } else { None };
    // A plan that ends gives nothing anew.
    let ends_ms = row.paid_until_ms.filter(|_| row.paid_plan.as_ref() == Some(&row.plan));
    let renews_at = moment(row.period_ends_ms).filter(|at| ends_ms.is_none_or(|ends_ms| ends_ms > at.ms()));
    Ok(Balance { plan: plan.name, grants, held: total(row.held_ms), renews_at, limit_left, open_work_max: plan.open_work_max_ms })
}

fn rest(row: &grant::Model) -> Result<Rest, StoreError> {
    Ok(Rest {
        kind: grants::kind(row)?,
        amount: VideoTime::from_ms(unsigned("grants", "amount_ms", row.amount_ms)?),
        rest: grants::rest(row)?.time,
        expires_at: moment(row.expires_at_ms),
        price: grants::price(row),
        note: row.note.clone(),
    })
}

fn moment(ms: i64) -> Option<Timestamp> {
    (ms != NEVER).then(|| Timestamp::from_ms(ms))
}

async fn rows(db: &impl ConnectionTrait, found: Vec<ledger_entry::Model>) -> Result<Vec<LedgerRow>, StoreError> {
    let ids: Vec<_> = found.iter().map(|row| row.grant_id).collect();
    let grants: HashMap<_, _> = grants::find_all(db, &ids).await?.into_iter().map(|grant| (grant.id, grant)).collect();
    let row = |row: ledger_entry::Model| {
        Ok(LedgerRow {
            id: row.id,
            at: Timestamp::from_ms(row.at_ms),
            kind: EntryKind::named(&row.kind).ok_or_else(|| StoreError::inconsistent(entries::TABLE, "kind", &row.kind))?,
            amount: VideoTime::from_ms(unsigned(entries::TABLE, "amount_ms", row.amount_ms)?),
            job: row.job_id.map(JobId::from_uuid),
            grant: grants.get(&row.grant_id).map(grants::kind).transpose()?,
            note: row.note,
        })
    };
    found.into_iter().map(row).collect()
}
