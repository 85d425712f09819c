//! The `previews` table: at most one small picture for each running job.

use crate::{
    Preview, StoreError,
    database::write::Write,
    entity::{preview as table, signed, unsigned},
    sql::in_steps,
};
use domain::JobId;
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, sea_query::OnConflict};
use uuid::Uuid;

const TABLE: &str = "previews";

pub(crate) async fn find(db: &impl ConnectionTrait, job: JobId) -> Result<Option<Preview>, StoreError> {
    let row = table::Entity::find_by_id(job.uuid()).one(db).await?;
    row.map(|row| Ok(Preview { step: unsigned(TABLE, "step", row.step)?, content_type: row.content_type, bytes: row.bytes })).transpose()
}

/// Replaces the previews of these jobs, in one statement.
pub(crate) async fn replace(write: &Write, newest: Vec<(JobId, Preview)>) -> Result<(), StoreError> {
    if newest.is_empty() {
        return Ok(());
    }
    let row = |(job, preview): (JobId, Preview)| {
        Ok(table::ActiveModel {
            job_id: Set(job.uuid()),
            step: Set(signed(TABLE, "step", preview.step)?),
            content_type: Set(preview.content_type),
            bytes: Set(preview.bytes),
        })
    };
    let rows = newest.into_iter().map(row).collect::<Result<Vec<_>, StoreError>>()?;
    let newest = OnConflict::column(table::Column::JobId)
        .update_columns([table::Column::Step, table::Column::ContentType, table::Column::Bytes])
        .to_owned();
    table::Entity::insert_many(rows).on_conflict(newest).exec_without_returning(&write.tx).await?;
    Ok(())
}

pub(crate) async fn remove_all(write: &Write, jobs: &[Uuid]) -> Result<(), StoreError> {
    if !jobs.is_empty() {
        let theirs = table::Entity::delete_many().filter(table::Column::JobId.is_in(in_steps(jobs.to_vec())));
        theirs.exec(&write.tx).await?;
    }
    Ok(())
}

pub(crate) async fn remove(write: &Write, job: JobId) -> Result<(), StoreError> {
    table::Entity::delete_by_id(job.uuid()).exec(&write.tx).await?;
    Ok(())
}
