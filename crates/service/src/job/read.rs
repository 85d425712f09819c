//! Looking at jobs, and the numbers shown before one is submitted.

use crate::Services;
use domain::{
    JobId, JobRequest, JobState, JobView, Quote, Seed, Size, SpecError, Stage, Status, TenantId,
    job::StageTimes,
    quote,
    scheduling::{Eta, NoEta, estimate},
};
use store::{Job, JobPage, PageQuery, Preview, StoreError};

/// A worker that was not seen for so long does not count as alive.
const ALIVE_MS: i64 = 15_000;

impl Services {
    /// The price of a request that can be made.
    ///
    /// # Errors
    /// [`SpecError`] says what to mend.
    pub fn quote(&self, request: &JobRequest) -> Result<Quote, SpecError> {
        request.parse(Seed::ZERO).map(|spec| quote(&spec))
    }

    /// How long a job of this shape would take from now, the queue included.
    ///
    /// # Errors
    /// [`StoreError`] when the database does not answer.
    pub async fn expected_time(&self, model: &str, size: Size, steps: u32) -> Result<Result<Eta, NoEta>, StoreError> {
        self.eta(None, model, size, steps).await.map(|(_, eta)| eta)
    }

    /// # Errors
    /// [`StoreError`] when the database does not answer.
    pub async fn job(&self, tenant: TenantId, id: JobId) -> Result<Option<JobView>, StoreError> {
        match self.store.tenant(tenant).jobs().get(id).await? {
            Some(job) => self.view(&job).await.map(Some),
            None => Ok(None),
        }
    }

    /// A page of the tenant's jobs; without estimates, which would cost a look at the queue for each.
    ///
    /// # Errors
    /// [`StoreError`] when the database does not answer.
    pub async fn jobs(&self, tenant: TenantId, page: PageQuery) -> Result<(Vec<JobView>, bool), StoreError> {
        let JobPage { jobs, has_more } = self.store.tenant(tenant).jobs().list(page).await?;
        Ok((jobs.iter().map(plain_view).collect(), has_more))
    }

    /// Cancels what has not ended. `None`: no such job.
    ///
    /// # Errors
    /// [`StoreError`] when the database does not answer.
    pub async fn cancel(&self, tenant: TenantId, id: JobId) -> Result<Option<JobView>, StoreError> {
        Ok(self.store.tenant(tenant).jobs().cancel(id).await?.as_ref().map(plain_view))
    }

    /// Takes a job and all it made out of sight; `false`: no such job.
    ///
    /// # Errors
    /// [`StoreError`] when the database does not answer.
    pub async fn delete(&self, tenant: TenantId, id: JobId) -> Result<bool, StoreError> {
        self.store.tenant(tenant).jobs().delete(id).await
    }

    /// # Errors
    /// [`StoreError`] when the database does not answer.
    pub async fn preview(&self, tenant: TenantId, id: JobId) -> Result<Option<Preview>, StoreError> {
        self.store.tenant(tenant).jobs().preview(id).await
    }

    /// Whether at least one worker for each stage is alive.
    ///
    /// # Errors
    /// [`StoreError`] when the database does not answer.
    pub async fn has_workers(&self) -> Result<bool, StoreError> {
        let fleet = self.store.workers().fleet(ALIVE_MS).await?;
        Ok(fleet.samplers > 0 && fleet.decoders > 0)
    }

    /// A job with its place in the queue and its estimate.
    pub(super) async fn view(&self, job: &Job) -> Result<JobView, StoreError> {
        let mut view = plain_view(job);
        if !view.status.is_final() {
            let steps_left = if job.stage == Some(Stage::Decoding) { 0 } else { job.spec.steps.saturating_sub(job.step) };
            let (position, eta) = self.eta(Some(job), &job.spec.model, job.spec.size, steps_left).await?;
            view.queue_position = (view.status == Status::Queued).then_some(position);
            view.eta = eta;
        }
        Ok(view)
    }

    async fn eta(&self, job: Option<&Job>, model: &str, size: Size, steps_left: u32) -> Result<(u64, Result<Eta, NoEta>), StoreError> {
        let (position, ahead) = self.store.queue().ahead_of(job).await?;
        let costs = self.costs.get((model.to_owned(), size), || self.store.timings().costs(model, size)).await?;
        let fleet = self.fleet.get((), || self.store.workers().fleet(ALIVE_MS)).await?;
        Ok((position, estimate(costs, fleet, ahead, steps_left.into())))
    }
}

fn plain_view(job: &Job) -> JobView {
    let (status, failure) = match &job.lifecycle.state {
        JobState::Ready | JobState::Retrying { .. } if job.step == 0 => (Status::Queued, None),
        JobState::Succeeded => (Status::Completed, None),
        JobState::Failed(failure) => (Status::Failed, Some(failure.clone())),
        JobState::Cancelled => (Status::Cancelled, None),
        _ => (Status::InProgress, None),
    };
    JobView {
        id: job.id,
        revision: job.revision,
        quote: quote(&job.spec),
        spec: job.spec.clone(),
        status,
        stage: job.stage,
        step: job.step,
        progress: JobView::progress_of(status, job.stage, job.step, job.spec.steps),
        queue_position: None,
        eta: Err(NoEta::NotAsked),
        attempts: job.lifecycle.attempts,
        preview_step: job.preview_step,
        failure,
        remixed_from: job.remixed_from,
        created_at: job.created_at,
        started_at: job.started_at,
        ended_at: job.ended_at,
        times: stage_times(job),
    }
}

fn stage_times(job: &Job) -> Option<StageTimes> {
    let started_at = job.started_at?;
    Some(StageTimes {
        waited_ms: started_at.ms_since(job.created_at),
        sampling_ms: job.sampling_ms?,
        decoding_ms: job.decoding_ms.unwrap_or_default(),
    })
}
