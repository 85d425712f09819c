//! The order of a line, as [`domain::scheduling::Place`] has it: claims take in it, places are counted in it.

use crate::{
    entity::job::{self as table, Column},
    rows::{Place, places_by, this_place},
};
use domain::{
    Stage,
    scheduling::{self, VirtualTime},
};
use sea_orm::{
    ColumnTrait, Condition, QueryOrder, Select,
    sea_query::{ExprTrait, SimpleExpr},
};

/// The same in a window of plain SQL.
pub(crate) const ORDER: &str = "finish_tag, id";

pub(crate) fn in_order(jobs: Select<table::Entity>) -> Select<table::Entity> {
    jobs.order_by_asc(Column::FinishTag).order_by_asc(Column::Id)
}

/// What waits for a stage in its line, and is not laid aside behind the end of it.
pub(crate) fn waits_in_line(stage: Stage) -> Condition {
    Condition::all().add(Column::WaitsFor.eq(stage.as_str())).add(Column::FinishTag.lt(VirtualTime::ASIDE.value()))
}

pub(super) fn in_front_of(place: scheduling::Place) -> SimpleExpr {
    let place: Place = (place.finish.value(), place.job.uuid());
    places_by(Column::FinishTag).lt(this_place(place))
}

pub(super) fn behind(place: scheduling::Place) -> SimpleExpr {
    let place: Place = (place.finish.value(), place.job.uuid());
    places_by(Column::FinishTag).gt(this_place(place))
}
