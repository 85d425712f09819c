//! The `invoices` table: the only place that writes it.

use super::moment;
use crate::{StoreError, database::write::Write, entity::invoice as table};
use domain::{
    TenantId, Timestamp,
    billing::{Invoice, InvoiceStatus, Money},
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
        ])
        .to_owned();
    table::Entity::insert(row).on_conflict(again).exec_without_returning(&write.tx).await?;
    Ok(())
}

pub(super) async fn delete_all(write: &Write, tenant: TenantId) -> Result<(), StoreError> {
    table::Entity::delete_many().filter(table::Column::TenantId.eq(tenant.uuid())).exec(&write.tx).await?;
    Ok(())
}

fn parsed(row: table::Model) -> Result<Invoice, StoreError> {
    let status = InvoiceStatus::named(&row.status).ok_or_else(|| StoreError::inconsistent(TABLE, "status", &row.status))?;
    let currency = row.currency.clone().try_into().map_err(|_| StoreError::inconsistent(TABLE, "currency", &row.currency))?;
    Ok(Invoice {
        id: row.id,
        number: row.number,
        status,
        total: Money::of_minor(row.total_minor, currency),
        paid: Money::of_minor(row.paid_minor, currency),
        created_at: Timestamp::from_ms(row.created_at_ms),
        url: row.url,
        next_attempt_at: moment(row.next_attempt_ms),
    })
}
