//! Watching a job live: a stream of updates, newest state first, that ends with the job.
//!
//! Each update is complete in itself, so whoever comes back after a lost connection needs no history: the
//! first item already says all. No watcher reads or keeps the texts of its job.

use super::watchers::Known;
use crate::{AccessError, Services};
use domain::{Actor, Forbidden, JobId, JobUpdate, Permission, Status, TenantId};
use futures::{Stream, stream};
use std::time::Duration;
use store::{Job, StoreError, in_time};
use tokio::{sync::watch, time::timeout};

/// Estimates and queue positions move without a change of the job itself.
const REFRESH: Duration = Duration::from_secs(3);

struct Watch {
    services: Services,
    tenant: TenantId,
    id: JobId,
    news: watch::Receiver<Known>,
    /// As it was read last, without its texts.
    job: Option<Job>,
    sent: Option<JobUpdate>,
}

impl Services {
    /// Updates of a job as it moves on, beginning with its present state unless `after` names its revision.
    /// The stream ends after the final update, or when the job is gone.
    ///
    /// # Errors
    /// [`Forbidden`] when `actor` may not see it.
    pub fn watch(
        &self,
        actor: Actor,
        id: JobId,
        after: Option<u64>,
    ) -> Result<impl Stream<Item = Result<JobUpdate, StoreError>> + Send + use<>, Forbidden> {
        let tenant = actor.require_membership(Permission::ReadJobs)?.tenant;
        let news = self.watchers.subscribe(&self.store, id);
        let watch = Watch { services: self.clone(), tenant, id, news, job: None, sent: None };
        Ok(stream::unfold((watch, after), |(mut watch, after)| async move {
            let next = watch.next(after).await?;
            Some((next, (watch, None)))
        }))
    }

    /// The state of a job in passing: nothing of its texts is read. `None`: no such job.
    ///
    /// # Errors
    /// [`AccessError`] when `actor` may not see it, or the database does not answer.
    pub async fn job_update(&self, actor: Actor, id: JobId) -> Result<Option<JobUpdate>, AccessError> {
        match self.tenant_of(actor, Permission::ReadJobs)?.jobs().get_without_texts(id).await? {
            Some(job) => Ok(Some(self.view(&job, None).await.into())),
            None => Ok(None),
        }
    }

    /// The same for who asks ten times a second: its row, and its place by the snapshot of the queue that all share; no estimate.
    ///
    /// # Errors
    /// [`AccessError`] when `actor` may not see it, or the database does not answer.
    pub async fn job_standing(&self, actor: Actor, id: JobId) -> Result<Option<JobUpdate>, AccessError> {
        let Some(job) = self.tenant_of(actor, Permission::ReadJobs)?.jobs().get_without_texts(id).await? else { return Ok(None) };
        self.confirm_of(actor, &job);
        let mut view = self.bare_view(&job);
        if view.status == Status::Queued {
            // Outside of the queue it has none.
            view.queue_position = Some(self.places.position(&self.store, &job).await?).filter(|position| *position > 0);
        }
        Ok(Some(view.into()))
    }
}

impl Watch {
    async fn next(&mut self, mut after: Option<u64>) -> Option<Result<JobUpdate, StoreError>> {
        if self.sent.as_ref().is_some_and(|update| update.status.is_final()) {
            return None;
        }
        let mut wait = self.job.is_some();
        loop {
            if std::mem::replace(&mut wait, true) && self.wait_for_news().await == Known::Gone {
                return None;
            }
            match self.read().await {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => return Some(Err(error)),
            }
            let update = JobUpdate::from(self.services.view(self.job.as_ref()?, None).await);
            let known = after.take() == Some(update.revision) && !update.status.is_final();
            if self.sent.as_ref() == Some(&update) || known {
                self.sent = Some(update);
                continue;
            }
            self.sent = Some(update.clone());
            return Some(Ok(update));
        }
    }

    /// Reads the job again if it has changed since. `false`: it is gone.
    async fn read(&mut self) -> Result<bool, StoreError> {
        let known = *self.news.borrow_and_update();
        if self.job.as_ref().is_none_or(|job| known != Known::Revision(job.revision)) {
            self.job = in_time(self.services.store.tenant(self.tenant).jobs().get_without_texts(self.id)).await?;
        }
        Ok(self.job.is_some())
    }

    /// Sleeps until this job has changed, or its estimate is old.
    async fn wait_for_news(&mut self) -> Known {
        // The sender lives as long as this receiver: an error cannot be.
        let _ = timeout(REFRESH, self.news.changed()).await;
        *self.news.borrow()
    }
}
