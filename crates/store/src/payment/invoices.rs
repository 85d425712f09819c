//! The `invoices` table: the only place that writes it.

use super::moment;
use crate::{StoreError, database::write::Write, entity::invoice as table, system::chance};
use domain::{
    TenantId, Timestamp,
    billing::{Currency, Invoice, InvoiceStatus, Money, PlanCharge},
};
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, sea_query::OnConflict};

const TABLE: &str = "invoices";

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

/// Those of all tenants, also of deleted ones, that were made at `since` or later and of which something is paid.
pub(crate) async fn paid_since(db: &impl ConnectionTrait, since: Timestamp) -> Result<Vec<(TenantId, Invoice)>, StoreError> {
    let paid = table::Entity::find().filter(table::Column::CreatedAtMs.gte(since.ms())).filter(table::Column::PaidMinor.gt(0));
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
