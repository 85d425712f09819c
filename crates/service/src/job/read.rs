//! Looking at jobs, and the numbers shown before one is submitted.

use super::{
    forecast::{Foretold, Newcomer, Outlook},
    kept::{for_decoder, in_quarantine, kept_by_operator, tell_kept, waiting},
};
use crate::{
    AccessError, Services,
    deadline::{Instant, share_of_time},
};
use domain::{
    Actor, Eta, Interval, JobId, JobSpec, JobState, JobView, NoEta, Permission, Shape, Stage, Status, TenantId, Timestamp,
    billing::Lane,
    job::{FailedAttempt, StageTimes},
    retention::{RETRIES_EXPECTED_MS, kept_until},
    scheduling::{LineOf, Place, StageCosts, Words, Workload},
};
use std::{error::Error, sync::Arc, time::Duration};
use store::{
    ALIVE_MS, Job, Preview, StoreError,
    queue::{HEAD, Limits},
};
use uuid::Uuid;

/// Whose a job would be.
#[derive(Clone, Copy)]
enum Whose {
    Tenant(TenantId),
    /// Somebody's with the lightest plan who has none open, in this lane.
    Stranger(Lane),
}

impl Services {
    /// How long a job of this shape would take from now, the queue included: of `tenant`, or of somebody who has none open.
    ///
    /// # Errors
    /// [`NoEta`], also when the numbers for it cannot be had in time.
    pub async fn expected_time(&self, tenant: Option<TenantId>, model: &str, shape: Shape, steps: u32) -> Result<Eta, NoEta> {
        let whose = tenant.map_or(Whose::Stranger(Lane::Interactive), Whose::Tenant);
        let outlook = self.estimates.attempt(Duration::MAX, self.outlook_in_turn((whose, model), shape, (Some(steps), None))).await;
        outlook.unwrap_or(Err(NoEta::NotAsked)).map(|(lane, outlook)| self.forecasts.told.eta(lane, outlook))
    }

    /// How long a job like this would take with a deadline, among those of its tenant: until it begins, and until it ends.
    pub(super) async fn expected_by(&self, tenant: TenantId, spec: &JobSpec, deadline: Timestamp) -> Option<(Interval, Interval)> {
        let outlook = self.outlook_in_turn((Whose::Tenant(tenant), &spec.model), spec.shape(), (Some(spec.steps), Some(deadline)));
        let (lane, outlook) = self.estimates.attempt(Duration::MAX, outlook).await?.ok()?;
        Some((self.forecasts.told.wait(lane, outlook), self.forecasts.told.eta(lane, outlook)))
    }

    /// How long a job of this shape, of somebody who has none open, would wait from now in this lane until a worker begins it.
    ///
    /// # Errors
    /// [`NoEta`], also when the numbers for it cannot be had in time.
    pub async fn expected_wait(&self, LineOf { lane, model }: LineOf<'_>, shape: Shape) -> Result<Interval, NoEta> {
        let stranger = Whose::Stranger(lane);
        let outlook = self.estimates.attempt(Duration::MAX, self.outlook_in_turn((stranger, model), shape, (None, None))).await;
        outlook.unwrap_or(Err(NoEta::NotAsked)).map(|(lane, outlook)| self.forecasts.told.wait(lane, outlook))
    }

