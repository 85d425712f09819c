//! The jobs whose clients have asked this process for them, so that it is written down once.

use domain::JobId;
use std::{
    collections::HashSet,
    sync::{Mutex, PoisonError},
};

/// More are forgotten all at once: written down twice, it is the same.
const REMEMBERED_MAX: usize = 10_000;

#[derive(Default)]
pub(crate) struct Confirmed(Mutex<HashSet<JobId>>);

impl Confirmed {
    /// It could not be written down.
    pub(super) fn remove(&self, job: JobId) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&job);
    }

    /// Whether it is new here.
    pub(super) fn insert(&self, job: JobId) -> bool {
        let mut jobs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if jobs.len() >= REMEMBERED_MAX {
            jobs.clear();
        }
        jobs.insert(job)
    }
}
