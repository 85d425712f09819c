//! Looking at jobs, and the numbers shown before one is submitted.

use super::places::Asked;
use crate::{
    AccessError, Services,
    deadline::{Instant, share_of_time},
};
use domain::{
    Actor, Eta, Interval, JobId, JobSpec, JobState, JobView, NoEta, Permission, Shape, Status, TenantId, Timestamp,
    job::{StageTimes, WaitReason, Waiting},
    retention::{RETRIES_EXPECTED_MS, kept_until},
    scheduling::{Fleet, LineOf, StageCosts, Standing, WorkAhead, estimate, expected_wait},
};
use std::{error::Error, sync::Arc, time::Duration};
use store::{ALIVE_MS, Job, Preview, StoreError, queue::Throttled};

impl Services {
    /// How long a job of this shape would take from now, the queue included: of `tenant`, or of somebody who has none open.
    ///
    /// # Errors
    /// [`NoEta`], also when the numbers for it cannot be had in time.
    pub async fn expected_time(&self, tenant: Option<TenantId>, model: &str, shape: Shape, steps: u32) -> Result<Eta, NoEta> {
        let conditions = self.estimates.attempt(Duration::MAX, Box::pin(self.conditions_of_new(tenant, model, shape, Some(steps)))).await;
        conditions.map_or(Err(NoEta::NotAsked), |conditions| conditions.eta(steps))
    }

    /// How long a job of this shape, of somebody who has none open, would wait from now until a worker begins it.
    ///
    /// # Errors
    /// [`NoEta`], also when the numbers for it cannot be had in time.
    pub async fn expected_wait(&self, model: &str, shape: Shape) -> Result<Interval, NoEta> {
        let conditions = self.estimates.attempt(Duration::MAX, Box::pin(self.conditions_of_new(None, model, shape, None))).await;
        let told = |conditions: Conditions| conditions.told(expected_wait(conditions.costs, conditions.fleet, conditions.standing.ahead));
        conditions.map_or(Err(NoEta::NotAsked), told)
    }

    /// What a job like this takes a machine that has nothing else to do, where that is known.
    pub(super) async fn own_time(&self, spec: &JobSpec) -> Option<Eta> {
        let costs = self.estimates.attempt(Duration::MAX, self.costs.get(&self.store, &spec.model, spec.shape())).await.flatten();
        estimate(costs, Fleet { samplers: 1, decoders: 1 }, WorkAhead::default(), spec.steps.into()).ok()
    }

    /// # Errors
    /// [`AccessError`] when `actor` may not see it, or the database does not answer.
    pub async fn job(&self, actor: Actor, id: JobId) -> Result<Option<JobView>, AccessError> {
        match self.tenant_of(actor, Permission::ReadJobs)?.jobs().get(id).await? {
            Some(job) => {
                self.confirm_of(actor, &job);
                Ok(Some(self.view(&job, None).await))
            }
            None => Ok(None),
        }
    }

