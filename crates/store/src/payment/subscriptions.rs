//! The `subscriptions` table: the only place that writes it.

use super::moment;
use crate::{
    StoreError,
    database::write::Write,
    entity::{subscription as table, tenant},
    system::chance,
};
use domain::{
    TenantId, Timestamp,
    billing::{Money, Subscription, SubscriptionStatus},
};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
    sea_query::{OnConflict, Query},
};
use uuid::Uuid;

const TABLE: &str = "subscriptions";
/// Ids of plans have none.
const SEPARATOR: &str = ",";

/// The newest first.
pub(super) async fn of_tenant(db: &impl ConnectionTrait, tenant: TenantId) -> Result<Vec<Subscription>, StoreError> {
    let of_tenant = table::Entity::find().filter(table::Column::TenantId.eq(tenant.uuid()));
    let rows = of_tenant.order_by_desc(table::Column::BeganAtMs).order_by_desc(table::Column::Id).all(db).await?;
    rows.into_iter().map(parsed).collect()
}

/// Puts `fetched` in place of what was known `before`; returns what is known then. One that is not told any more is canceled.
pub(super) async fn replace(
    write: &Write,
    tenant: TenantId,
    before: &[Subscription],
    fetched: &[Subscription],
) -> Result<Vec<Subscription>, StoreError> {
    let with_what_we_know = |now: &Subscription| {
        let plans = now.plans_paid(before.iter().find(|before| before.id == now.id));
        Subscription { past_due_since: past_due_since(write.now, before, now), plans, ..now.clone() }
    };
    let mut known: Vec<_> = fetched.iter().map(with_what_we_know).collect();
    for gone in before.iter().filter(|before| fetched.iter().all(|now| now.id != before.id)) {
        let ended_at = gone.ended_at.or(Some(write.now));
        known.push(Subscription { status: SubscriptionStatus::Canceled, ended_at, past_due_since: None, ..gone.clone() });
    }
    for subscription in known.iter().filter(|now| !before.contains(now)) {
        put(write, tenant, subscription).await?;
    }
    Ok(known)
}

/// Our own clock counts, from when we first knew of it: nobody is limited because an event came late.
fn past_due_since(now: Timestamp, before: &[Subscription], subscription: &Subscription) -> Option<Timestamp> {
    (subscription.status == SubscriptionStatus::PastDue)
        .then(|| before.iter().find(|before| before.id == subscription.id).and_then(|before| before.past_due_since).unwrap_or(now))
}

async fn put(write: &Write, tenant: TenantId, subscription: &Subscription) -> Result<(), StoreError> {
    let row = table::ActiveModel {
        id: Set(subscription.id.clone()),
        tenant_id: Set(tenant.uuid()),
        plan: Set(subscription.plan.clone()),
        status: Set(subscription.status.as_str().to_owned()),
        began_at_ms: Set(subscription.began_at.ms()),
        period_starts_ms: Set(subscription.period_starts_at.ms()),
        period_ends_ms: Set(subscription.period_ends_at.ms()),
        anchor_ms: Set(subscription.anchor.ms()),
        cancel_at_ms: Set(subscription.cancel_at.map(Timestamp::ms)),
        trial_ends_ms: Set(subscription.trial_ends_at.map(Timestamp::ms)),
        ended_at_ms: Set(subscription.ended_at.map(Timestamp::ms)),
        monthly_minor: Set(subscription.monthly.thousandths_of_minor / 1000),
        currency: Set(subscription.monthly.currency.code().to_owned()),
        past_due_since_ms: Set(subscription.past_due_since.map(Timestamp::ms)),
        plans: Set(subscription.plans.join(SEPARATOR)),
    };
    let again = OnConflict::column(table::Column::Id)
        .update_columns([
            table::Column::Plan,
            table::Column::Status,
            table::Column::BeganAtMs,
            table::Column::PeriodStartsMs,
            table::Column::PeriodEndsMs,
            table::Column::AnchorMs,
            table::Column::CancelAtMs,
            table::Column::TrialEndsMs,
            table::Column::EndedAtMs,
            table::Column::MonthlyMinor,
            table::Column::Currency,
            table::Column::PastDueSinceMs,
            table::Column::Plans,
        ])
        .to_owned();
    table::Entity::insert(row).on_conflict(again).exec_without_returning(&write.tx).await?;
    Ok(())
}

/// Tenants with a plan that is paid for, and a payment that has failed at `until` or before.
pub(super) async fn past_due_until(db: &impl ConnectionTrait, until: Timestamp, limit: u64) -> Result<Vec<TenantId>, StoreError> {
    let paying = Query::select().column(tenant::Column::Id).from(tenant::Entity).and_where(tenant::Column::PaidPlan.is_not_null()).take();
    let ids: Vec<Uuid> = table::Entity::find()
        .select_only()
        .column(table::Column::TenantId)
        .filter(table::Column::PastDueSinceMs.lte(until.ms()))
        .filter(table::Column::TenantId.in_subquery(paying))
        .order_by_asc(table::Column::PastDueSinceMs)
        .limit(limit)
        .into_tuple()
        .all(db)
        .await?;
    Ok(ids.into_iter().map(TenantId::from_uuid).collect())
}

/// Those of a tenant that is deleted have ended, and nothing is left by which the payment processor finds anybody.
pub(super) async fn forget(write: &Write, tenant: TenantId) -> Result<(), StoreError> {
    for known in of_tenant(&write.tx, tenant).await? {
        let update = table::Entity::update_many().filter(table::Column::Id.eq(known.id));
        let forgotten = table::ActiveModel {
            id: Set(format!("gone_{}", chance::new_name().simple())),
            status: Set(SubscriptionStatus::Canceled.as_str().to_owned()),
            ended_at_ms: Set(Some(known.ended_at.unwrap_or(write.now).ms())),
            past_due_since_ms: Set(None),
            ..Default::default()
        };
        update.set(forgotten).exec(&write.tx).await?;
    }
    Ok(())
}

fn parsed(row: table::Model) -> Result<Subscription, StoreError> {
    let status = SubscriptionStatus::named(&row.status).ok_or_else(|| StoreError::inconsistent(TABLE, "status", &row.status))?;
    let currency = row.currency.clone().try_into().map_err(|_| StoreError::inconsistent(TABLE, "currency", &row.currency))?;
    Ok(Subscription {
        id: row.id,
        plan: row.plan,
        status,
        began_at: Timestamp::from_ms(row.began_at_ms),
        period_starts_at: Timestamp::from_ms(row.period_starts_ms),
        period_ends_at: Timestamp::from_ms(row.period_ends_ms),
        anchor: Timestamp::from_ms(row.anchor_ms),
        cancel_at: moment(row.cancel_at_ms),
        trial_ends_at: moment(row.trial_ends_ms),
        ended_at: moment(row.ended_at_ms),
        monthly: Money::of_minor(row.monthly_minor, currency),
        past_due_since: moment(row.past_due_since_ms),
        plans: row.plans.split(SEPARATOR).filter(|plan| !plan.is_empty()).map(ToOwned::to_owned).collect(),
    })
}
