//! That jobs are counted: the one column of `jobs` that is written when they are added to the tallies.

use crate::{StoreError, database::write::Write, entity::job as table, sql::in_steps};
use domain::JobId;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QuerySelect, sea_query::Expr};
use uuid::Uuid;

/// From now on these are.
pub(crate) async fn mark(write: &Write, ids: &[Uuid]) -> Result<(), StoreError> {
    if ids.is_empty() {
        return Ok(());
    }
    let counted = table::Entity::update_many().col_expr(table::Column::CountedAtMs, Expr::value(write.now.ms()));
    counted.filter(table::Column::Id.is_in(in_steps(ids.to_vec()))).exec(&write.tx).await?;
    Ok(())
}

/// Whether this one has ended and is not counted yet.
pub(crate) async fn is_to_come(write: &Write, id: JobId) -> Result<bool, StoreError> {
    let ended = table::Entity::find_by_id(id.uuid()).filter(table::Column::EndedAtMs.is_not_null());
    let to_come = ended.filter(table::Column::CountedAtMs.is_null()).select_only().column(table::Column::Id);
    Ok(to_come.into_tuple::<Uuid>().one(&write.tx).await?.is_some())
}
