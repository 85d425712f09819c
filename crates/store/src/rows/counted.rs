//! That jobs are counted: the one column of `jobs` that is written when they are added to the tallies.

use crate::{StoreError, database::write::Write, entity::job as table};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, sea_query::Expr};
use uuid::Uuid;

/// From now on these are.
pub(crate) async fn mark(write: &Write, ids: &[Uuid]) -> Result<(), StoreError> {
    if ids.is_empty() {
        return Ok(());
    }
    let counted = table::Entity::update_many().col_expr(table::Column::CountedAtMs, Expr::value(write.now.ms()));
    counted.filter(table::Column::Id.is_in(ids.iter().copied())).exec(&write.tx).await?;
    Ok(())
}
