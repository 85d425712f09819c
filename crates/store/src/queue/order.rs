//! The order of the queue, as [`domain::scheduling::Place`] has it: claims take in it, places are counted in it.

use crate::{
    entity::job::{self as table, Column},
    rows::{Place, places_by, this_place},
};
use sea_orm::{
    QueryOrder, Select,
    sea_query::{ExprTrait, SimpleExpr},
};

/// The same in a window of plain SQL.
pub(super) const ORDER: &str = "created_at_ms, id";

pub(super) fn in_order(jobs: Select<table::Entity>) -> Select<table::Entity> {
    jobs.order_by_asc(Column::CreatedAtMs).order_by_asc(Column::Id)
}

pub(super) fn behind(place: Place) -> SimpleExpr {
    places_by(Column::CreatedAtMs).gt(this_place(place))
}
