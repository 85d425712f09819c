//! The `previews` table: at most one small picture for each running job.

use crate::{Preview, StoreError, entity::preview as table, rows::signed, rows::unsigned, write::Write};
use domain::JobId;
use sea_orm::{ActiveValue::Set, ConnectionTrait, EntityTrait, sea_query::OnConflict};

const TABLE: &str = "previews";

pub(crate) async fn find(db: &impl ConnectionTrait, job: JobId) -> Result<Option<Preview>, StoreError> {
    let row = table::Entity::find_by_id(job.uuid()).one(db).await?;
    row.map(|row| Ok(Preview { step: unsigned(TABLE, "step", row.step)?, content_type: row.content_type, bytes: row.bytes })).transpose()
}

pub(crate) async fn replace(write: &Write, job: JobId, preview: Preview) -> Result<(), StoreError> {
    let row = table::ActiveModel {
        job_id: Set(job.uuid()),
        step: Set(signed(TABLE, "step", preview.step)?),
        content_type: Set(preview.content_type),
        bytes: Set(preview.bytes),
    };
    let newest = OnConflict::column(table::Column::JobId)
        .update_columns([table::Column::Step, table::Column::ContentType, table::Column::Bytes])
        .to_owned();
    table::Entity::insert(row).on_conflict(newest).exec_without_returning(&write.tx).await?;
    Ok(())
}

pub(crate) async fn remove(write: &Write, job: JobId) -> Result<(), StoreError> {
    table::Entity::delete_by_id(job.uuid()).exec(&write.tx).await?;
    Ok(())
}
