//! Numbers that are kept over time. What is told of jobs is added up from their rows, each counted once ([`count`]); what waits and who works is
//! looked at again and again ([`gauges`]).

mod annotations;
mod count;
mod gauges;
mod read;

pub use annotations::{ANNOTATIONS_MAX, Annotation, AnnotationKind};
pub(crate) use count::forget_tenant;
pub use gauges::{GaugeQuery, GaugeRow, GaugeSum, Look};
pub use read::{ROWS_MAX, ReadError, TallyQuery, TallyRow};

use crate::Store;
use domain::metrics::{Phase, Sketch, Tally};
use sea_orm::QueryResult;

const TABLE: &str = "job_tallies";
/// The columns of the times of a tally: of the phases that there were at first, and of those that were added.
const TIMES: [&str; 2] = ["times", "added_times"];

/// Of a row that has both columns. `None`: they cannot be read.
fn times_of(row: &QueryResult) -> Option<[Sketch; Phase::ALL.len()]> {
    let bytes = |column: &str| row.try_get::<Option<Vec<u8>>>("", column).ok().map(Option::unwrap_or_default);
    let [first, added] = TIMES.map(bytes);
    Tally::decode_times([&first?, &added?])
}

#[derive(Clone, Copy)]
pub struct KeptNumbers<'a> {
    store: &'a Store,
}

impl Store {
    /// What is kept over time.
    #[must_use]
    pub const fn kept_numbers(&self) -> KeptNumbers<'_> {
        KeptNumbers { store: self }
    }
}
