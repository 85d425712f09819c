//! Jobs that ended long ago: removed from sight many at a time, whether their rows can be read or not.

use super::{artifacts, previews};
use crate::{Change, StoreError, database::write::Write, entity::job as table};
use domain::{JobId, TenantId, Timestamp};
use sea_orm::{
    ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Select,
    sea_query::{Expr, ExprTrait, LockBehavior, LockType},
};
use uuid::Uuid;

/// The first of a tenant's jobs that ended before `before`, along the index `jobs_open_by_tenant`.
pub(crate) fn before(tenant: TenantId, before: Timestamp, limit: u64) -> Select<table::Entity> {
    table::Entity::find()
        .select_only()
        .column(table::Column::Id)
        .filter(table::Column::TenantId.eq(tenant.uuid()))
        .filter(table::Column::EndedAtMs.lt(before.ms()))
        .filter(table::Column::DeletedAtMs.is_null())
        .order_by_asc(table::Column::EndedAtMs)
        .limit(limit)
}

/// Deletes them as their tenant does: their objects and rows go with the garbage. One that somebody else is writing is left for
/// another time. Returns how many these were.
pub(crate) async fn delete(write: &mut Write, tenant: TenantId, ended_before: Timestamp, limit: u64) -> Result<u64, StoreError> {
    let found = before(tenant, ended_before, limit).lock_with_behavior(LockType::NoKeyUpdate, LockBehavior::SkipLocked);
    let ids: Vec<Uuid> = found.into_tuple().all(&write.tx).await?;
    if !ids.is_empty() {
        mark_deleted(write, &ids).await?;
    }
    Ok(ids.len() as u64)
}

/// One that cannot be read, whether it has ended or not. Nobody works on it: who cannot read it cannot claim it.
pub(crate) async fn delete_unread(write: &mut Write, id: JobId) -> Result<(), StoreError> {
    previews::remove(write, id).await?;
    mark_deleted(write, &[id.uuid()]).await
}

async fn mark_deleted(write: &mut Write, ids: &[Uuid]) -> Result<(), StoreError> {
    table::Entity::update_many()
        .col_expr(table::Column::DeletedAtMs, Expr::value(write.now.ms()))
        .col_expr(table::Column::Revision, Expr::col(table::Column::Revision).add(1))
        .filter(table::Column::Id.is_in(ids.iter().copied()))
        .exec(&write.tx)
        .await?;
    artifacts::abandon_all_of(write, ids).await?;
    for id in ids {
        write.tell(Change::Job(JobId::from_uuid(*id)));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TempDatabase;
    use sea_orm::{ConnectionTrait, DbBackend, QueryTrait, Statement};

    #[tokio::test]
    async fn they_are_found_along_an_index_in_the_order_of_their_ends() {
        let database = TempDatabase::sqlite();
        let store = database.open().await.unwrap();
        let query = before(TenantId::from_uuid(Uuid::nil()), Timestamp::from_ms(1), 10);
        let sql = format!("EXPLAIN QUERY PLAN {}", query.build(DbBackend::Sqlite));
        let plan = store.db.query_all_raw(Statement::from_string(DbBackend::Sqlite, sql)).await.unwrap();
        let steps: Vec<String> = plan.iter().map(|row| row.try_get("", "detail").unwrap()).collect();
        assert!(steps.len() == 1 && steps[0].contains("INDEX jobs_open_by_tenant (tenant_id=? AND ended_at_ms"), "{steps:?}");
    }
}
