//! The `meter_events` table: what is captured beyond what a plan includes, until whoever bills it knows of it. The only place that writes it.

use crate::{
    Store, StoreError,
    entity::{meter_event as table, signed, subscription, tenant, unsigned},
};
use domain::{JobId, TenantId, Timestamp, VideoTime};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, Condition, ConnectionTrait, EntityTrait, FromQueryResult, QueryFilter, QuerySelect, Statement,
    sea_query::{Expr, ExprTrait},
};
use uuid::Uuid;

const TABLE: &str = "meter_events";
/// What of a tenant that is gone could not be told for a week is told no more.
const TELLABLE_MS: i64 = 7 * 24 * 60 * 60 * 1000;
/// Two periods and more.
const KEPT_MS: i64 = 70 * 24 * 60 * 60 * 1000;

/// Video time that is to be paid for afterwards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MeterEvent {
    /// Of the entry of the ledger: whoever is told twice of it counts it once.
    pub entry: Uuid,
    pub tenant: TenantId,
    pub customer: String,
    pub amount: VideoTime,
    pub at: Timestamp,
    /// Since when it may have been told.
    pub begun_at: Timestamp,
}

/// Notes what these jobs, which have just ended, were charged beyond what a plan includes.
pub(super) async fn note(db: &impl ConnectionTrait, jobs: &[JobId]) -> Result<(), StoreError> {
    let places: Vec<_> = (1..=jobs.len()).map(|at| format!("${at}")).collect();
    let sql = format!(
        "INSERT INTO {TABLE} (entry_id, tenant_id, amount_ms, at_ms) \
         SELECT entry.id, entry.tenant_id, entry.amount_ms, entry.at_ms FROM ledger_entries AS entry \
         JOIN grants ON grants.id = entry.grant_id WHERE entry.job_id IN ({}) AND entry.kind = 'capture' AND grants.kind = 'overage'",
        places.join(", ")
    );
    let values = jobs.iter().map(|job| job.uuid().into());
    db.execute_raw(Statement::from_sql_and_values(db.get_database_backend(), sql, values)).await?;
    Ok(())
}

/// Whether anything of the last days is still to be told of a tenant.
pub(crate) async fn is_unreported(db: &impl ConnectionTrait, now: Timestamp, tenant: TenantId) -> Result<bool, StoreError> {
    let lately = table::Column::AtMs.gt(now.plus_ms(-TELLABLE_MS).ms());
    let waiting = table::Entity::find().filter(table::Column::TenantId.eq(tenant.uuid())).filter(table::Column::ReportedAtMs.is_null());
    Ok(waiting.filter(lately).one(db).await?.is_some())
}

/// Has so much of it told no more. `false`: it may have been told already.
pub(super) async fn take_back(db: &impl ConnectionTrait, entry: Uuid, time: VideoTime) -> Result<bool, StoreError> {
    let ms: i64 = signed(TABLE, "amount_ms", time.ms())?;
    let less = table::Entity::update_many()
        .col_expr(table::Column::AmountMs, Expr::col(table::Column::AmountMs).sub(ms))
        .filter(table::Column::EntryId.eq(entry))
        .filter(table::Column::BegunAtMs.is_null())
        .filter(table::Column::AmountMs.gte(ms));
    if less.exec(db).await?.rows_affected == 0 {
        return Ok(false);
    }
    let of_nothing = table::Entity::delete_many().filter(table::Column::EntryId.eq(entry)).filter(table::Column::AmountMs.eq(0));
    of_nothing.exec(db).await?;
    Ok(true)
}

/// Whether what was used at that moment beyond the plan is on an invoice, or will be: a subscription ran, and no trial.
pub(super) async fn is_billed(db: &impl ConnectionTrait, tenant: TenantId, at: Timestamp) -> Result<bool, StoreError> {
    let runs_still = subscription::Column::EndedAtMs.is_null().or(subscription::Column::EndedAtMs.gt(at.ms()));
    let is_paid = subscription::Column::TrialEndsMs.is_null().or(subscription::Column::TrialEndsMs.lte(at.ms()));
    let ran = subscription::Entity::find()
        .filter(subscription::Column::TenantId.eq(tenant.uuid()))
        .filter(subscription::Column::BeganAtMs.lte(at.ms()))
        .filter(Condition::all().add(runs_still).add(is_paid));
    Ok(ran.one(db).await?.is_some())
}

/// Of a tenant that is gone.
pub(crate) async fn delete_all(db: &impl ConnectionTrait, tenant: TenantId) -> Result<(), StoreError> {
    table::Entity::delete_many().filter(table::Column::TenantId.eq(tenant.uuid())).exec(db).await?;
    Ok(())
}

const BEGIN: &str = "UPDATE meter_events SET begun_at_ms = COALESCE(begun_at_ms, $1) WHERE reported_at_ms IS NULL AND entry_id IN \
     (SELECT entry_id FROM meter_events WHERE reported_at_ms IS NULL AND (tenant_id = $3 OR $3 IS NULL) ORDER BY at_ms LIMIT $2) RETURNING entry_id, tenant_id, amount_ms, at_ms, begun_at_ms";

