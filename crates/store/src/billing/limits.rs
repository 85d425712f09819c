//! A tenant's spending limits: reading them, and setting one.

use super::{spending, tenants, tenants::total};
use crate::{
    Store, StoreError,
    database::write::Write,
    entity::spending_limit as table,
    rows::account::{asked::Asked, audit},
};
use domain::{
    Act, TenantId,
    billing::{Day, Spender, Spending, SpendingLimits, month_of},
};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter};

#[derive(Clone, Copy)]
pub struct SpendingRows<'a> {
    store: &'a Store,
    tenant: TenantId,
}

impl<'a> SpendingRows<'a> {
    pub(crate) const fn new(store: &'a Store, tenant: TenantId) -> Self {
        Self { store, tenant }
    }

    /// All that have limits, and what each has used in the month that runs.
    pub async fn list(self) -> Result<Vec<Spending>, StoreError> {
        let (from, _) = month_of(Day::of(self.store.now().await?));
        let rows = table::Entity::find().filter(table::Column::TenantId.eq(self.tenant.uuid())).all(&self.store.db).await?;
        let spending = |row: table::Model| {
            let spender = Spender::of_columns(&row.kind, row.subject_id);
            Ok(Spending {
                spender: spender.ok_or_else(|| StoreError::inconsistent(spending::TABLE, "kind", &row.kind))?,
                limits: SpendingLimits { hard: row.hard_ms.map(total), soft: row.soft_ms.map(total) },
                held: total(row.held_ms),
                charged: if row.from_day == from.0 { total(row.charged_ms) } else { total(0) },
            })
        };
        rows.into_iter().map(spending).collect()
    }

    /// `false`: there is no such project or key. They hold from the next job on; what is open goes on.
    pub async fn set(self, asked: Asked<'_>, spender: Spender, limits: SpendingLimits) -> Result<bool, StoreError> {
        let write = self.store.write().await?;
        if self.set_in(&write, asked, spender, limits).await? {
            write.commit().await?;
            return Ok(true);
        }
        write.abandon().await?;
        Ok(false)
    }

    async fn set_in(self, write: &Write, asked: Asked<'_>, spender: Spender, limits: SpendingLimits) -> Result<bool, StoreError> {
        let (db, tenant) = (&write.tx, self.tenant);
        tenants::lock(db, tenant).await?;
        let spender = match spender {
            Spender::Tenant => spender,
            Spender::Project(id) if spending::is_project(db, tenant, id.uuid()).await? => spender,
            Spender::Project(_) => return Ok(false),
            Spender::Key(id) => match spending::first_key(db, tenant, id).await? {
                Some(first) => Spender::Key(first),
                None => return Ok(false),
            },
        };
        let row = spending::this(db, tenant, spender).await?;
        match row {
            _ if limits == SpendingLimits::default() => spending::remove(db, tenant, spender).await?,
            Some(row) => spending::change(db, tenant, &row, spender, limits).await?,
            None => spending::insert(db, write.now, tenant, spender, limits).await?,
        }
        let text =
            |name: &str, limit: Option<domain::VideoTime>| limit.map_or_else(|| format!("no {name}"), |limit| format!("{name} {limit} s"));
        let whose = spending::whose(db, tenant, spender).await?;
        let subject = format!("{whose}: {}, {}", text("limit", limits.hard), text("alert", limits.soft));
        audit::insert(write, &asked.did_in(tenant, Act::SpendingLimitSet, &subject)).await?;
        Ok(true)
    }
}
