//! Looking at jobs, and the numbers shown before one is submitted.

use crate::{
    AccessError, Services,
    deadline::{Instant, share_of_time},
};
use domain::{
    Actor, Eta, Interval, JobId, JobSpec, JobState, JobView, NoEta, Permission, Shape, Stage, Status,
    job::StageTimes,
    scheduling::{Done, Fleet, StageCosts, Standing, WorkAhead, estimate, expected_wait},
};
use std::time::Duration;
use store::{ALIVE_MS, Job, Preview, StoreError};

impl Services {
    /// How long a job of this shape would take from now, the queue included.
    ///
    /// # Errors
    /// [`NoEta`], also when the numbers for it cannot be had in time.
    pub async fn expected_time(&self, model: &str, shape: Shape, steps: u32) -> Result<Eta, NoEta> {
        let conditions = self.estimates.attempt(Duration::MAX, self.conditions(None, model, shape)).await;
        conditions.map_or(Err(NoEta::NotAsked), |conditions| conditions.eta(steps))
    }

    /// How long a job of this shape would wait from now until a worker begins it.
    ///
    /// # Errors
    /// [`NoEta`], also when the numbers for it cannot be had in time.
    pub async fn expected_wait(&self, model: &str, shape: Shape) -> Result<Interval, NoEta> {
        let conditions = self.estimates.attempt(Duration::MAX, self.conditions(None, model, shape)).await;
        let told = |conditions: Conditions| conditions.told(expected_wait(conditions.costs, conditions.fleet, conditions.standing.ahead));
        conditions.map_or(Err(NoEta::NotAsked), told)
    }

    /// # Errors
    /// [`AccessError`] when `actor` may not see it, or the database does not answer.
    pub async fn job(&self, actor: Actor, id: JobId) -> Result<Option<JobView>, AccessError> {
        match self.tenant_of(actor, Permission::ReadJobs)?.jobs().get(id).await? {
            Some(job) => Ok(Some(self.view(&job, None).await)),
            None => Ok(None),
        }
    }

    /// What a job was asked for; without its estimate, which would cost a look at the queue.
    ///
    /// # Errors
    /// [`AccessError`] when `actor` may not see it, or the database does not answer.
    pub async fn spec(&self, actor: Actor, id: JobId) -> Result<Option<JobSpec>, AccessError> {
        Ok(self.tenant_of(actor, Permission::ReadJobs)?.jobs().get(id).await?.map(|job| job.spec))
    }

    /// How many bytes the texts of a job have, so that room for them can be kept before they are read.
    ///
    /// # Errors
    /// [`AccessError`] when `actor` may not see it, or the database does not answer.
    pub async fn text_bytes(&self, actor: Actor, id: JobId) -> Result<Option<u64>, AccessError> {
        Ok(self.tenant_of(actor, Permission::ReadJobs)?.jobs().text_bytes(id).await?)
    }

    /// Cancels what has not ended. `None`: no such job.
    ///
    /// # Errors
    /// [`AccessError`] when `actor` may not cancel it, or the database does not answer.
    pub async fn cancel(&self, actor: Actor, id: JobId) -> Result<Option<JobView>, AccessError> {
        Ok(self.tenant_of(actor, Permission::CancelJobs)?.jobs().cancel(id).await?.as_ref().map(plain_view))
    }

    /// Takes a job and all it made out of sight; `false`: no such job.
    ///
    /// # Errors
    /// [`AccessError`] when `actor` may not delete it, or the database does not answer.
    pub async fn delete(&self, actor: Actor, id: JobId) -> Result<bool, AccessError> {
        Ok(self.tenant_of(actor, Permission::DeleteJobs)?.jobs().delete(id).await?)
    }

    /// # Errors
    /// [`AccessError`] when `actor` may not see it, or the database does not answer.
    pub async fn preview(&self, actor: Actor, id: JobId) -> Result<Option<Preview>, AccessError> {
        Ok(self.tenant_of(actor, Permission::ReadJobs)?.jobs().preview(id).await?)
    }

