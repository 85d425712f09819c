//! The `meter_events` table: what is captured beyond what a plan includes, until whoever bills it knows of it. The only place that writes it.

use crate::{
    Store, StoreError,
    entity::{meter_event as table, tenant, unsigned},
};
use domain::{JobId, TenantId, Timestamp, VideoTime};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, FromQueryResult, QueryFilter, QueryOrder, QuerySelect, Statement,
    sea_query::Expr,
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
    pub customer: String,
    pub amount: VideoTime,
    pub at: Timestamp,
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

/// Of a tenant that is gone.
pub(crate) async fn delete_all(db: &impl ConnectionTrait, tenant: TenantId) -> Result<(), StoreError> {
    table::Entity::delete_many().filter(table::Column::TenantId.eq(tenant.uuid())).exec(db).await?;
    Ok(())
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

    /// What is still to be told, the oldest first.
    pub async fn unreported(self, limit: u64) -> Result<Vec<MeterEvent>, StoreError> {
        let rows = table::Entity::find().filter(table::Column::ReportedAtMs.is_null()).order_by_asc(table::Column::AtMs).limit(limit);
        let rows = rows.all(&self.store.db).await?;
        let tenants: Vec<_> = rows.iter().map(|row| row.tenant_id).collect();
        let known = tenant::Entity::find().filter(tenant::Column::Id.is_in(tenants)).all(&self.store.db).await?;
        let customer = |id: Uuid| known.iter().find(|tenant| tenant.id == id).and_then(|tenant| tenant.stripe_customer.clone());
        let mut events = Vec::with_capacity(rows.len());
        for row in rows {
            let amount = VideoTime::from_ms(unsigned(TABLE, "amount_ms", row.amount_ms)?);
            let at = Timestamp::from_ms(row.at_ms);
            // A tenant that is gone pays for nothing any more.
            match customer(row.tenant_id) {
                Some(customer) => events.push(MeterEvent { entry: row.entry_id, customer, amount, at }),
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
