//! What is kept no longer: deliveries that are old, and what is left of endpoints that were deleted.

use super::{
    callbacks::forget_idle_line,
    claiming::{DOING_WELL, HELD_BACK},
    queue::WebhookQueue,
    rows::{lock, settle},
};
use crate::{Store, StoreError, database::write::Write, sql::places_from};
use domain::{
    TenantId, WebhookEndpointId,
    webhook::{DELIVERY_KEPT_MS, PAUSE_MAX_MS, TESTS_KEPT},
};
use sea_orm::{ConnectionTrait, FromQueryResult, Statement, Value};
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;

/// Names the advisory lock under which one process at a time removes them.
const TIDYING_LOCK: i64 = 0x5265_656c_0055;
/// In one transaction.
const AT_ONCE: i64 = 500;
const ENDPOINTS_AT_ONCE: usize = 100;
const PENDING_OF: &str = "SELECT id, endpoint_id FROM webhook_deliveries WHERE state = 'pending' AND id IN";
/// What is behind those that are kept: some at a time, where there are many from before there was a bound.
const OLD_TESTS: &str = "SELECT id, endpoint_id FROM webhook_deliveries WHERE endpoint_id = $1 AND is_test AND state <> 'pending' \
     ORDER BY created_at_ms DESC, id DESC LIMIT 100 OFFSET $2";

#[derive(FromQueryResult)]
struct OldRow {
    id: Uuid,
    endpoint_id: Uuid,
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

    /// Has sent now what is due so late that the clock was put back since; `true`: there may be more.
    pub async fn catch_up(self) -> Result<bool, StoreError> {
        let write = self.store().write().await?;
        let late = write.now.plus_ms(PAUSE_MAX_MS).ms();
        let mut endpoints = BTreeSet::new();
        for which in [DOING_WELL, HELD_BACK] {
            let sql = format!("SELECT id FROM webhook_endpoints WHERE {which} AND next_at_ms > $1 LIMIT $2");
            for row in write.tx.query_all_raw(write.statement(&sql, [late.into(), (ENDPOINTS_AT_ONCE as i64).into()])).await? {
                endpoints.insert(WebhookEndpointId::from_uuid(row.try_get_by_index(0)?));
            }
        }
        for endpoint in &endpoints {
            lock(&write, *endpoint).await?;
            let sql = "UPDATE webhook_deliveries SET due_at_ms = $2, leased_until_ms = NULL WHERE endpoint_id = $1 \
                 AND state = 'pending' AND due_at_ms > $3";
            write.tx.execute_raw(write.statement(sql, [endpoint.uuid().into(), write.now.ms().into(), late.into()])).await?;
            settle(&write, *endpoint, 0).await?;
        }
        write.commit().await?;
        Ok(endpoints.len() >= ENDPOINTS_AT_ONCE)
    }
}

async fn forget_old(write: &Write) -> Result<bool, StoreError> {
    let sql = "SELECT id, endpoint_id FROM webhook_deliveries WHERE created_at_ms <= $1 ORDER BY created_at_ms LIMIT $2";
    let before = write.now.plus_ms(-DELIVERY_KEPT_MS);
    let rows = OldRow::find_by_statement(write.statement(sql, [before.ms().into(), AT_ONCE.into()])).all(&write.tx).await?;
    // As all who change a line, this locks its endpoint before its deliveries, and looks only then at what waits: nothing changes any more.
    for endpoint in rows.iter().map(|row| row.endpoint_id).collect::<BTreeSet<_>>() {
        lock(write, WebhookEndpointId::from_uuid(endpoint)).await?;
    }
    let mut waiting: BTreeMap<WebhookEndpointId, i64> = BTreeMap::new();
    for row in pending_of(write, &rows).await? {
        *waiting.entry(WebhookEndpointId::from_uuid(row.endpoint_id)).or_default() += 1;
    }
    delete(write, rows.iter().map(|row| row.id)).await?;
    for (endpoint, count) in waiting {
        settle(write, endpoint, -count).await?;
    }
    Ok(rows.len() as i64 == AT_ONCE)
}

