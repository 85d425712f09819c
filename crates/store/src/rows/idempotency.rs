//! The `idempotency_keys` table: which job a client's key stands for, as long as that job has a row.

use crate::{Idempotency, StoreError, entity::idempotency_key as table, write::Write};
use domain::{JobId, TenantId};
use sea_orm::{ActiveModelTrait, ActiveValue::Set, ColumnTrait, EntityTrait, QueryFilter};
use uuid::Uuid;

pub(crate) struct Known {
    pub fingerprint: String,
    pub job: JobId,
}

pub(crate) async fn find(write: &Write, tenant: TenantId, key: &str) -> Result<Option<Known>, StoreError> {
    let row = table::Entity::find_by_id((tenant.uuid(), key.to_owned())).one(&write.tx).await?;
    Ok(row.map(|row| Known { fingerprint: row.fingerprint, job: JobId::from_uuid(row.job_id) }))
}

pub(crate) async fn insert(write: &Write, tenant: TenantId, asked: Idempotency, job: JobId) -> Result<(), StoreError> {
    let row = table::ActiveModel {
        tenant_id: Set(tenant.uuid()),
        key: Set(asked.key),
        fingerprint: Set(asked.fingerprint),
        job_id: Set(job.uuid()),
        created_at_ms: Set(write.now.ms()),
    };
    row.insert(&write.tx).await?;
    Ok(())
}

pub(crate) async fn forget_jobs(write: &Write, jobs: &[Uuid]) -> Result<(), StoreError> {
    table::Entity::delete_many().filter(table::Column::JobId.is_in(jobs.iter().copied())).exec(&write.tx).await?;
    Ok(())
}
