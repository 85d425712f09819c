//! What is left of accounts that were deleted: first the jobs of their tenants, at last the rows that others refer to.

use crate::{AccessError, Services};
use domain::{Actor, JobId, Permission, TenantId};
use std::error::Error;
use store::{Order, PageQuery, StoreError};

const JOBS_AT_ONCE: u64 = 100;

impl Services {
    /// Cancels and deletes jobs of tenants that are deleted, at most `jobs_max` of each, some of one and then some of the next; their objects
    /// are garbage then. One that cannot be deleted keeps no other waiting.
    ///
    /// # Errors
    /// [`AccessError`] when this is not `actor`'s work, the database does not answer, or a job could not be deleted.
    pub async fn delete_jobs_of_deleted(&self, actor: Actor, jobs_max: u64) -> Result<(), AccessError> {
        actor.require(Permission::Maintain)?;
        let mut turns: Vec<_> = self.store.deletions().tenants().await?.into_iter().map(|tenant| (tenant, None)).collect();
        let (mut left, mut failed) = (jobs_max, None);
        while left > 0 && !turns.is_empty() {
            let limit = left.min(JOBS_AT_ONCE);
            left -= limit;
            let mut next = Vec::new();
            for (tenant, after) in turns {
                let page = self.delete_page(tenant, PageQuery { after, limit, order: Order::OldestFirst }, &mut failed).await;
                match page {
                    Ok(Some(last)) => next.push((tenant, Some(last))),
                    Ok(None) => {}
                    Err(error) => {
                        tracing::warn!(tenant.id = %tenant, error = &error as &dyn Error, "jobs of a deleted tenant stay for now");
                        failed.get_or_insert(error);
                    }
                }
            }
            turns = next;
        }
        failed.map_or(Ok(()), |error| Err(error.into()))
    }

    /// The last job of this page, where more are behind it; in `failed` the first error of all.
    async fn delete_page(&self, tenant: TenantId, page: PageQuery, failed: &mut Option<StoreError>) -> Result<Option<JobId>, StoreError> {
        let outline = self.store.tenant(tenant).jobs().outline(page).await?;
        for job in &outline.jobs {
            if let Err(error) = self.store.deletions().delete_job(tenant, job.id).await {
                tracing::warn!(job.id = %job.id, error = &error as &dyn Error, "a job of a deleted tenant stays for now");
                failed.get_or_insert(error);
            }
        }
        Ok(outline.jobs.last().map(|job| job.id).filter(|_| outline.has_more))
    }

    /// Gives what deleted users made in teams that stay to an owner, and removes the last rows of what was deleted, once its jobs and objects
    /// are gone.
    ///
    /// # Errors
    /// As [`Self::delete_jobs_of_deleted`], of what could not be removed; the others are removed.
    pub async fn finish_deletions(&self, actor: Actor) -> Result<(), AccessError> {
        actor.require(Permission::Maintain)?;
        Ok(self.store.deletions().finish().await?)
    }
}
