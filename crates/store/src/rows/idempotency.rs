//! The `idempotency_keys` table: which job a client's key stands for, for a day, also when that job is gone.

use crate::{Idempotency, Store, StoreError, database::write::Write, entity::idempotency_key as table};
use domain::{JobId, TenantId, Timestamp, retention::IDEMPOTENCY_KEY_KEPT_MS};
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, sea_query::OnConflict};

const FORGOTTEN_AT_ONCE: i64 = 5000;

pub(crate) struct Known {
    pub fingerprint: String,
    pub job: JobId,
}

pub(crate) async fn find(db: &impl ConnectionTrait, now: Timestamp, tenant: TenantId, key: &str) -> Result<Option<Known>, StoreError> {
    let row =
        table::Entity::find_by_id((tenant.uuid(), key.to_owned())).filter(table::Column::CreatedAtMs.gt(kept_since(now))).one(db).await?;
    Ok(row.map(|row| Known { fingerprint: row.fingerprint, job: JobId::from_uuid(row.job_id) }))
}

/// A row of this key that is there all the same is too old to count.
pub(crate) async fn insert(write: &Write, tenant: TenantId, asked: Idempotency, job: JobId) -> Result<(), StoreError> {
    let row = table::ActiveModel {
        tenant_id: Set(tenant.uuid()),
        key: Set(asked.key),
        fingerprint: Set(asked.fingerprint),
        job_id: Set(job.uuid()),
        created_at_ms: Set(write.now.ms()),
    };
    let anew = OnConflict::columns([table::Column::TenantId, table::Column::Key])
        .update_columns([table::Column::Fingerprint, table::Column::JobId, table::Column::CreatedAtMs])
        .to_owned();
    table::Entity::insert(row).on_conflict(anew).exec_without_returning(&write.tx).await?;
    Ok(())
}

fn kept_since(now: Timestamp) -> i64 {
    now.plus_ms(-IDEMPOTENCY_KEY_KEPT_MS).ms()
}

/// Of a tenant that is deleted.
pub(crate) async fn delete_all(write: &Write, tenant: TenantId) -> Result<(), StoreError> {
    let statement = write.statement("DELETE FROM idempotency_keys WHERE tenant_id = $1", [tenant.uuid().into()]);
    write.tx.execute_raw(statement).await?;
    Ok(())
}

impl Store {
    /// Removes the idempotency keys whose day is over, some thousand at once.
    pub async fn forget_idempotency_keys(&self) -> Result<(), StoreError> {
        while self.forget_some_idempotency_keys().await? == FORGOTTEN_AT_ONCE.unsigned_abs() {}
        Ok(())
    }

    async fn forget_some_idempotency_keys(&self) -> Result<u64, StoreError> {
        let write = self.write().await?;
        let old = write.statement(
            "DELETE FROM idempotency_keys WHERE (tenant_id, key) IN \
             (SELECT tenant_id, key FROM idempotency_keys WHERE created_at_ms <= $1 ORDER BY created_at_ms LIMIT $2)",
            [kept_since(write.now).into(), FORGOTTEN_AT_ONCE.into()],
        );
        let done = write.tx.execute_raw(old).await?;
        write.commit().await?;
        Ok(done.rows_affected())
    }
}
