//! Who a tenant's jobs are by: the one column of `jobs` that changes when an account is deleted.

use crate::{StoreError, database::write::Write, entity::job as table};
use domain::{TenantId, UserId};
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QuerySelect,
    sea_query::{Expr, SimpleExpr},
};
use uuid::Uuid;

/// From now on they are the other user's.
pub(crate) async fn give(write: &Write, tenant: TenantId, from: UserId, to: UserId) -> Result<(), StoreError> {
    let theirs = table::Entity::update_many().col_expr(table::Column::UserId, Expr::value(to.uuid()));
    let theirs = theirs.filter(table::Column::TenantId.eq(tenant.uuid())).filter(table::Column::UserId.eq(from.uuid()));
    theirs.exec(&write.tx).await?;
    Ok(())
}

pub(crate) async fn has_tenant_any(db: &impl ConnectionTrait, tenant: TenantId) -> Result<bool, StoreError> {
    is_any(db, table::Column::TenantId.eq(tenant.uuid())).await
}

pub(crate) async fn has_user_any(db: &impl ConnectionTrait, user: UserId) -> Result<bool, StoreError> {
    is_any(db, table::Column::UserId.eq(user.uuid())).await
}

async fn is_any(db: &impl ConnectionTrait, which: SimpleExpr) -> Result<bool, StoreError> {
    let first: Option<Uuid> = table::Entity::find().filter(which).select_only().column(table::Column::Id).into_tuple().one(db).await?;
    Ok(first.is_some())
}
