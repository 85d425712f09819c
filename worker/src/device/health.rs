//! Whether the device fails one job after the other: then the fault is its own, and it must not eat the queue.

use domain::{JobId, Stage};
use std::{
    collections::{HashMap, HashSet},
    sync::{Mutex, PoisonError},
};

/// So many jobs failed in a row in one stage, each another, mean that the device is at fault.
const JOBS_IN_A_ROW: usize = 3;

/// The jobs that the device has failed since it last did one, by stage: a device may decode well and not sample.
#[derive(Default)]
pub struct DeviceHealth {
    failed: Mutex<HashMap<Stage, HashSet<JobId>>>,
}

impl DeviceHealth {
    pub fn note_success(&self, stage: Stage) {
        self.failed.lock().unwrap_or_else(PoisonError::into_inner).remove(&stage);
    }

    /// Whether that was one too many.
    pub fn note_failure(&self, stage: Stage, job: JobId) -> bool {
        let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        let jobs = failed.entry(stage).or_default();
        jobs.insert(job);
        jobs.len() >= JOBS_IN_A_ROW
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Stage::{Decoding, Sampling};
    use uuid::Uuid;

    fn job(n: u128) -> JobId {
        JobId::from_uuid(Uuid::from_u128(n))
    }

    #[test]
    fn three_jobs_in_a_row_are_too_many_and_one_job_three_times_is_not() {
        let health = DeviceHealth::default();
        assert!((0..3).all(|_| !health.note_failure(Sampling, job(1))));
        assert!(!health.note_failure(Sampling, job(2)));
        assert!(health.note_failure(Sampling, job(3)));
    }

    #[test]
    fn a_success_starts_the_count_of_its_stage_anew() {
        let health = DeviceHealth::default();
        assert!(!health.note_failure(Sampling, job(1)) && !health.note_failure(Sampling, job(2)));
        health.note_success(Decoding);
        assert!(health.note_failure(Sampling, job(3)));
        health.note_success(Sampling);
        assert!(!health.note_failure(Sampling, job(4)) && !health.note_failure(Sampling, job(5)));
    }
}
