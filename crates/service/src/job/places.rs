//! Where jobs stand in the queue: read from one snapshot that all requests of this process share.

use crate::recent::Recent;
use domain::{
    Stage,
    scheduling::{LineOf, Place, QueueSnapshot, QueuedJob, StageJobs, Standing},
};
use std::sync::{Arc, Mutex, PoisonError};
use store::{Job, Store, StoreError};

/// A job that there is, or the place that one would have.
#[derive(Clone, Copy)]
pub(crate) enum Asked<'a> {
    Job(&'a Job),
    Place(LineOf<'a>, Place),
}

/// To take a snapshot is to walk along all jobs that wait, so it is used the longer the longer that took.
#[derive(Clone)]
pub(crate) struct Places {
    snapshot: Arc<Recent<(), Arc<Mutex<QueueSnapshot>>>>,
}

impl Places {
    pub(crate) fn new() -> Self {
        Self { snapshot: Arc::new(Recent::by_its_cost()) }
    }

    /// Where a job stands, and whether jobs of another model wait or run.
    ///
    /// # Errors
    /// [`StoreError`] when the database does not answer.
    pub(crate) async fn standing(&self, store: &Store, asked: Asked<'_>) -> Result<(Standing, bool), StoreError> {
        let snapshot = self.snapshot(store).await?;
        let mut queue = snapshot.lock().unwrap_or_else(PoisonError::into_inner);
        let (model, standing) = match asked {
            Asked::Job(job) => {
                let ((line, place), done) = (job.place(), job.done());
                let steps_left = done.steps.saturating_sub(done.step).into();
                (line.model, queue.place_of(&QueuedJob { line, place, state: &job.lifecycle.state, steps_left }))
            }
            Asked::Place(line, place) => (line.model, queue.place_in(line, place)),
        };
        Ok((standing, queue.has_other_models(model)))
    }

    /// How many jobs each stage has.
    ///
    /// # Errors
    /// [`StoreError`] when the database does not answer.
    pub(crate) async fn jobs_of_stages(&self, store: &Store) -> Result<[(Stage, StageJobs); 2], StoreError> {
        let snapshot = self.snapshot(store).await?;
        let queue = snapshot.lock().unwrap_or_else(PoisonError::into_inner);
        Ok([Stage::Sampling, Stage::Decoding].map(|stage| (stage, queue.jobs_of(stage))))
    }

    async fn snapshot(&self, store: &Store) -> Result<Arc<Mutex<QueueSnapshot>>, StoreError> {
        let asked = store.clone();
        let ask = || async move { asked.queue().snapshot().await.map(|queue| Arc::new(Mutex::new(queue))) };
        self.snapshot.get((), ask).await
    }
}
