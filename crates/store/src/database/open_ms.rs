//! The running totals of what tenants have open, as the end of a transaction changes them.

use crate::{StoreError, entity::tenant as table};
use domain::{TenantId, VideoTime};
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, UpdateMany,
    sea_query::{Expr, ExprTrait},
};
use std::collections::BTreeMap;

/// By how much one transaction changes the totals.
#[derive(Default)]
pub(crate) struct Moved {
    /// Milliseconds of video time.
    by_tenant: BTreeMap<TenantId, i64>,
}

impl Moved {
    pub(crate) fn ended(&mut self, tenant: TenantId, work: VideoTime) {
        *self.by_tenant.entry(tenant).or_default() -= work.ms().cast_signed();
    }

    pub(crate) async fn apply(&self, db: &impl ConnectionTrait) -> Result<(), StoreError> {
        for (tenant, by_ms) in self.by_tenant.iter().filter(|(_, by_ms)| **by_ms != 0) {
            add(*tenant, *by_ms).exec(db).await?;
        }
        Ok(())
    }
}

pub(crate) fn add(tenant: TenantId, ms: i64) -> UpdateMany<table::Entity> {
    table::Entity::update_many()
        .col_expr(table::Column::OpenMs, Expr::col(table::Column::OpenMs).add(ms))
        .filter(table::Column::Id.eq(tenant.uuid()))
}
