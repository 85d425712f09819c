//! Rows of jobs that their owners have deleted.

use super::{artifacts, webhooks::forget_callbacks};
use crate::{Store, StoreError, entity::job as table};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QuerySelect, sea_query::ExprTrait};
use uuid::Uuid;

const FORGOTTEN_AT_ONCE: u64 = 1000;

/// Drops the rows of deleted jobs that are counted and have no objects left, some at once.
pub(crate) async fn forget(store: &Store) -> Result<(), StoreError> {
    while forget_some_deleted(store).await? == FORGOTTEN_AT_ONCE {}
    Ok(())
}

async fn forget_some_deleted(store: &Store) -> Result<u64, StoreError> {
    let deleted = table::Entity::find()
        .select_only()
        .column(table::Column::Id)
        .filter(table::Column::DeletedAtMs.is_not_null())
        // One that has ended is counted first.
        .filter(table::Column::CountedAtMs.is_not_null().or(table::Column::EndedAtMs.is_null()))
        .filter(artifacts::of_job((table::Entity, table::Column::Id)).not())
        .limit(FORGOTTEN_AT_ONCE);
    let ids: Vec<Uuid> = deleted.into_tuple().all(&store.db).await?;
    if ids.is_empty() {
        return Ok(0);
    }
    let write = store.write().await?;
    forget_callbacks(&write, &ids).await?;
    let done = table::Entity::delete_many().filter(table::Column::Id.is_in(ids)).exec(&write.tx).await?;
    write.commit().await?;
    Ok(done.rows_affected)
}
