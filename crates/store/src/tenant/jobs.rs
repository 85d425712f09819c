//! A tenant's jobs: submitting, reading, cancelling and deleting them.

use super::{
    batch_lines,
    moving::{self, MoveError},
    own_queue::{self, OwnPage, Owner},
    submit::{self, Earlier},
    waiting,
};
use crate::{
    Artifact, ArtifactKind, Job, NewJob, Preview, Repetition, Store, StoreError, SubmitError, Submitted,
    entity::{job as table, unsigned},
    open_work,
    rows::{
        artifacts,
        jobs::{
            self, Lock,
            listed::{ListedJobs, PageQuery, on_page},
        },
        previews,
        texts::{self, Texts},
        unconfirmed,
    },
    sql::in_steps,
};
use domain::{BatchId, JobId, JobState, TenantId, UserId, VideoTime, job::Layout, scheduling::MoveTo};
use sea_orm::{ActiveValue::Set, ColumnTrait, QueryFilter, QuerySelect};
use std::{collections::HashMap, time::Duration};
use uuid::Uuid;

/// A row takes some ten kilobytes beside its texts until it is a job.
const ROWS_AT_ONCE: usize = 128;

#[derive(Debug, Clone)]
pub struct JobPage {
    pub jobs: Vec<Job>,
    pub has_more: bool,
}

