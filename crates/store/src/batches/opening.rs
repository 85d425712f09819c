//! A line becomes a job: written in the transaction that takes the job in.

use super::lines;
use crate::{
    BatchLineKey, StoreError,
    database::write::Write,
    entity::{batch_line, signed},
};
use domain::{JobId, TenantId};
use sea_orm::{ColumnTrait, ConnectionTrait, DbBackend, EntityTrait, QueryFilter, QuerySelect};
use uuid::Uuid;

/// Only while its batch goes on.
const OPEN: &str = "UPDATE batch_lines SET state = 'open', job_id = $1 WHERE batch_id = $2 AND line = $3 AND tenant_id = $4 \
     AND state = 'waiting' AND EXISTS (SELECT 1 FROM batches WHERE id = $2 AND status = 'in_progress' AND closing IS NULL)";
/// Whoever notes that lines have ended holds it: what is read behind it is how things stand.
const LOCK_BATCH: &str = "SELECT 1 FROM batches WHERE id = (SELECT batch_id FROM jobs WHERE id = $1) FOR UPDATE";
const LINE_ENDED: &str = "SELECT batch_lines.line FROM jobs JOIN batch_lines ON batch_lines.batch_id = jobs.batch_id \
     AND batch_lines.line = jobs.batch_line WHERE jobs.id = $1 AND batch_lines.job_id = jobs.id AND batch_lines.state <> 'open'";
const NAME_JOB: &str = "UPDATE jobs SET batch_id = $1, batch_line = $2 WHERE id = $3";

/// The job that it is by now.
pub(crate) async fn job_of(write: &Write, tenant: TenantId, key: BatchLineKey) -> Result<Option<JobId>, StoreError> {
    let line: i32 = signed(lines::TABLE, "line", key.line)?;
    let row = batch_line::Entity::find_by_id((key.batch.uuid(), line)).filter(batch_line::Column::TenantId.eq(tenant.uuid()));
    let job: Option<Option<Uuid>> = row.select_only().column(batch_line::Column::JobId).into_tuple().one(&write.tx).await?;
    Ok(job.flatten().map(JobId::from_uuid))
}

/// Whether the line of a batch that became this job, whose row is locked, has ended. It does not until the transaction ends.
pub(crate) async fn has_line_ended(write: &Write, job: JobId) -> Result<bool, StoreError> {
    if write.backend() == DbBackend::Postgres {
        write.tx.query_one_raw(write.statement(LOCK_BATCH, [job.uuid().into()])).await?;
    }
    Ok(write.tx.query_one_raw(write.statement(LINE_ENDED, [job.uuid().into()])).await?.is_some())
}

/// It has become this job.
///
/// # Errors
/// [`StoreError::Raced`] where it waits no more, or its batch goes on no more.
pub(crate) async fn opened(write: &Write, tenant: TenantId, key: BatchLineKey, job: JobId) -> Result<(), StoreError> {
    let line: i32 = signed(lines::TABLE, "line", key.line)?;
    let values = [job.uuid().into(), key.batch.uuid().into(), line.into(), tenant.uuid().into()];
    if write.tx.execute_raw(write.statement(OPEN, values)).await?.rows_affected() != 1 {
        return Err(StoreError::Raced { table: lines::TABLE });
    }
    write.tx.execute_raw(write.statement(NAME_JOB, [key.batch.uuid().into(), line.into(), job.uuid().into()])).await?;
    Ok(())
}
