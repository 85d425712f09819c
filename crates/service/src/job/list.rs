//! Lists of jobs: a page to look over, and a page of whole jobs that is read bit by bit.

use crate::{AccessError, Services};
use domain::{Actor, JobId, JobView, Permission, TenantId};
use std::collections::VecDeque;
use store::{JobOutline, JobPage, ListedJobs, PageQuery, StoreError, Texts};

/// More than any page shows of a text in a list.
const START_CHARS: i32 = 200;
/// Of texts that are read at once; a job with more is read alone.
const SLICE_BYTES: u64 = 64 * 1024;
const SLICE_JOBS: usize = 20;

/// A page of whole jobs that is read as far as someone wants to know it.
pub struct JobList {
    services: Services,
    tenant: TenantId,
    unread: VecDeque<JobOutline>,
    last: Option<JobId>,
    has_more: bool,
}

impl Services {
    /// A page of the tenant's jobs with the first 200 characters of their texts, and whether there are more
    /// jobs behind it. Without estimates, which would cost a look at the queue for each.
    ///
    /// # Errors
    /// [`AccessError`] when `actor` may not see them, or the database does not answer.
    pub async fn jobs(&self, actor: Actor, page: PageQuery) -> Result<(Vec<JobView>, bool), AccessError> {
        self.jobs_of(actor, ListedJobs::All, page).await
    }

    /// The same of some of them.
    ///
    /// # Errors
    /// [`AccessError`] when `actor` may not see them, or the database does not answer.
    pub async fn jobs_of(&self, actor: Actor, of: ListedJobs, page: PageQuery) -> Result<(Vec<JobView>, bool), AccessError> {
        let jobs = self.tenant_of(actor, Permission::ReadJobs)?.jobs();
        let JobPage { jobs, has_more } = jobs.list_of(of, page, Texts::Start(START_CHARS)).await?;
        Ok((self.plain_views(&jobs).await, has_more))
    }

    /// A page of the tenant's jobs, none of which has been read yet.
    ///
    /// # Errors
    /// [`AccessError`] when `actor` may not see them, or the database does not answer.
    pub async fn job_list(&self, actor: Actor, page: PageQuery) -> Result<JobList, AccessError> {
        let tenant = actor.require_membership(Permission::ReadJobs)?.tenant;
        let outline = self.store.tenant(tenant).jobs().outline(page).await?;
        let last = outline.jobs.last().map(|job| job.id);
        Ok(JobList { services: self.clone(), tenant, unread: outline.jobs.into(), last, has_more: outline.has_more })
    }
}

impl JobList {
    /// The next few jobs, without estimates; none when the page is at its end.
    ///
    /// # Errors
    /// [`StoreError`] when the database does not answer.
    pub async fn next(&mut self) -> Result<Vec<JobView>, StoreError> {
        // Jobs deleted since the page was begun are not there any more, and some may not be readable.
        while let Some(ids) = self.take_slice() {
            let jobs = self.services.store.tenant(self.tenant).jobs().get_all(&ids, Texts::Whole).await?;
            if !jobs.is_empty() {
                return Ok(self.services.plain_views(&jobs).await);
            }
        }
        Ok(Vec::new())
    }

    /// Whether there are jobs behind the page.
    #[must_use]
    pub const fn has_more(&self) -> bool {
        self.has_more
    }

    /// The last job of the whole page, behind which the next one begins; [`Self::next`] may have passed it over.
    #[must_use]
    pub const fn last(&self) -> Option<JobId> {
        self.last
    }

    fn take_slice(&mut self) -> Option<Vec<JobId>> {
        let first = self.unread.pop_front()?;
        let (mut ids, mut bytes) = (vec![first.id], first.text_bytes);
        while let Some(next) = self.unread.front()
            && bytes + next.text_bytes <= SLICE_BYTES
            && ids.len() < SLICE_JOBS
        {
            bytes += next.text_bytes;
            ids.push(next.id);
            self.unread.pop_front();
        }
        Some(ids)
    }
}
