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

const TABLE: &str = "job_tallies";

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
