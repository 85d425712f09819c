//! The `invoices` table: the only place that writes it.

use super::moment;
use crate::{StoreError, database::write::Write, entity::invoice as table, system::chance};
use domain::{
    TenantId, Timestamp,
    billing::{Currency, Invoice, InvoiceStatus, Money, PlanCharge},
};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
    sea_query::{ExprTrait, OnConflict},
};

const TABLE: &str = "invoices";
const DAY_MS: i64 = 24 * 60 * 60 * 1000;
/// An invoice pays for no longer a time,
const YEAR_MS: i64 = 366 * DAY_MS;
/// and one that does not say for which, for a month from when it was made.
const MONTH_MS: i64 = 31 * DAY_MS;

/// The newest first.
pub(super) async fn of_tenant(db: &impl ConnectionTrait, tenant: TenantId, limit: u64) -> Result<Vec<Invoice>, StoreError> {
    let of_tenant = table::Entity::find().filter(table::Column::TenantId.eq(tenant.uuid()));
    let newest = of_tenant.order_by_desc(table::Column::CreatedAtMs).order_by_desc(table::Column::Id).limit(limit);
    newest.all(db).await?.into_iter().map(parsed).collect()
}

/// In place of what was known of it.
pub(super) async fn put(write: &Write, tenant: TenantId, invoice: &Invoice) -> Result<(), StoreError> {
    let row = table::ActiveModel {
        id: Set(invoice.id.clone()),
        tenant_id: Set(tenant.uuid()),
        number: Set(invoice.number.clone()),
        status: Set(invoice.status.as_str().to_owned()),
        total_minor: Set(invoice.total.thousandths_of_minor / 1000),
        paid_minor: Set(invoice.paid.thousandths_of_minor / 1000),
        currency: Set(invoice.total.currency.code().to_owned()),
        created_at_ms: Set(invoice.created_at.ms()),
        url: Set(invoice.url.clone()),
        next_attempt_ms: Set(invoice.next_attempt_at.map(Timestamp::ms)),
        plan_minor: Set(invoice.plan.map(|plan| plan.amount.thousandths_of_minor / 1000)),
        plan_starts_ms: Set(invoice.plan.map(|plan| plan.from.ms())),
        plan_ends_ms: Set(invoice.plan.map(|plan| plan.until.ms())),
    };
    let again = OnConflict::column(table::Column::Id)
        .update_columns([
            table::Column::Number,
            table::Column::Status,
            table::Column::TotalMinor,
            table::Column::PaidMinor,
            table::Column::Currency,
            table::Column::Url,
            table::Column::NextAttemptMs,
            table::Column::PlanMinor,
            table::Column::PlanStartsMs,
            table::Column::PlanEndsMs,
        ])
        .to_owned();
    table::Entity::insert(row).on_conflict(again).exec_without_returning(&write.tx).await?;
    Ok(())
}

/// Those of all tenants, also of deleted ones, of which something is paid, and that may be for a time after `since`. The others become more and more, and
/// are not read.
pub(crate) async fn paid_after(db: &impl ConnectionTrait, since: Timestamp) -> Result<Vec<(TenantId, Invoice)>, StoreError> {
    let made_within = |ms: i64| table::Column::CreatedAtMs.gte(since.plus_ms(-ms).ms());
    let paid = table::Entity::find().filter(made_within(YEAR_MS)).filter(table::Column::PaidMinor.gt(0));
    let paid = paid.filter(table::Column::PlanEndsMs.gt(since.ms()).or(made_within(MONTH_MS)));
    paid.all(db).await?.into_iter().map(|row| Ok((TenantId::from_uuid(row.tenant_id), parsed(row)?))).collect()
}

/// Amounts, states and times are left of those of a tenant that is deleted, and nothing by which the payment processor finds anybody.
pub(super) async fn forget(write: &Write, tenant: TenantId) -> Result<(), StoreError> {
    let of_tenant = table::Entity::find().filter(table::Column::TenantId.eq(tenant.uuid()));
    for row in of_tenant.all(&write.tx).await? {
        let update = table::Entity::update_many().filter(table::Column::Id.eq(row.id));
        let forgotten = table::ActiveModel {
            id: Set(format!("gone_{}", chance::new_name().simple())),
            number: Set(None),
            url: Set(None),
            next_attempt_ms: Set(None),
            ..Default::default()
        };
        update.set(forgotten).exec(&write.tx).await?;
    }
    Ok(())
}

fn parsed(row: table::Model) -> Result<Invoice, StoreError> {
    let status = InvoiceStatus::named(&row.status).ok_or_else(|| StoreError::inconsistent(TABLE, "status", &row.status))?;
    let currency: Currency = row.currency.clone().try_into().map_err(|_| StoreError::inconsistent(TABLE, "currency", &row.currency))?;
    Ok(Invoice {
        id: row.id,
        number: row.number,
        status,
        total: Money::of_minor(row.total_minor, currency),
        paid: Money::of_minor(row.paid_minor, currency),
        created_at: Timestamp::from_ms(row.created_at_ms),
        url: row.url,
        next_attempt_at: moment(row.next_attempt_ms),
        plan: plan_charge(row.plan_minor, row.plan_starts_ms, row.plan_ends_ms, currency),
    })
}

fn plan_charge(minor: Option<i64>, starts_ms: Option<i64>, ends_ms: Option<i64>, currency: Currency) -> Option<PlanCharge> {
    Some(PlanCharge { amount: Money::of_minor(minor?, currency), from: moment(starts_ms)?, until: moment(ends_ms)? })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests say what they expect by panicking")]

    use super::*;

    crate::on_both_engines! {
        async fn what_pays_for_a_time_that_is_over_is_not_read(database: TempDatabase) {
            let store = database.open().await.unwrap();
            let at = |day: i64| Timestamp::from_ms(day * DAY_MS);
            let dollars = Money::of_minor(2900, Currency::USD);
            let charge = |from, until| Some(PlanCharge { amount: dollars, from: at(from), until: at(until) });
            let write = store.write().await.unwrap();
            for (id, made, plan) in [
                ("of a year", 10, charge(10, 375)),
                ("over", 100, charge(100, 130)),
                ("over, and not said", 100, None),
                ("running", 170, charge(170, 200)),
                ("running, and not said", 175, None),
            ] {
                let invoice = Invoice {
                    id: id.to_owned(),
                    number: None,
                    status: InvoiceStatus::Paid,
                    total: dollars,
                    paid: dollars,
                    created_at: at(made),
                    url: None,
                    next_attempt_at: None,
                    plan,
                };
                put(&write, TenantId::from_uuid(chance::new_id()), &invoice).await.unwrap();
            }
            write.commit().await.unwrap();
            let read = paid_after(&store.db, at(190)).await.unwrap();
            let mut read: Vec<_> = read.iter().map(|(_, invoice)| invoice.id.as_str()).collect();
            read.sort_unstable();
            assert_eq!(read, ["of a year", "running", "running, and not said"]);
        }
    }
}
