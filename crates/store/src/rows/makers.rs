//! Who a tenant's jobs are by: the one column of `jobs` that changes when an account is deleted.

use crate::{StoreError, database::write::Write, entity::job as table};
use domain::{TenantId, UserId};
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QuerySelect, Select,
    sea_query::{Expr, LockBehavior, LockType, SimpleExpr},
};
use uuid::Uuid;

/// From now on at most `limit` of them are the other user's; one that somebody else is writing is left for another time. Returns how many
/// these were.
pub(crate) async fn give(write: &Write, tenant: TenantId, from: UserId, to: UserId, limit: u64) -> Result<u64, StoreError> {
    let theirs = ids(table::Column::UserId.eq(from.uuid())).filter(table::Column::TenantId.eq(tenant.uuid())).limit(limit);
    let theirs = theirs.lock_with_behavior(LockType::NoKeyUpdate, LockBehavior::SkipLocked);
    let theirs: Vec<Uuid> = theirs.into_tuple().all(&write.tx).await?;
    if theirs.is_empty() {
        return Ok(0);
    }
    let given = table::Entity::update_many().col_expr(table::Column::UserId, Expr::value(to.uuid()));
    Ok(given.filter(table::Column::Id.is_in(theirs)).exec(&write.tx).await?.rows_affected)
}

/// The tenants in which they made any.
pub(crate) async fn tenants_of(db: &impl ConnectionTrait, user: UserId) -> Result<Vec<TenantId>, StoreError> {
    let made = table::Entity::find().filter(table::Column::UserId.eq(user.uuid()));
    let tenants: Vec<Uuid> = made.select_only().column(table::Column::TenantId).distinct().into_tuple().all(db).await?;
    Ok(tenants.into_iter().map(TenantId::from_uuid).collect())
}

pub(crate) async fn has_tenant_any(db: &impl ConnectionTrait, tenant: TenantId) -> Result<bool, StoreError> {
    is_any(db, table::Column::TenantId.eq(tenant.uuid())).await
}

pub(crate) async fn has_user_any(db: &impl ConnectionTrait, user: UserId) -> Result<bool, StoreError> {
    is_any(db, table::Column::UserId.eq(user.uuid())).await
}

async fn is_any(db: &impl ConnectionTrait, which: SimpleExpr) -> Result<bool, StoreError> {
    let first: Option<Uuid> = ids(which).into_tuple().one(db).await?;
    Ok(first.is_some())
}

fn ids(which: SimpleExpr) -> Select<table::Entity> {
    table::Entity::find().filter(which).select_only().column(table::Column::Id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TempDatabase;
    use sea_orm::{DbBackend, QueryTrait, Statement};

    #[tokio::test]
    async fn what_somebody_made_is_found_along_an_index() {
        let database = TempDatabase::sqlite();
        let store = database.open().await.unwrap();
        let query = ids(table::Column::UserId.eq(Uuid::nil()));
        let keys = "SELECT id FROM api_keys WHERE user_id = x'00'".to_owned();
        for (sql, index) in [(query.build(DbBackend::Sqlite).to_string(), "jobs_by_user"), (keys, "api_keys_by_user")] {
            let sql = format!("EXPLAIN QUERY PLAN {sql}");
            let plan = store.db.query_all_raw(Statement::from_string(DbBackend::Sqlite, sql)).await.unwrap();
            let steps: Vec<String> = plan.iter().map(|row| row.try_get("", "detail").unwrap()).collect();
            assert!(steps.len() == 1 && steps[0].contains(&format!("INDEX {index} (user_id=?)")), "{steps:?}");
        }
    }
}
