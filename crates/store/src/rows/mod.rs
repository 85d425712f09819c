//! Rows that more than one door opens to: how they are parsed, and the only places that write them.

pub mod account;
pub mod artifacts;
mod charges;
pub mod counted;
pub mod deleted;
pub mod ended;
pub mod fallback;
pub mod idempotency;
pub mod jobs;
pub mod makers;
pub mod previews;
pub mod texts;
pub mod unconfirmed;
pub mod unreadable;
pub mod webhooks;

use crate::{StoreError, entity::job};
use domain::Timestamp;
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QueryTrait, Select, TryGetableMany,
    sea_query::{Expr, SelectStatement, SimpleExpr},
};
use uuid::Uuid;

/// As [`Timestamp::has_come`]; never where the moment is null.
pub(crate) fn has_come(moment: impl ColumnTrait, now: Timestamp, ahead_max_ms: i64) -> Condition {
    Condition::any().add(moment.lte(now.ms())).add(moment.gt(now.plus_ms(ahead_max_ms).ms()))
}

/// Rows that stand for themselves: those that cannot be read are left out.
pub(crate) async fn readable_tuples<T: TryGetableMany>(
    db: &impl ConnectionTrait,
    query: impl QueryTrait<QueryStatement = SelectStatement>,
) -> Result<Vec<T>, StoreError> {
    let rows = db.query_all(&query.into_query()).await?;
    Ok(rows.iter().filter_map(|row| T::try_get_many_by_index(row).ok()).collect())
}

/// Where a job stands in the order of one of its moments: that, in milliseconds, and its id.
pub(crate) type Place = (i64, Uuid);

/// The place of each job by `moment`.
pub(crate) fn places_by(moment: job::Column) -> SimpleExpr {
    Expr::tuple([Expr::col(moment), Expr::col(job::Column::Id)])
}

pub(crate) fn this_place((moment_ms, id): Place) -> SimpleExpr {
    Expr::tuple([moment_ms.into(), id.into()])
}

/// Those behind `after` in the order of their ids.
pub(crate) fn by_id<E: EntityTrait>(rows: Select<E>, id: E::Column, after: Option<Uuid>, oldest_first: bool) -> Select<E> {
    match (oldest_first, after) {
        (false, Some(after)) => rows.filter(id.lt(after)).order_by_desc(id),
        (true, Some(after)) => rows.filter(id.gt(after)).order_by_asc(id),
        (false, None) => rows.order_by_desc(id),
        (true, None) => rows.order_by_asc(id),
    }
}
