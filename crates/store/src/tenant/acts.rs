//! What the operator does to one job of a tenant in the queue. Each act stands in the logs of both.

use super::spending;
use crate::{
    Change, Job, Store, StoreError, SubmitError, batches,
    billing::{self, Payer},
    database::write::Write,
    entity::{
        job::{self as table, Column},
        model,
    },
    operator::ActOfOperator,
    queue::{
        line::{self, Lines},
        order::{in_order, waits_in_line},
    },
    rows::{
        counted, fallback, has_come,
        jobs::{self, Lock},
    },
};
use domain::{
    Act, JobId, Stage, TenantId, Timestamp,
    job::{PAUSE_MAX_MS, TransitionError},
    scheduling::{LineOf, Place, Tag, VirtualTime},
};
use sea_orm::{ActiveValue::Set, ColumnTrait, DbErr, EntityTrait, QueryFilter, QuerySelect};
use uuid::Uuid;

/// Why nothing was done to a job.
#[derive(Debug, thiserror::Error)]
pub enum JobActError {
    #[error("there is no such video, or its owner has deleted it")]
    Unknown,
    #[error(transparent)]
    Refused(#[from] TransitionError),
    /// It would be made beside the batch, and once more with a retry of that.
    #[error("it belongs to a batch in which it has ended: that batch can be tried again")]
    OfBatch,
    #[error("its model {0} is not on offer any more")]
    ModelWithdrawn(String),
    /// What it costs cannot be held again.
    #[error(transparent)]
    NotHeld(SubmitError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<SubmitError> for JobActError {
    fn from(error: SubmitError) -> Self {
        if let SubmitError::Store(error) = error { Self::Store(error) } else { Self::NotHeld(error) }
    }
}

impl From<DbErr> for JobActError {
    fn from(error: DbErr) -> Self {
        Self::Store(error.into())
    }
}

/// The door to the jobs of a tenant for whoever runs the installation.
#[derive(Clone, Copy)]
pub struct JobActs<'a> {
    store: &'a Store,
    tenant: TenantId,
}

impl<'a> JobActs<'a> {
    pub(crate) const fn new(store: &'a Store, tenant: TenantId) -> Self {
        Self { store, tenant }
    }

    /// Puts a job in front of all others of its line that wait for the same stage.
    ///
    /// # Errors
    /// [`JobActError`]; nothing was done.
    pub async fn expedite(self, id: JobId, act: ActOfOperator<'_>) -> Result<(), JobActError> {
        let mut write = self.store.write().await?;
        let done = self.expedite_in(&mut write, id, act).await;
        write.end(done).await
    }

    async fn expedite_in(self, write: &mut Write, id: JobId, act: ActOfOperator<'_>) -> Result<(), JobActError> {
        let job = self.locked(write, id).await?;
        let stage = job.lifecycle.expedite()?;
        let (line, place) = job.place();
        let head = self.first_of(write, stage, line).await?;
        let is_behind = |(first, head): &(JobId, Tag)| Place { finish: head.finish, job: *first } < place;
        if let Some((first, head)) = head.filter(is_behind) {
            tracing::debug!(job.id = %id, behind = %first, "moved to the front of its line");
            let tag = job.tag.in_front_of(head);
            jobs::note(write, &job, |row| set_tag(row, tag)).await?;
            write.tell(Change::Queue(stage));
        }
        act.note(write, Some(self.tenant), Act::JobExpedited, id).await.map_err(Into::into)
    }

    /// Keeps a job that waits or has failed from being begun, for a reason that its owner is told.
    ///
    /// # Errors
    /// [`JobActError`]; nothing was done.
    pub async fn quarantine(self, id: JobId, act: ActOfOperator<'_>) -> Result<(), JobActError> {
        let mut write = self.store.write().await?;
        let done = self.quarantine_in(&mut write, id, act).await;
        write.end(done).await
    }

    async fn quarantine_in(self, write: &mut Write, id: JobId, act: ActOfOperator<'_>) -> Result<(), JobActError> {
        let job = self.locked(write, id).await?;
        let (next, now_ms) = (job.lifecycle.clone().quarantine()?, write.now.ms());
        jobs::store(write, &job, next, |row| {
            row.quarantined_since_ms = Set(Some(now_ms));
            row.quarantine_reason = Set(Some(act.reason.to_owned()));
        })
        .await?;
        act.note(write, Some(self.tenant), Act::JobQuarantined, id).await?;
        // It makes room for another, also for one that somebody is just keeping outside.
        billing::lock_tenant(&write.tx, self.tenant).await?;
        billing::release_now(&write.tx, self.tenant).await.map_err(Into::into)
    }

    /// Ends the quarantine of a job. One that waits stands where it stood, unless its line is elsewhere by now; while its tenant is paused, among
    /// the others of it.
    ///
    /// # Errors
    /// [`JobActError`]; nothing was done.
    pub async fn lift(self, id: JobId, act: ActOfOperator<'_>) -> Result<(), JobActError> {
        let mut write = self.store.write().await?;
        let done = self.lift_in(&mut write, id, act).await;
        write.end(done).await
    }

    async fn lift_in(self, write: &mut Write, id: JobId, act: ActOfOperator<'_>) -> Result<(), JobActError> {
        let job = self.locked(write, id).await?;
        let next = job.lifecycle.clone().lift()?;
        let tag = if next.waits_for().is_some() { Some(self.back_in_line(write, &job).await?) } else { None };
        let now_ms = write.now.ms();
        jobs::store(write, &job, next, |row| {
            if let Some(tag) = tag {
                set_tag(row, tag);
                row.queued_at_ms = Set(Some(now_ms));
            }
        })
        .await?;
        act.note(write, Some(self.tenant), Act::QuarantineLifted, id).await.map_err(Into::into)
    }

    /// Has a job tried once more that has failed. Its price is held again, so that it is charged once, when it is made after all.
    ///
    /// # Errors
    /// [`JobActError`]; nothing was done.
    pub async fn requeue(self, id: JobId, act: ActOfOperator<'_>) -> Result<(), JobActError> {
        loop {
            // That it has failed stays counted. This waits for whoever is writing its row: of many who ask at once each would pass over it for good.
            self.store.kept_numbers().count_one(id).await?;
            let mut write = self.store.write().await?;
            let done = Box::pin(self.requeue_in(&mut write, id, act)).await;
            if matches!(done, Ok(false)) {
                write.abandon().await?;
                continue;
            }
            return write.end(done.map(drop)).await;
        }
    }

    /// `false`: it is not counted yet, as it has failed once more meanwhile.
    async fn requeue_in(self, write: &mut Write, id: JobId, act: ActOfOperator<'_>) -> Result<bool, JobActError> {
        let job = self.locked(write, id).await?;
        let next = job.lifecycle.clone().requeue()?;
        if counted::is_to_come(write, id).await? {
            return Ok(false);
        }
        if batches::has_line_ended(write, id).await? {
            return Err(JobActError::OfBatch);
        }
        let line = LineOf { lane: job.lane(), model: &job.spec.model };
        let is_offered = model::Entity::find_by_id(line.model).filter(model::Column::IsOffered.eq(true)).one(&write.tx).await?.is_some();
        if !is_offered {
            return Err(JobActError::ModelWithdrawn(line.model.to_owned()));
        }
        let progress = Lines::read(self.store, &write.tx, line.model).await?.progress(line.lane);
        let last = line::last_of(&write.tx, self.tenant, line).await?;
        // The tenant's row is locked from here on.
        billing::lock_live_tenant(&write.tx, self.tenant).await?;
        let price = job.held;
        let row = billing::reserve(&write.tx, write.now, self.tenant, price).await?;
        let plan = billing::current_plan(&write.tx, &row.plan).await?;
        if row.has_spending_limits {
            let payer = Payer { project: job.project, api_key: job.api_key };
            let reached = billing::take_spending(&write.tx, write.now, self.tenant, payer, price).await?;
            spending::tell(write, self.tenant, reached).await?;
        }
        let (parts, drawn): (Vec<_>, Vec<_>) = billing::draw_on(&write.tx, self.tenant, price).await?.into_iter().unzip();
        let cause = billing::next_cause(&write.tx, self.tenant, id).await?;
        billing::book(&write.tx, write.now, self.tenant, (id, &cause), parts.into_iter()).await?;
        let (tag, now) = (progress.tag(last, job.work, plan.weight), write.now);
        jobs::store(write, &job, next, |row| {
            set_tag(row, tag);
            begin_anew(row, &job, now);
            row.plan = Set(Some(plan.id.clone()));
            row.lane = Set(Some(line.lane.as_str().to_owned()));
            row.drawn = Set(serde_json::to_string(&drawn).ok());
        })
        .await?;
        act.note(write, Some(self.tenant), Act::JobRequeued, id).await?;
        Ok(true)
    }

    async fn back_in_line(self, write: &Write, job: &Job) -> Result<Tag, StoreError> {
        let (line, _) = job.place();
        let last = line::last_of(&write.tx, self.tenant, line).await?;
        // Where the line is by now says nothing of those that are laid aside.
        if self.store.pauses_by(&write.tx).await?.tenants().any(|paused| paused == self.tenant) {
            return Ok(job.tag.back_aside(last));
        }
        let progress = Lines::read(self.store, &write.tx, line.model).await?.progress(line.lane);
        Ok(progress.back(job.tag, last))
    }

    /// What is next in a line, of what goes on in it: as [`Lines`] has it. For a tenant that is paused, of its own: the others do not wait for it.
    async fn first_of(self, write: &Write, stage: Stage, line: LineOf<'_>) -> Result<Option<(JobId, Tag)>, StoreError> {
        let pauses = self.store.pauses_by(&write.tx).await?;
        let in_line = table::Entity::find().filter(Column::Model.eq(line.model)).filter(Column::Lane.eq(line.lane.as_str()));
        let waiting = if pauses.tenants().any(|paused| paused == self.tenant) {
            in_line.filter(Column::WaitsFor.eq(stage.as_str())).filter(Column::TenantId.eq(self.tenant.uuid()))
        } else {
            in_line.filter(waits_in_line(stage)).filter(Column::TenantId.is_not_in(pauses.tenants().map(TenantId::uuid)))
        };
        // Where nothing may be begun for a while, what is first of that.
        let may_be_begun = waiting
            .clone()
            .filter(has_come(Column::NotBeforeMs, write.now, PAUSE_MAX_MS))
            .filter(Column::Suspect.eq(false))
            .filter(Column::Id.is_not_in(self.store.unreadable()));
        for jobs in [may_be_begun, waiting] {
            let columns = [Column::Id, Column::StartTag, Column::FinishTag];
            let first: Option<(Uuid, i64, i64)> =
                in_order(jobs).limit(1).select_only().columns(columns).into_tuple().one(&write.tx).await?;
            if let Some((id, start, finish)) = first {
                return Ok(Some((JobId::from_uuid(id), Tag { start: VirtualTime::new(start), finish: VirtualTime::new(finish) })));
            }
        }
        Ok(None)
    }

    async fn locked(self, write: &Write, id: JobId) -> Result<Job, JobActError> {
        jobs::find(&write.tx, self.tenant, id, Lock::Yes).await?.ok_or(JobActError::Unknown)
    }
}

fn set_tag(row: &mut table::ActiveModel, tag: Tag) {
    row.start_tag = Set(tag.start.value());
    row.finish_tag = Set(tag.finish.value());
}

/// Nothing is left of what it had made, and of what was told of its time: that was of another run. Nor of a deadline that has passed, or it
/// would fail again at once.
fn begin_anew(row: &mut table::ActiveModel, job: &Job, now: Timestamp) {
    let has_passed = |deadline: Option<Timestamp>| deadline.is_some_and(|deadline| deadline <= now);
    if has_passed(job.deadlines.start_by) {
        row.start_by_ms = Set(None);
    }
    if has_passed(job.deadlines.finish_by) {
        row.finish_by_ms = Set(None);
    }
    row.queued_at_ms = Set(Some(now.ms()));
    row.ended_at_ms = Set(None);
    row.charged_ms = Set(None);
    row.stage = Set(None);
    row.step = Set(0);
    row.preview_step = Set(None);
    row.decoded_permille = Set(None);
    row.sampling_ms = Set(None);
    row.decoding_ms = Set(None);
    forget_took(row);
    row.forecast_ms = Set(None);
    row.forecast_late_ms = Set(None);
    row.eta_basis = Set(None);
    row.eta_p50_ms = Set(None);
    row.eta_p90_ms = Set(None);
}

/// It is counted once more when it ends.
fn forget_took(row: &mut table::ActiveModel) {
    row.counted_at_ms = Set(None);
    row.device = Set(None);
    fallback::forget_took(row);
}