    /// What a job like this takes a machine that has nothing else to do, in milliseconds, where that is known.
    pub(super) async fn own_time_ms(&self, spec: &JobSpec) -> Option<u64> {
        self.estimates.attempt(Duration::MAX, self.costs.refresh(&self.store)).await;
        self.costs.of(spec).map(|costs| (costs.sampling_ms + costs.decoding_ms) as u64)
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

    /// The same without its place and estimate, which would cost a look at the queue.
    ///
    /// # Errors
    /// [`AccessError`] when `actor` may not see it, or the database does not answer.
    pub async fn plain_job(&self, actor: Actor, id: JobId) -> Result<Option<JobView>, AccessError> {
        match self.tenant_of(actor, Permission::ReadJobs)?.jobs().get(id).await? {
            Some(job) => {
                self.confirm_of(actor, &job);
                Ok(Some(self.plain_view(&job).await))
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

    /// Whether at least one worker for each stage is alive, or comes as soon as there is work for it.
    ///
    /// # Errors
    /// [`StoreError`] when the database does not answer.
    pub async fn has_workers(&self) -> Result<bool, StoreError> {
        let fleet = self.store.workers().fleet(ALIVE_MS).await?;
        Ok(fleet.samplers > 0 && fleet.decoders > 0 || self.workers_come().await?)
    }

    /// A job with its place in the queue and its estimate; without both when they cannot be had while an answer is waited for.
    pub(super) async fn view(&self, job: &Job, due: Option<Instant>) -> JobView {
        self.view_with_outlook(job, due, None).await.0
    }

    /// The same of one that was moved just now: its place is that of this moment.
    pub(super) async fn view_of_moved(&self, job: &Job) -> JobView {
        let place = self.store.queue().place_of(job).await.ok().flatten();
        self.view_with_outlook(job, None, place).await.0
    }

    /// The same of one that was submitted just now: what is told of its time is compared with what comes of it.
    pub(super) async fn view_of_new(&self, job: &Job, due: Option<Instant>) -> JobView {
        let (view, outlook) = self.view_with_outlook(job, due, None).await;
        if let (Some(outlook), Ok(told)) = (outlook, view.eta) {
            self.forecasts.told.note(job.id, job.lane(), outlook, told);
        }
        view
    }

    /// `place`: in its line, where that is known.
    async fn view_with_outlook(&self, job: &Job, due: Option<Instant>, place: Option<u64>) -> (JobView, Option<Outlook>) {
        if status_of(job).is_final() {
            return (self.plain_view(job).await, None);
        }
        let foretell = Box::pin(async {
            if let Some(kept) = Box::pin(kept_by_operator(&self.store, job)).await? {
                return Ok(Err(kept));
            }
            let position = match place {
                Some(place) => place,
                None => Box::pin(self.places.position(&self.store, job)).await?,
            };
            let now = self.store.now().await?;
            // Who waits for a turn keeps nothing but the question.
            Ok(Ok((position, now, Box::pin(self.forecasts.of(&self.store, (job, position), &self.costs, now)).await?)))
        });
        let foretold = self.estimates.attempt(share_of_time(due), foretell).await;
        let mut view = self.bare_view(job);
        let (position, now, foretold) = match foretold {
            Some(Ok(foretold)) => foretold,
            Some(Err(kept)) => {
                tell_kept(&mut view, job, kept);
                return (view, None);
            }
            None => return (view, None),
        };
        let outlook = foretold.outlook.ok();
        self.tell_outlook(&mut view, (job, position), foretold, now);
        (view, outlook)
    }

    /// A job without what the queue says of it.
    pub(super) fn bare_view(&self, job: &Job) -> JobView {
        bare_view(job, self.costs.of(&job.spec))
    }

    /// Adds the place in the queue, the estimate, and why it waits.
    pub(super) fn tell_outlook(
        &self,
        view: &mut JobView,
        (job, position): (&Job, u64),
        Foretold { outlook, throttled, cold_load }: Foretold,
        now: Timestamp,
    ) {
        view.queue_position = (view.status == Status::Queued && position > 0).then_some(position);
        view.eta = outlook.map(|outlook| self.forecasts.told.eta(job.lane(), outlook));
        // One that has begun may wait for its turn again.
        let waits_again = matches!(job.lifecycle.state, JobState::Retrying { .. });
        view.waiting = if view.status == Status::Queued || waits_again {
            Some(waiting(job, (throttled, cold_load), view.eta, position, now).into())
        } else {
            for_decoder(job)
        };
    }

    /// A job without its place and estimate.
    pub(crate) async fn plain_view(&self, job: &Job) -> JobView {
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
        if matches!(status_of(job), Status::Queued | Status::Completed) {
            return bare_view(job, None);
        }
        let known = self.costs.of(&job.spec);
        // What ended stays where it is.
        if known.is_none() || !status_of(job).is_final() {
            self.estimates.attempt(Duration::MAX, self.costs.refresh(&self.store)).await;
        }
        bare_view(job, self.costs.of(&job.spec))
    }

    /// Jobs without their places and estimates, which would cost a look at the queue for each.
    pub(crate) async fn plain_views(&self, jobs: &[Job]) -> Vec<JobView> {
        let mut views = Vec::with_capacity(jobs.len());
        for job in jobs {
            views.push(self.plain_view(job).await);
        }
        views
    }

    /// As [`Self::outlook_of_new`]; who waits for a turn keeps nothing but the question.
    async fn outlook_in_turn(
        &self,
        (whose, model): (Whose, &str),
        shape: Shape,
        how: (Option<u32>, Option<Timestamp>),
    ) -> Result<Result<(Lane, Outlook), NoEta>, StoreError> {
        Box::pin(self.outlook_of_new(whose, model, shape, how)).await
    }

    /// Of a job that is not there yet. `steps`: as many as usual, of `None`. With a `deadline` it stands in front of those of its tenant that make
    /// room for it.
    async fn outlook_of_new(
        &self,
        whose: Whose,
        model: &str,
        shape: Shape,
        (steps, deadline): (Option<u32>, Option<Timestamp>),
    ) -> Result<Result<(Lane, Outlook), NoEta>, StoreError> {
        let catalog = self.catalog().await?;
        let Some(entry) = catalog.by_id(model) else { return Ok(Err(NoEta::NoWorker)) };
        let workload = Workload { shape, steps: steps.unwrap_or(entry.steps.default), words: Words::NONE };
        let simulated = self.forecasts.simulated(&self.store, &self.costs).await?;
        let billed = entry.quote(shape, workload.steps).billed;
        let work = self.costs.work(entry, workload, billed);
        let queue = self.store.queue();
        let (tenant, (lane, tag)) = match whose {
            Whose::Tenant(tenant) => (Some(tenant), queue.would_stand(tenant, model, work, deadline).await?),
            Whose::Stranger(lane) => (None, (lane, queue.stranger_would_stand(LineOf { lane, model }, work).await?)),
        };
        let line = LineOf { lane, model };
        if self.store.pauses().await?.of(line, tenant.unwrap_or(TenantId::from_uuid(Uuid::nil()))).is_some() {
            return Ok(Err(NoEta::Paused));
        }
        let at = self.store.now().await?;
        let nobody = Limits { tenant: TenantId::from_uuid(Uuid::nil()), weight: 1, gate: None, free_at: at };
        let limits = match tenant {
            Some(tenant) => self.store.queue().limits_of(tenant).await?.unwrap_or(nobody),
            None => nobody,
        };
        let id = JobId::from_uuid(Uuid::max());
        let position = self.places.position_in(&self.store, line, Place { finish: tag.finish, job: id }).await?;
        if deadline.is_some() && position > HEAD {
            return Ok(simulated.behind_all(line, position, at).map(|outlook| (lane, outlook)));
        }
        let tag = deadline.map(|_| tag);
        let newcomer = Newcomer { id, limits, line, workload, work, billed, has_entered: false, tag, position, at };
        Ok(simulated.of_newcomer(&newcomer, &self.costs, false).await.map(|outlook| (lane, outlook)))
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
        waiting: in_quarantine(job).or_else(|| for_decoder(job)),
        eta: Err(NoEta::NotAsked),
        attempts: job.lifecycle.attempts,
        preview_step: job.preview_step,
        failure,
        failed_attempts: job.failed_attempts.iter().map(FailedAttempt::told).collect(),
        remixed_from: job.remixed_from,
        project: Some(job.project),
        created_at: job.created_at,
        started_at: job.started_at,
        ended_at: job.ended_at,
        kept_until: None,
        deadlines: job.deadlines,
        fallback_model: match (&job.requested_model, &job.fallback) {
            (Some(_), _) => Some(job.spec.model.clone()),
            (None, fallback) => fallback.as_ref().map(|fallback| fallback.model.clone()),
        },
        requested_model: job.requested_model.clone(),
        held: job.held,
        times: stage_times(job),
        understanding: job.understanding.clone(),
    }
}

fn stage_times(job: &Job) -> Option<StageTimes> {
    let started_at = job.started_at?;
    // How long a decode took that came to nothing is not known, and that was no wait for one. Nor is what is sampled anew.
    let waits_to_the_end = job.stage == Some(Stage::Sampling) && job.step >= job.spec.steps;
    let sampled_at = job.sampled_at.filter(|_| waits_to_the_end);
    let until_end = |since: Option<Timestamp>| since.zip(job.ended_at).map_or(0, |(since, ended_at)| ended_at.ms_since(since));
    let was_decoding = job.lifecycle.state != JobState::Succeeded && job.stage == Some(Stage::Decoding) && job.decoding_ms.is_none();
    let times = StageTimes {
        waited_ms: started_at.ms_since(job.created_at),
        sampling_ms: job.sampling_ms?,
        decoder_wait_ms: job.decoder_wait_ms().unwrap_or_else(|| until_end(sampled_at)),
        decoding_ms: job.decoding_ms.unwrap_or_default(),
        at_decoder_ms: until_end(job.sampled_at.filter(|_| was_decoding)),
    };
    Some(times.of_total(job.ended_at.map(|ended_at| ended_at.ms_since(job.created_at))))
}
