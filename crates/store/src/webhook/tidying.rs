//! What is kept no longer: deliveries that are old, and what is left of endpoints that were deleted.

use super::{
    callbacks::forget_idle_line,
    rows::{lock, settle},
    sending::WebhookQueue,
};
use crate::{StoreError, database::write::Write};
use domain::{TenantId, WebhookEndpointId, webhook::DELIVERY_KEPT_MS};
use sea_orm::{ConnectionTrait, FromQueryResult, Statement, Value};
use std::collections::BTreeMap;
use uuid::Uuid;

/// Names the advisory lock under which one process at a time removes them.
const TIDYING_LOCK: i64 = 0x5265_656c_0055;
/// In one transaction.
const AT_ONCE: i64 = 500;

#[derive(FromQueryResult)]
struct OldRow {
    id: Uuid,
    endpoint_id: Uuid,
    state: String,
}

impl WebhookQueue<'_> {
    /// Removes some of what is kept no longer; `true`: there may be more.
    pub async fn forget(self) -> Result<bool, StoreError> {
        let write = self.store().write().await?;
        write.alone(TIDYING_LOCK).await?;
        let (old, deleted) = (forget_old(&write).await?, forget_deleted(&write).await?);
        let idle = forget_idle_line(&write, write.now.plus_ms(-DELIVERY_KEPT_MS)).await?;
        write.commit().await?;
        Ok(old || deleted || idle)
    }
}

async fn forget_old(write: &Write) -> Result<bool, StoreError> {
    let sql = "SELECT id, endpoint_id, state FROM webhook_deliveries WHERE created_at_ms <= $1 ORDER BY created_at_ms LIMIT $2";
    let before = write.now.plus_ms(-DELIVERY_KEPT_MS);
    let rows = OldRow::find_by_statement(write.statement(sql, [before.ms().into(), AT_ONCE.into()])).all(&write.tx).await?;
    let mut waiting: BTreeMap<WebhookEndpointId, i64> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.state == "pending") {
        *waiting.entry(WebhookEndpointId::from_uuid(row.endpoint_id)).or_default() += 1;
    }
    // As all who change a line, this locks its endpoint before its deliveries.
    for endpoint in waiting.keys() {
        lock(write, *endpoint).await?;
    }
    delete(write, rows.iter().map(|row| row.id)).await?;
    for (endpoint, count) in waiting {
        settle(write, endpoint, -count).await?;
    }
    Ok(rows.len() as i64 == AT_ONCE)
}

async fn forget_deleted(write: &Write) -> Result<bool, StoreError> {
    let sql = "SELECT id FROM webhook_endpoints WHERE deleted_at_ms IS NOT NULL ORDER BY deleted_at_ms LIMIT 1";
    let Some(row) = write.tx.query_one_raw(write.statement(sql, [])).await? else { return Ok(false) };
    let endpoint: Uuid = row.try_get_by_index(0)?;
    let sql = "SELECT id, endpoint_id, state FROM webhook_deliveries WHERE endpoint_id = $1 LIMIT $2";
    let rows = OldRow::find_by_statement(write.statement(sql, [endpoint.into(), AT_ONCE.into()])).all(&write.tx).await?;
    delete(write, rows.iter().map(|row| row.id)).await?;
    if (rows.len() as i64) < AT_ONCE {
        write.tx.execute_raw(write.statement("DELETE FROM webhook_endpoints WHERE id = $1", [endpoint.into()])).await?;
    }
    Ok(true)
}

/// Deliveries with their attempts.
async fn delete(write: &Write, ids: impl Iterator<Item = Uuid>) -> Result<(), StoreError> {
    let ids: Vec<Value> = ids.map(Value::from).collect();
    if ids.is_empty() {
        return Ok(());
    }
    let places: Vec<_> = (1..=ids.len()).map(|at| format!("${at}")).collect();
    let places = places.join(", ");
    for sql in [
        format!("DELETE FROM webhook_attempts WHERE delivery_id IN ({places})"),
        format!("DELETE FROM webhook_deliveries WHERE id IN ({places})"),
    ] {
        write.tx.execute_raw(Statement::from_sql_and_values(write.backend(), sql, ids.clone())).await?;
    }
    Ok(())
}

/// Of a tenant that is deleted: nobody finds any of them, and no row says where they were. The rest is removed after them.
pub(crate) async fn delete_all(write: &Write, tenant: TenantId) -> Result<(), StoreError> {
    let sql = "UPDATE webhook_endpoints SET deleted_at_ms = $2, name = '', url = '', sealed_secret = '', old_sealed_secret = NULL, \
         receiver = NULL, next_at_ms = NULL WHERE tenant_id = $1";
    write.tx.execute_raw(write.statement(sql, [tenant.uuid().into(), write.now.ms().into()])).await?;
    Ok(())
}

/// Whether anything of a tenant is left.
pub(crate) async fn has_any(db: &impl ConnectionTrait, tenant: TenantId) -> Result<bool, StoreError> {
    let sql = "SELECT 1 FROM webhook_endpoints WHERE tenant_id = $1 LIMIT 1";
    let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, [tenant.uuid().into()]);
    Ok(db.query_one_raw(statement).await?.is_some())
}
