//! Where jobs stand in the queue: read from one snapshot that all requests of this process share.

use crate::recent::Recent;
use domain::{
    Stage,
    scheduling::{Place, QueueSnapshot, QueuedJob, StageJobs, Standing},
};
use std::sync::{Arc, Mutex, PoisonError};
use store::{Job, Store, StoreError};

/// To take a snapshot is to walk along all jobs that wait, so it is used the longer the longer that took.
#[derive(Clone)]
pub(crate) struct Places {
    snapshot: Arc<Recent<(), Arc<Mutex<QueueSnapshot>>>>,
}

impl Places {
    pub(crate) fn new() -> Self {
        Self { snapshot: Arc::new(Recent::by_its_cost()) }
    }

    /// Where `job` stands, with `steps_left` denoising steps of its own; where one submitted now would, of `None`. And
    /// whether jobs of another model than `model` wait or run.
    ///
    /// # Errors
    /// [`StoreError`] when the database does not answer.
    pub(crate) async fn standing(&self, store: &Store, job: Option<&Job>, model: &str) -> Result<(Standing, bool), StoreError> {
        let snapshot = self.snapshot(store).await?;
        let mut queue = snapshot.lock().unwrap_or_else(PoisonError::into_inner);
        let has_other_models = queue.has_other_models(model);
        let Some(job) = job else { return Ok((queue.behind_all(), has_other_models)) };
        let done = job.done();
        let standing = queue.place_of(&QueuedJob {
            place: Place { created_at: job.created_at, job: job.id },
            state: &job.lifecycle.state,
            steps_left: done.steps.saturating_sub(done.step).into(),
        });
        Ok((standing, has_other_models))
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