#[derive(FromQueryResult)]
struct Begun {
    entry_id: Uuid,
    tenant_id: Uuid,
    amount_ms: i64,
    at_ms: i64,
    begun_at_ms: i64,
}

#[derive(FromQueryResult)]
struct Sum {
    sum_ms: i64,
}

#[derive(Clone, Copy)]
pub struct Metering<'a> {
    store: &'a Store,
}

impl<'a> Metering<'a> {
    pub(crate) const fn new(store: &'a Store) -> Self {
        Self { store }
    }

    /// What is still to be told, of one tenant or of all, the oldest first. From now on none of it is changed: it may have been told.
    pub async fn begin(self, tenant: Option<TenantId>, limit: u64) -> Result<Vec<MeterEvent>, StoreError> {
        let write = self.store.write().await?;
        let (limit, tenant) = (i64::try_from(limit).unwrap_or(i64::MAX), tenant.map(TenantId::uuid));
        let begun = write.statement(BEGIN, [write.now.ms().into(), limit.into(), tenant.into()]);
        let mut rows = Begun::find_by_statement(begun).all(&write.tx).await?;
        write.commit().await?;
        rows.sort_by_key(|row| row.at_ms);
        let tenants: Vec<_> = rows.iter().map(|row| row.tenant_id).collect();
        let known = tenant::Entity::find().filter(tenant::Column::Id.is_in(tenants)).all(&self.store.db).await?;
        let customer = |id: Uuid| known.iter().find(|tenant| tenant.id == id).and_then(|tenant| tenant.stripe_customer.clone());
        let mut events = Vec::with_capacity(rows.len());
        for row in rows {
            let amount = VideoTime::from_ms(unsigned(TABLE, "amount_ms", row.amount_ms)?);
            let (at, begun_at) = (Timestamp::from_ms(row.at_ms), Timestamp::from_ms(row.begun_at_ms));
            let tenant = TenantId::from_uuid(row.tenant_id);
            // A tenant that is gone pays for nothing any more.
            match customer(row.tenant_id) {
                Some(customer) => events.push(MeterEvent { entry: row.entry_id, tenant, customer, amount, at, begun_at }),
                None => self.reported(&[row.entry_id]).await?,
            }
        }
        Ok(events)
    }

    /// Whether anything of the last days is still to be told of a tenant.
    pub async fn has_unreported(self, tenant: TenantId) -> Result<bool, StoreError> {
        is_unreported(&self.store.of(tenant), self.store.now().await?, tenant).await
    }

    pub async fn reported(self, entries: &[Uuid]) -> Result<(), StoreError> {
        let write = self.store.write().await?;
        let told = table::ActiveModel { reported_at_ms: Set(Some(write.now.ms())), ..Default::default() };
        table::Entity::update_many().set(told).filter(table::Column::EntryId.is_in(entries.iter().copied())).exec(&write.tx).await?;
        write.commit().await
    }

    /// Of a database as it was at `then`: what was still to be told there may have been told since.
    pub async fn may_have_been_told(self, then: Timestamp) -> Result<(), StoreError> {
        let write = self.store.write().await?;
        let waiting = table::Entity::update_many().col_expr(table::Column::BegunAtMs, Expr::value(then.ms()));
        let waiting = waiting.filter(table::Column::ReportedAtMs.is_null()).filter(table::Column::BegunAtMs.is_null());
        waiting.exec(&write.tx).await?;
        write.commit().await
    }

    /// Forgets what was told so long ago that nobody compares it any more.
    pub async fn forget(self) -> Result<(), StoreError> {
        let write = self.store.write().await?;
        let long_ago = table::Column::ReportedAtMs.lte(write.now.plus_ms(-KEPT_MS).ms());
        table::Entity::delete_many().filter(long_ago).exec(&write.tx).await?;
        write.commit().await
    }

    /// All that was told of a tenant from one moment up to and without another.
    pub async fn reported_between(self, tenant: TenantId, from: Timestamp, until: Timestamp) -> Result<VideoTime, StoreError> {
        let sum = table::Entity::find()
            .select_only()
            .expr_as(Expr::cust("CAST(COALESCE(SUM(amount_ms), 0) AS BIGINT)"), "sum_ms")
            .filter(table::Column::TenantId.eq(tenant.uuid()))
            .filter(table::Column::AtMs.gte(from.ms()))
            .filter(table::Column::AtMs.lt(until.ms()))
            .filter(table::Column::ReportedAtMs.is_not_null());
        let sum = sum.into_model::<Sum>().one(&self.store.of(tenant)).await?;
        Ok(VideoTime::from_ms(unsigned(TABLE, "amount_ms", sum.map_or(0, |sum| sum.sum_ms))?))
    }
}