    /// A program that asks for a job knows it.
    pub(super) fn confirm_of(&self, actor: Actor, job: &Job) {
        let is_fresh = self.store.local_now().ms_since(job.created_at) < RETRIES_EXPECTED_MS.unsigned_abs();
        if actor.key().is_some() && is_fresh && self.confirmed.insert(job.id) {
            let (store, tenant, id) = (self.store.clone(), job.tenant, job.id);
            let confirmed = Arc::clone(&self.confirmed);
            tokio::spawn(async move {
                if let Err(error) = store.tenant(tenant).jobs().confirm(id).await {
                    tracing::warn!(job.id = %id, error = &error as &dyn Error, "that a client knows its job is not noted");
                    confirmed.remove(id);
                }
            });
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
        match self.tenant_of(actor, Permission::CancelJobs)?.jobs().cancel(id).await? {
            Some(job) => {
                self.confirm_of(actor, &job);
                Ok(Some(self.plain_view(&job).await))
            }
            None => Ok(None),
        }
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
        if status_of(job).is_final() {
            return self.plain_view(job).await;
        }
        let estimate = Box::pin(async {
            let throttled = match job.lifecycle.state {
                JobState::Throttled => self.store.queue().throttle(job).await?,
                _ => None,
            };
            let conditions = self.conditions(Asked::Job(job), &job.spec.model, job.spec.shape()).await?;
            Ok((throttled, conditions, self.store.now().await?))
        });
        let Some((throttled, conditions, now)) = self.estimates.attempt(share_of_time(due), estimate).await else {
            return bare_view(job, self.costs.last(&job.spec.model, job.spec.shape()));
        };
        let mut view = bare_view(job, conditions.costs);
        let position = conditions.standing.position;
        view.queue_position = (view.status == Status::Queued && position > 0).then_some(position);
        view.eta = conditions.eta_of(job);
        if let Some(Throttled::Until(enters_at)) = throttled {
            view.eta = view.eta.map(|eta| eta.after_ms(enters_at.ms_since(now)));
        } else if throttled.is_some() {
            view.eta = Err(NoEta::NotMeasured);
        }
        view.waiting = (view.status == Status::Queued).then(|| Waiting::from(waiting(job, throttled, view.eta, position, now)));
        view
    }

    /// A job without its place and estimate.
    async fn plain_view(&self, job: &Job) -> JobView {
        let kept_until = self.kept_until(job).await;
        JobView { kept_until, ..self.view_without_estimate(job).await }
    }

    /// When a job that has ended is deleted; also `None` when the plan cannot be had.
    async fn kept_until(&self, job: &Job) -> Option<Timestamp> {
        let (ended_at, store, tenant) = (job.ended_at?, self.store.clone(), job.tenant);
        match self.kept.get(tenant, || async move { store.tenant(tenant).credits().kept().await }).await {
            Ok((days, at_least)) => days.map(|days| kept_until(ended_at, days).max(at_least)),
            Err(error) => {
                tracing::warn!(job.id = %job.id, error = &error as &dyn Error, "it cannot be told how long a video is kept");
                None
            }
        }
    }

    /// Where what its stages cost cannot be had, what was known last says how far it has come.
    async fn view_without_estimate(&self, job: &Job) -> JobView {
        let (model, shape) = (&job.spec.model, job.spec.shape());
        let status = status_of(job);
        if matches!(status, Status::Queued | Status::Completed) {
            return bare_view(job, None);
        }
        // What ended stays where it is.
        if let Some(known) = self.costs.last(model, shape).filter(|_| status.is_final()) {
            return bare_view(job, Some(known));
        }
        let costs = self.estimates.attempt(Duration::MAX, self.costs.get(&self.store, model, shape)).await;
        bare_view(job, costs.unwrap_or_else(|| self.costs.last(model, shape)))
    }

    /// Jobs without their places and estimates, which would cost a look at the queue for each.
    pub(super) async fn plain_views(&self, jobs: &[Job]) -> Vec<JobView> {
        let mut views = Vec::with_capacity(jobs.len());
        for job in jobs {
            views.push(self.plain_view(job).await);
        }
        views
    }

    /// Of a job that is not there yet. `steps`: as many as usual, of `None`.
    async fn conditions_of_new(
        &self,
        tenant: Option<TenantId>,
        model: &str,
        shape: Shape,
        steps: Option<u32>,
    ) -> Result<Conditions, StoreError> {
        let catalog = self.catalog().await?;
        let work = catalog.by_id(model).map_or(shape.duration, |model| model.quote(shape, steps.unwrap_or(model.steps.default)).billed);
        let (lane, place) = self.store.queue().would_stand(tenant, model, work).await?;
        self.conditions(Asked::Place(LineOf { lane, model }, place), model, shape).await
    }

    /// What an estimate is made of: where the job stands, what its stages cost, and who works.
    async fn conditions(&self, asked: Asked<'_>, model: &str, shape: Shape) -> Result<Conditions, StoreError> {
        let (standing, has_other_models) = self.places.standing(&self.store, asked).await?;
        let costs = self.costs.get(&self.store, model, shape).await?;
        let (store, asked) = (self.store.clone(), model.to_owned());
        let fleet = self.fleet.get(Some(asked.clone()), || async move { store.workers().fleet_of(&asked, ALIVE_MS).await }).await?;
        Ok(Conditions { standing, costs, fleet, has_other_models })
    }
}

/// What an estimate is made of.
struct Conditions {
    standing: Standing,
    costs: Option<StageCosts>,
    fleet: Fleet,
    /// Jobs of another model take turns with these, and may take any time.
    has_other_models: bool,
}

impl Conditions {
    fn eta(&self, steps_left: u32) -> Result<Eta, NoEta> {
        self.told(estimate(self.costs, self.fleet, self.standing.ahead, steps_left.into()))
    }

    /// Of a job that may have begun.
    fn eta_of(mut self, job: &Job) -> Result<Eta, NoEta> {
        let done = job.done();
        if done.decoded_permille > 0 {
            self.costs = self.costs.map(|costs| costs.after_decoding(done.decoded_permille));
        }
        self.eta(done.steps - done.step.min(done.steps))
    }

    fn told(&self, estimate: Result<Interval, NoEta>) -> Result<Interval, NoEta> {
        if self.has_other_models && estimate.is_ok() { Err(NoEta::OtherModels) } else { estimate }
    }
}

/// The one reason for which a job waits.
fn waiting(job: &Job, throttled: Option<Throttled>, eta: Result<Eta, NoEta>, position: u64, now: Timestamp) -> WaitReason {
    match (throttled, &job.lifecycle.state) {
        (Some(Throttled::Until(enters_at)), _) => WaitReason::ReleaseRate { enters_at },
        (Some(Throttled::AtOnce(at_once)), _) => WaitReason::Quota { at_once },
        (None, _) if eta == Err(NoEta::NoWorker) => WaitReason::NoWorker,
        (None, JobState::Retrying { not_before, .. }) if *not_before > now => WaitReason::Retry { again_at: *not_before },
        (None, _) => WaitReason::Capacity { position: position.max(1) },
    }
}

const fn status_of(job: &Job) -> Status {
    match job.lifecycle.state {
        JobState::Throttled => Status::Queued,
        JobState::Ready | JobState::Retrying { .. } if job.step == 0 => Status::Queued,
        JobState::Succeeded => Status::Completed,
        JobState::Failed(_) => Status::Failed,
        JobState::Cancelled => Status::Cancelled,
        _ => Status::InProgress,
    }
}

/// A job without what has to be looked up for it; how far it has come by what its stages cost.
fn bare_view(job: &Job, costs: Option<StageCosts>) -> JobView {
    let status = status_of(job);
    let failure = if let JobState::Failed(failure) = &job.lifecycle.state { Some(failure.clone()) } else { None };
    JobView {
        id: job.id,
        revision: job.revision,
        quote: job.quote,
        charge: job.charge.clone(),
        spec: job.spec.clone(),
        status,
        stage: job.stage,
        step: job.step,
        progress: if status == Status::Completed { 100 } else { job.done().progress(costs) },
        queue_position: None,
        waiting: None,
        eta: Err(NoEta::NotAsked),
        attempts: job.lifecycle.attempts,
        preview_step: job.preview_step,
        failure,
        remixed_from: job.remixed_from,
        project: Some(job.project),
        created_at: job.created_at,
        started_at: job.started_at,
        ended_at: job.ended_at,
        kept_until: None,
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