/// Which jobs a page of a list has, before any of them is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageOutline {
    pub jobs: Vec<JobOutline>,
    pub has_more: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JobOutline {
    pub id: JobId,
    /// Of both texts, in UTF-8.
    pub text_bytes: u64,
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
    pub async fn submit(self, job: NewJob, repetition: impl Into<Repetition>) -> Result<Submitted, SubmitError> {
        self.submit_within(self.store.take_in_within, job, repetition.into()).await
    }

    /// The same, where all up to the commit may take `time`, and the commit as long again.
    pub async fn submit_within(self, time: Duration, job: NewJob, repetition: Repetition) -> Result<Submitted, SubmitError> {
        let tenant = self.tenant;
        self.store
            .perform(move |store| async move { submit::submit(&store, tenant, job, repetition, time.min(store.take_in_within)).await })
            .await
    }

    pub async fn get(self, id: JobId) -> Result<Option<Job>, StoreError> {
        jobs::find(&self.store.of(self.tenant), self.tenant, id, Lock::No).await
    }

    /// As [`Self::get`], without the texts.
    pub async fn get_without_texts(self, id: JobId) -> Result<Option<Job>, StoreError> {
        let query = jobs::visible(self.tenant, Texts::LeftOut).filter(table::Column::Id.eq(id.uuid()));
        jobs::one(&self.store.of(self.tenant), query, Lock::No).await
    }

    /// How many bytes the texts of a job have. `None`: no such job.
    pub async fn text_bytes(self, id: JobId) -> Result<Option<u64>, StoreError> {
        let query = jobs::visible(self.tenant, Texts::Whole).filter(table::Column::Id.eq(id.uuid()));
        let bytes: Option<i64> =
            query.select_only().expr_as(texts::bytes(), "text_bytes").into_tuple().one(&self.store.of(self.tenant)).await?;
        bytes.map(|bytes| unsigned(jobs::TABLE, "prompt", bytes)).transpose()
    }

    /// What was submitted under this idempotency key within a day; without its job, where that was
    /// deleted since.
    pub async fn submitted_under(self, key: &str) -> Result<Option<Earlier>, StoreError> {
        submit::submitted_under(self.store, self.tenant, key).await
    }

    /// Rows that cannot be read are passed over.
    pub async fn list(self, page: PageQuery, texts: Texts) -> Result<JobPage, StoreError> {
        self.list_of(ListedJobs::All, page, texts).await
    }

    /// The same of some of them.
    pub async fn list_of(self, of: ListedJobs, page: PageQuery, texts: Texts) -> Result<JobPage, StoreError> {
        let (mut jobs, mut after) = (Vec::new(), page.after);
        loop {
            let limit = page.limit - (jobs.len() as u64).min(page.limit);
            let query = on_page(of, jobs::visible(self.tenant, texts), PageQuery { after, limit, ..page });
            let found = jobs::readable(self.store, self.tenant, query).await?;
            let is_last = found.rows <= limit;
            after = found.last;
            jobs.extend(found.jobs);
            if is_last || jobs.len() as u64 > page.limit {
                break;
            }
        }
        let has_more = cut(&mut jobs, page.limit);
        Ok(JobPage { jobs, has_more })
    }

    /// The ids of a page and how much each job has to say; [`Self::get_all`] reads them.
    pub async fn outline(self, page: PageQuery) -> Result<PageOutline, StoreError> {
        let query = jobs::visible(self.tenant, Texts::Whole).select_only().column(table::Column::Id).expr_as(texts::bytes(), "text_bytes");
        let rows: Vec<(Uuid, i64)> = on_page(ListedJobs::All, query, page).into_tuple().all(&self.store.of(self.tenant)).await?;
        let outline = |(id, bytes)| Ok(JobOutline { id: JobId::from_uuid(id), text_bytes: unsigned(jobs::TABLE, "prompt", bytes)? });
        let mut jobs = rows.into_iter().map(outline).collect::<Result<Vec<_>, StoreError>>()?;
        let has_more = cut(&mut jobs, page.limit);
        Ok(PageOutline { jobs, has_more })
    }

    /// Those of these jobs that are still there and can be read, in the order of `ids`.
    pub async fn get_all(self, ids: &[JobId], texts: Texts) -> Result<Vec<Job>, StoreError> {
        let mut found = HashMap::with_capacity(ids.len());
        for some in ids.chunks(ROWS_AT_ONCE) {
            let these = table::Column::Id.is_in(in_steps(some.iter().map(|id| id.uuid()).collect()));
            let readable = jobs::readable(self.store, self.tenant, jobs::visible(self.tenant, texts).filter(these)).await?;
            found.extend(readable.jobs.into_iter().map(|job| (job.id, job)));
        }
        Ok(ids.iter().filter_map(|id| found.remove(id)).collect())
    }

    /// Video time waiting and running.
    pub async fn open_work(self) -> Result<VideoTime, StoreError> {
        open_work::of(&self.store.of(self.tenant), self.tenant).await
    }

    /// Cancels a job that has not ended; one that has is returned as it is. `None`: no such job.
    pub async fn cancel(self, id: JobId) -> Result<Option<Job>, StoreError> {
        let tenant = self.tenant;
        self.store.perform(move |store| async move { cancel(&store, tenant, id).await }).await
    }

    /// The jobs that no worker has begun, but for lines of batches.
    pub async fn waiting(self) -> Result<waiting::Waiting, StoreError> {
        waiting::total(self.store, self.tenant).await
    }

    /// Cancels the newest of them, at most `limit` in one transaction, and says how many these were. Lines of batches are left to their batch.
    pub async fn cancel_waiting(self, limit: u64) -> Result<u64, StoreError> {
        waiting::cancel(self.store, self.tenant, limit).await
    }

    /// What a person has in the queue, in the order in which it is made, at most `limit` jobs behind `after`. `None`: that is none of theirs.
    pub async fn own_queue(self, user: UserId, after: Option<JobId>, limit: u64, texts: Texts) -> Result<Option<OwnPage>, StoreError> {
        own_queue::page(self.store, self.owner(user), (after, limit), texts).await
    }

    /// A person's jobs that wait for their first step: how many they are, counted up to [`super::OWN_COUNTED_MAX`] in and outside of the queue.
    pub async fn own_waiting(self, user: UserId) -> Result<waiting::Waiting, StoreError> {
        own_queue::total(self.store, self.owner(user)).await
    }

    /// Those of them that are lines of batches.
    pub async fn own_waiting_of_batches(self, user: UserId) -> Result<waiting::Waiting, StoreError> {
        let batch_lines::Sum { jobs, billed } = batch_lines::own_waiting(self.store, self.tenant, user).await?;
        Ok(waiting::Waiting { jobs, billed })
    }

    /// The batches of which some jobs are lines. Those that were asked for singly are left out.
    pub async fn batches_of(self, jobs: &[JobId]) -> Result<HashMap<JobId, BatchId>, StoreError> {
        batch_lines::batches_of(self.store, self.tenant, jobs).await
    }

    /// Cancels some of them, at most `limit` in one transaction, of one model or all, and says how many these were. Lines of batches are left to
    /// their batch.
    pub async fn cancel_own_waiting(self, user: UserId, model: Option<&str>, limit: u64) -> Result<u64, StoreError> {
        own_queue::cancel(self.store, self.owner(user), model, limit).await
    }

    /// Moves a job that waits, and that no worker has had, among those of the same person in its line.
    ///
    /// # Errors
    /// [`MoveError::Refused`] says why it stays where it is.
    pub async fn move_to(self, id: JobId, to: MoveTo) -> Result<Job, MoveError> {
        moving::move_to(self.store, self.tenant, id, to).await
    }

    const fn owner(self, user: UserId) -> Owner {
        Owner { tenant: self.tenant, user }
    }

    /// Its client knows it, and sends its request again no more.
    pub async fn confirm(self, id: JobId) -> Result<(), StoreError> {
        unconfirmed::confirm(self.store, self.tenant, id).await
    }

    /// Removes the job from the tenant's sight, cancelling it first if need be. Its objects and rows go
    /// with the next [`crate::Queue::garbage`]. `false`: no such job.
    pub async fn delete(self, id: JobId) -> Result<bool, StoreError> {
        let mut write = self.store.write_of(self.tenant).await?;
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

    /// A committed result of a job that succeeded; without `kind`, what it was asked for.
    pub async fn artifact(self, id: JobId, kind: Option<ArtifactKind>) -> Result<Option<Artifact>, StoreError> {
        let Some(job) = self.get_without_texts(id).await? else { return Ok(None) };
        let results = ArtifactKind::results(&job.spec);
        let found = kind.map_or(results.first(), |kind| results.iter().find(|result| **result == kind));
        match found {
            Some(kind) if job.lifecycle.state == JobState::Succeeded => {
                artifacts::find_committed(&self.store.of(self.tenant), id, *kind).await
            }
            _ => Ok(None),
        }
    }

    /// Where the things of a finished job are drawn, if that was stored with it.
    pub async fn layout(self, id: JobId) -> Result<Option<Layout>, StoreError> {
        let job = jobs::visible(self.tenant, Texts::Whole).filter(table::Column::Id.eq(id.uuid()));
        let stored: Option<Option<String>> =
            job.select_only().column(table::Column::Layout).into_tuple().one(&self.store.of(self.tenant)).await?;
        let read = |text: String| serde_json::from_str(&text).map_err(|error| StoreError::inconsistent(jobs::TABLE, "layout", error));
        stored.flatten().map(read).transpose()
    }

    pub async fn preview(self, id: JobId) -> Result<Option<Preview>, StoreError> {
        match self.get_without_texts(id).await? {
            Some(_) => previews::find(&self.store.of(self.tenant), id).await,
            None => Ok(None),
        }
    }
}

async fn cancel(store: &Store, tenant: TenantId, id: JobId) -> Result<Option<Job>, StoreError> {
    let mut write = store.write_in_group_of(tenant).await?;
    let found = jobs::find(&write.tx, tenant, id, Lock::Yes).await?;
    let Some((job, cancelled)) = found.as_ref().and_then(|job| Some((job, job.lifecycle.clone().cancel().ok()?))) else {
        // It may have been cancelled just now, and not been flushed.
        write.commit().await?;
        return Ok(found);
    };
    let job = jobs::store(&mut write, job, cancelled, |_| ()).await?;
    write.commit().await?;
    Ok(Some(job))
}

/// Takes the row too many away; whether there was one.
fn cut<T>(rows: &mut Vec<T>, limit: u64) -> bool {
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let has_more = rows.len() > limit;
    rows.truncate(limit);
    has_more
}
