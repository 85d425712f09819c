//! What becomes of batches and files when an account is deleted.

use super::rows;
use crate::{Store, StoreError, database::write::Write};
use domain::{BatchId, TenantId, UserId};
use sea_orm::{ConnectionTrait, FromQueryResult, Statement};
use uuid::Uuid;

#[derive(FromQueryResult)]
struct IdRow {
    id: Uuid,
}

/// A tenant goes: none of its batches goes on, and all of its files are garbage.
pub(crate) async fn end_all_of_tenant(write: &Write, tenant: TenantId) -> Result<(), StoreError> {
    for sql in [
        "UPDATE batches SET status = 'cancelled', ended_at_ms = $1, step_after_ms = NULL WHERE tenant_id = $2 AND ended_at_ms IS NULL",
        "UPDATE files SET unneeded_since_ms = $1 WHERE tenant_id = $2 AND unneeded_since_ms IS NULL",
    ] {
        write.tx.execute_raw(write.statement(sql, [write.now.ms().into(), tenant.uuid().into()])).await?;
    }
    Ok(())
}

/// Files of a tenant that goes that were on their way in when it went.
pub(crate) async fn end_late_files(store: &Store, tenant: TenantId) -> Result<(), StoreError> {
    let sql = "SELECT id FROM files WHERE tenant_id = $1 AND unneeded_since_ms IS NULL LIMIT 1";
    let statement = Statement::from_sql_and_values(store.db.get_database_backend(), sql, [tenant.uuid().into()]);
    if IdRow::find_by_statement(statement).one(&store.db).await?.is_none() {
        return Ok(());
    }
    let write = store.write().await?;
    end_all_of_tenant(&write, tenant).await?;
    write.commit().await
}

/// Whether a tenant that goes has files of which the objects are not gone.
pub(crate) async fn has_tenant_any(db: &impl ConnectionTrait, tenant: TenantId) -> Result<bool, StoreError> {
    let sql = "SELECT id FROM files WHERE tenant_id = $1 LIMIT 1";
    let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, [tenant.uuid().into()]);
    Ok(IdRow::find_by_statement(statement).one(db).await?.is_some())
}

/// Removes the batches of a tenant that goes, some thousand lines in one transaction.
pub(crate) async fn forget_tenant(store: &Store, tenant: TenantId) -> Result<(), StoreError> {
    let sql = "SELECT id FROM batches WHERE tenant_id = $1";
    let statement = Statement::from_sql_and_values(store.db.get_database_backend(), sql, [tenant.uuid().into()]);
    for batch in IdRow::find_by_statement(statement).all(&store.db).await? {
        rows::remove(store, BatchId::from_uuid(batch.id)).await?;
    }
    Ok(())
}

/// From now on what somebody sent in a tenant that stays is its owner's.
pub(crate) async fn give(write: &Write, tenant: TenantId, from: UserId, to: UserId) -> Result<(), StoreError> {
    for table in ["batches", "files"] {
        let update = format!("UPDATE {table} SET user_id = $1 WHERE tenant_id = $2 AND user_id = $3");
        write.tx.execute_raw(write.statement(&update, [to.uuid().into(), tenant.uuid().into(), from.uuid().into()])).await?;
    }
    Ok(())
}

/// The tenants in which somebody sent any batch.
pub(crate) async fn tenants_of(db: &impl ConnectionTrait, user: UserId) -> Result<Vec<TenantId>, StoreError> {
    let sql = "SELECT DISTINCT tenant_id AS id FROM batches WHERE user_id = $1";
    let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, [user.uuid().into()]);
    let rows = IdRow::find_by_statement(statement).all(db).await?;
    Ok(rows.into_iter().map(|row| TenantId::from_uuid(row.id)).collect())
}
