//! A tenant's jobs: submitting, reading, cancelling and deleting them.

use super::submit;
use crate::{
    Artifact, ArtifactKind, Idempotency, Job, NewJob, Preview, Store, StoreError, SubmitError, Submitted,
    entity::job as table,
    rows::{
        artifacts,
        jobs::{self, Lock},
        previews,
    },
};
use domain::{JobId, JobState, TenantId, VideoTime};
use sea_orm::{ActiveValue::Set, ColumnTrait, QueryFilter, QueryOrder, QuerySelect};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    #[default]
    NewestFirst,
    OldestFirst,
}

/// A page of a list. Ids sort by creation, so a page goes on behind the last id of the one before,
/// also when that job is gone.
#[derive(Debug, Clone, Copy)]
pub struct PageQuery {
    pub after: Option<JobId>,
    pub limit: u64,
    pub order: Order,
}

#[derive(Debug, Clone)]
pub struct JobPage {
    pub jobs: Vec<Job>,
    pub has_more: bool,
}

#[derive(Clone, Copy)]
pub struct Jobs<'a> {
    store: &'a Store,
    tenant: TenantId,
}

impl<'a> Jobs<'a> {
    pub(crate) const fn new(store: &'a Store, tenant: TenantId) -> Self {
        Self { store, tenant }
    }

    /// Takes a job in: admission (`domain::scheduling::admit` against the tenant's open work), the row and
    /// the idempotency row in one transaction; wakes the samplers.
    pub async fn submit(self, job: NewJob, idempotency: Option<Idempotency>) -> Result<Submitted, SubmitError> {
        submit::submit(self.store, self.tenant, job, idempotency).await
    }

    pub async fn get(self, id: JobId) -> Result<Option<Job>, StoreError> {
        jobs::find(&self.store.db, self.tenant, id, Lock::No).await
    }

    pub async fn list(self, page: PageQuery) -> Result<JobPage, StoreError> {
        let query = jobs::visible(self.tenant).limit(page.limit.saturating_add(1));
        let query = match (page.order, page.after) {
            (Order::NewestFirst, Some(after)) => query.filter(table::Column::Id.lt(after.uuid())),
            (Order::OldestFirst, Some(after)) => query.filter(table::Column::Id.gt(after.uuid())),
            (_, None) => query,
        };
        let query = match page.order {
            Order::NewestFirst => query.order_by_desc(table::Column::Id),
            Order::OldestFirst => query.order_by_asc(table::Column::Id),
        };
        let mut jobs = query.all(&self.store.db).await?.into_iter().map(jobs::parsed).collect::<Result<Vec<_>, _>>()?;
        let limit = usize::try_from(page.limit).unwrap_or(usize::MAX);
        let has_more = jobs.len() > limit;
        jobs.truncate(limit);
        Ok(JobPage { jobs, has_more })
    }

    /// Video time waiting and running.
    pub async fn open_work(self) -> Result<VideoTime, StoreError> {
        submit::open_work(&self.store.db, self.tenant).await
    }

    /// Cancels a job that has not ended; one that has is returned as it is. `None`: no such job.
    pub async fn cancel(self, id: JobId) -> Result<Option<Job>, StoreError> {
        let mut write = self.store.write().await?;
        let found = jobs::find(&write.tx, self.tenant, id, Lock::Yes).await?;
        let Some((job, cancelled)) = found.as_ref().and_then(|job| Some((job, job.lifecycle.clone().cancel().ok()?))) else {
            write.abandon().await?;
            return Ok(found);
        };
        let job = jobs::store(&mut write, job, cancelled, |_| ()).await?;
        write.commit().await?;
        Ok(Some(job))
    }

    /// Removes the job from the tenant's sight, cancelling it first if need be. Its objects and rows go
    /// with the next [`crate::Queue::garbage`]. `false`: no such job.
    pub async fn delete(self, id: JobId) -> Result<bool, StoreError> {
        let mut write = self.store.write().await?;
        let Some(job) = jobs::find(&write.tx, self.tenant, id, Lock::Yes).await? else {
            write.abandon().await?;
            return Ok(false);
        };
        let now_ms = write.now.ms();
        match job.lifecycle.clone().cancel() {
            Ok(cancelled) => jobs::store(&mut write, &job, cancelled, |row| row.deleted_at_ms = Set(Some(now_ms))).await?,
            Err(_already_ended) => jobs::note(&mut write, &job, |row| row.deleted_at_ms = Set(Some(now_ms))).await?,
        };
        artifacts::abandon_all(&write, id).await?;
        write.commit().await?;
        Ok(true)
    }

    /// A committed artifact of a job that succeeded.
    pub async fn artifact(self, id: JobId, kind: ArtifactKind) -> Result<Option<Artifact>, StoreError> {
        match self.get(id).await? {
            Some(job) if job.lifecycle.state == JobState::Succeeded && kind != ArtifactKind::Latents => {
                artifacts::find_committed(&self.store.db, id, kind).await
            }
            _ => Ok(None),
        }
    }

    pub async fn preview(self, id: JobId) -> Result<Option<Preview>, StoreError> {
        match self.get(id).await? {
            Some(_) => previews::find(&self.store.db, id).await,
            None => Ok(None),
        }
    }
}