async fn pending_of(write: &Write, rows: &[OldRow]) -> Result<Vec<OldRow>, StoreError> {
    let Some((places, ids)) = places(rows.iter().map(|row| row.id)) else { return Ok(Vec::new()) };
    let statement = Statement::from_sql_and_values(write.backend(), format!("{PENDING_OF} {places}"), ids);
    Ok(OldRow::find_by_statement(statement).all(&write.tx).await?)
}

/// Makes room for another test of a locked endpoint.
pub(super) async fn forget_tests(write: &Write, endpoint: WebhookEndpointId) -> Result<(), StoreError> {
    let kept = TESTS_KEPT.cast_signed() - 1;
    let rows = OldRow::find_by_statement(write.statement(OLD_TESTS, [endpoint.uuid().into(), kept.into()])).all(&write.tx).await?;
    delete(write, rows.iter().map(|row| row.id)).await
}

async fn forget_deleted(write: &Write) -> Result<bool, StoreError> {
    let sql = "SELECT id FROM webhook_endpoints WHERE deleted_at_ms IS NOT NULL ORDER BY deleted_at_ms LIMIT 1";
    let Some(row) = write.tx.query_one_raw(write.statement(sql, [])).await? else { return Ok(false) };
    let endpoint: Uuid = row.try_get_by_index(0)?;
    let sql = "SELECT id, endpoint_id FROM webhook_deliveries WHERE endpoint_id = $1 LIMIT $2";
    let rows = OldRow::find_by_statement(write.statement(sql, [endpoint.into(), AT_ONCE.into()])).all(&write.tx).await?;
    delete(write, rows.iter().map(|row| row.id)).await?;
    if (rows.len() as i64) < AT_ONCE {
        write.tx.execute_raw(write.statement("DELETE FROM webhook_endpoints WHERE id = $1", [endpoint.into()])).await?;
    }
    Ok(true)
}

/// Deliveries with their attempts.
async fn delete(write: &Write, ids: impl Iterator<Item = Uuid>) -> Result<(), StoreError> {
    let Some((places, ids)) = places(ids) else { return Ok(()) };
    for sql in [
        format!("DELETE FROM webhook_attempts WHERE delivery_id IN {places}"),
        format!("DELETE FROM webhook_deliveries WHERE id IN {places}"),
    ] {
        write.tx.execute_raw(Statement::from_sql_and_values(write.backend(), sql, ids.clone())).await?;
    }
    Ok(())
}

/// The list of places of so many values, and these. `None`: there are none.
fn places(ids: impl Iterator<Item = Uuid>) -> Option<(String, Vec<Value>)> {
    let ids: Vec<Value> = ids.map(Value::from).collect();
    (!ids.is_empty()).then(|| (places_from(1, ids.len()), ids))
}

/// Of a tenant that is deleted: nobody finds any of them, and no row says where they were. The rest is removed after them.
pub(crate) async fn delete_all(write: &Write, tenant: TenantId) -> Result<(), StoreError> {
    let sql = "UPDATE webhook_endpoints SET deleted_at_ms = $2, name = '', url = '', sealed_secret = '', old_sealed_secret = NULL, \
         receiver = NULL, next_at_ms = NULL WHERE tenant_id = $1";
    write.tx.execute_raw(write.statement(sql, [tenant.uuid().into(), write.now.ms().into()])).await?;
    Ok(())
}

/// Lines of a tenant that goes that were made after it had gone.
pub(crate) async fn end_late_lines(store: &Store, tenant: TenantId) -> Result<(), StoreError> {
    let sql = "SELECT 1 FROM webhook_endpoints WHERE tenant_id = $1 AND deleted_at_ms IS NULL LIMIT 1";
    let statement = Statement::from_sql_and_values(store.db.get_database_backend(), sql, [tenant.uuid().into()]);
    if store.db.query_one_raw(statement).await?.is_none() {
        return Ok(());
    }
    let write = store.write().await?;
    delete_all(&write, tenant).await?;
    write.commit().await
}

/// Whether anything of a tenant is left.
pub(crate) async fn has_any(db: &impl ConnectionTrait, tenant: TenantId) -> Result<bool, StoreError> {
    let sql = "SELECT 1 FROM webhook_endpoints WHERE tenant_id = $1 LIMIT 1";
    let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, [tenant.uuid().into()]);
    Ok(db.query_one_raw(statement).await?.is_some())
}
