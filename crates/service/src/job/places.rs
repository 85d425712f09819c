//! Where jobs stand in the queue: read from one snapshot that all requests of this process share.

use crate::recent::Recent;
use domain::{
    Stage,
    scheduling::{LineOf, Place, QueueSnapshot, QueuedJob, StageJobs},
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

    /// Where a job stands in its line, where 1 is next; 0 of one that does not wait.
    ///
    /// # Errors
    /// [`StoreError`] when the database does not answer.
    pub(crate) async fn position(&self, store: &Store, job: &Job) -> Result<u64, StoreError> {
        self.look(store, |queue| queue.position(&asked(job))).await
    }

    /// The same of many.
    ///
    /// # Errors
    /// [`StoreError`] when the database does not answer.
    pub(crate) async fn positions(&self, store: &Store, jobs: &[&Job]) -> Result<Vec<u64>, StoreError> {
        self.look(store, |queue| jobs.iter().map(|job| queue.position(&asked(job))).collect()).await
    }

    /// Has the next who wants a place look at the queue anew, where that is cheap.
    pub(crate) fn forget(&self) {
        self.snapshot.forget_what_is_cheap(&());
    }

    /// Where one would stand at `place`.
    ///
    /// # Errors
    /// [`StoreError`] when the database does not answer.
    pub(crate) async fn position_in(&self, store: &Store, line: LineOf<'_>, place: Place) -> Result<u64, StoreError> {
        self.look(store, |queue| queue.position_in(line, place)).await
    }

    /// How many jobs each stage has.
    ///
    /// # Errors
    /// [`StoreError`] when the database does not answer.
    pub(crate) async fn jobs_of_stages(&self, store: &Store) -> Result<[(Stage, StageJobs); 2], StoreError> {
        self.look(store, |queue| [Stage::Sampling, Stage::Decoding].map(|stage| (stage, queue.jobs_of(stage)))).await
    }

    async fn look<T>(&self, store: &Store, at: impl FnOnce(&mut QueueSnapshot) -> T) -> Result<T, StoreError> {
        let asked = store.clone();
        let ask = || async move { asked.queue().snapshot().await.map(|queue| Arc::new(Mutex::new(queue))) };
        let snapshot = self.snapshot.get((), ask).await?;
        let mut queue = snapshot.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(at(&mut queue))
    }
}

fn asked(job: &Job) -> QueuedJob<'_> {
    let (line, place) = job.place();
    QueuedJob { line, place, state: &job.lifecycle.state }
}
