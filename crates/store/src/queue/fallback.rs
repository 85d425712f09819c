//! A job goes over to the other model that its request allows, and to the line of that model.

use super::line::{self, Lines};
use crate::{
    Job, Store, StoreError, billing,
    database::write::Write,
    entity::{job as table, model, tenant},
    rows::{artifacts, fallback, previews},
};
use domain::{
    JobState, Timestamp,
    job::Fallback,
    scheduling::{LineOf, Tag},
};
use sea_orm::{ActiveValue::Set, ColumnTrait, EntityTrait, QueryFilter};

/// The other model of a job that is on offer, and where the job stands in its line.
pub(super) struct OtherModel {
    fallback: Fallback,
    /// `None`: it has not entered the queue.
    tag: Option<Tag>,
    taken_at: Timestamp,
}

/// The other model that a job may be made by: its request allows one, which is on offer.
pub(super) async fn of(write: &Write, job: &Job) -> Result<Option<Fallback>, StoreError> {
    let Some(fallback) = &job.fallback else { return Ok(None) };
    let offered = model::Entity::find_by_id(&*fallback.model).filter(model::Column::IsOffered.eq(true)).one(&write.tx).await?;
    Ok(offered.map(|_| fallback.clone()))
}

impl OtherModel {
    /// Looks where `job` will stand, as any other of its tenant that enters that line now: it takes no virtual time of its old line along. What the
    /// first model has made of it goes.
    pub(super) async fn take_over(store: &Store, write: &Write, job: &Job, fallback: Fallback) -> Result<Self, StoreError> {
        let texts = fallback::texts(write, job).await?;
        let fallback = Fallback { texts, ..fallback };
        if job.lifecycle.state == JobState::Throttled {
            return Ok(Self { fallback, tag: None, taken_at: write.now });
        }
        artifacts::abandon_latents(write, job.id).await?;
        previews::remove(write, job.id).await?;
        let line = LineOf { lane: job.lane(), model: &fallback.model };
        let progress = Lines::read(store, &write.tx, line.model).await?.progress(line.lane);
        let row = tenant::Entity::find_by_id(job.tenant.uuid()).one(&write.tx).await?;
        let plan = row.ok_or_else(|| StoreError::inconsistent("jobs", "tenant_id", job.tenant))?.plan;
        let weight = billing::current_plan(&write.tx, &plan).await?.weight;
        let tag = line::stand(&write.tx, (job.tenant, line), (progress, fallback.work, weight), job.deadlines.first()).await?;
        Ok(Self { fallback, tag: Some(tag), taken_at: write.now })
    }

    pub(super) fn set(self, row: &mut table::ActiveModel, job: &Job) -> Result<(), StoreError> {
        if self.tag.is_some() {
            row.queued_at_ms = Set(Some(self.taken_at.ms()));
        }
        fallback::take(row, job, self.fallback, self.tag)
    }
}