    /// Whether at least one worker for each stage is alive.
    ///
    /// # Errors
    /// [`StoreError`] when the database does not answer.
    pub async fn has_workers(&self) -> Result<bool, StoreError> {
        let fleet = self.store.workers().fleet(ALIVE_MS).await?;
        Ok(fleet.samplers > 0 && fleet.decoders > 0)
    }

    /// A job with its place in the queue and its estimate; without both when they cannot be had while an answer is waited for.
    pub(super) async fn view(&self, job: &Job, due: Option<Instant>) -> JobView {
        let mut view = plain_view(job);
        if !view.status.is_final() {
            let estimate = self.conditions(Some(job), &job.spec.model, job.spec.shape());
            if let Some(conditions) = self.estimates.attempt(share_of_time(due), estimate).await {
                view.queue_position = (view.status == Status::Queued).then_some(conditions.standing.position);
                view.progress = done(job).progress(conditions.costs);
                view.eta = conditions.eta_of(job);
            }
        }
        view
    }

    /// Jobs without their places and estimates, which would cost a look at the queue for each.
    pub(super) async fn plain_views(&self, jobs: &[Job]) -> Vec<JobView> {
        let mut views = Vec::with_capacity(jobs.len());
        for job in jobs {
            let mut view = plain_view(job);
            if view.status == Status::InProgress
                && let Some(costs) = self.estimates.attempt(Duration::MAX, self.costs(&job.spec.model, job.spec.shape())).await
            {
                view.progress = done(job).progress(costs);
            }
            views.push(view);
        }
        views
    }

    async fn costs(&self, model: &str, shape: Shape) -> Result<Option<StageCosts>, StoreError> {
        let (store, asked) = (self.store.clone(), (model.to_owned(), shape));
        self.costs.get(asked.clone(), || async move { store.timings().costs(&asked.0, asked.1).await }).await
    }

    /// What an estimate is made of: where the job stands, what its stages cost, and who works.
    async fn conditions(&self, job: Option<&Job>, model: &str, shape: Shape) -> Result<Conditions, StoreError> {
        let (standing, has_other_models) = self.places.standing(&self.store, job, model).await?;
        let costs = self.costs(model, shape).await?;
        let (store, asked) = (self.store.clone(), model.to_owned());
        let fleet = self.fleet.get(Some(asked.clone()), || async move { store.workers().fleet_of(&asked, ALIVE_MS).await }).await?;
        let is_behind_others = has_other_models && standing.ahead != WorkAhead::default();
        Ok(Conditions { standing, costs, fleet, is_behind_others })
    }
}

/// What an estimate is made of.
struct Conditions {
    standing: Standing,
    costs: Option<StageCosts>,
    fleet: Fleet,
    /// Some of the work ahead is another model's, and may take any time.
    is_behind_others: bool,
}

impl Conditions {
    fn eta(&self, steps_left: u32) -> Result<Eta, NoEta> {
        self.told(estimate(self.costs, self.fleet, self.standing.ahead, steps_left.into()))
    }

    /// Of a job that may have begun.
    fn eta_of(mut self, job: &Job) -> Result<Eta, NoEta> {
        if job.stage != Some(Stage::Decoding) {
            return self.eta(job.spec.steps.saturating_sub(job.step));
        }
        self.costs = self.costs.map(|costs| costs.after_decoding(job.decoded_permille));
        self.eta(0)
    }

    fn told(&self, estimate: Result<Interval, NoEta>) -> Result<Interval, NoEta> {
        if self.is_behind_others && estimate.is_ok() { Err(NoEta::OtherModels) } else { estimate }
    }
}

/// How far a job has come that has not ended.
const fn done(job: &Job) -> Done {
    Done { stage: job.stage, step: job.step, steps: job.spec.steps, decoded_permille: job.decoded_permille }
}

/// A job without what has to be looked up for it.
pub(super) fn plain_view(job: &Job) -> JobView {
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
        quote: job.quote,
        spec: job.spec.clone(),
        status,
        stage: job.stage,
        step: job.step,
        progress: if status == Status::Completed { 100 } else { done(job).progress(None) },
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
        understanding: job.understanding.clone(),
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
