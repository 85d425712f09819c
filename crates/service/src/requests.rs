//! Jobs as a log, of a tenant for its members and of all for the operator, and what became of one in all its times.

use crate::{AccessError, Services};
use domain::{
    Actor, JobId, JobView, Permission, TenantId, Timestamp,
    metrics::{Stretch, Timeline},
};
use std::collections::HashMap;
use store::requests::{RequestFilter, RequestPage, RequestPlace, RequestTimes, Requests, SharedWith};

/// A page of the log of all tenants.
#[derive(Debug, Clone)]
pub struct AllRequests {
    pub page: RequestPage,
    /// Of those in it, and of the one that was asked for; none of what is gone.
    pub tenant_names: HashMap<TenantId, String>,
}

/// A job with all that became of it.
#[derive(Debug, Clone)]
pub struct RequestDetail {
    /// `None`: it is told to the operator, who sees nothing of what somebody wrote.
    pub view: Option<JobView>,
    /// Told to the operator alone. `None` there: it is gone.
    pub tenant_name: Option<String>,
    pub times: RequestTimes,
    /// One after the other.
    pub stretches: Vec<Stretch>,
    pub shared: SharedWith,
    pub now: Timestamp,
}

impl Services {
    /// Jobs of the tenant of whoever acts, the newest first.
    ///
    /// # Errors
    /// [`AccessError`] when `actor` may not see them, or the database does not answer.
    pub async fn requests(
        &self,
        actor: Actor,
        filter: &RequestFilter,
        after: Option<RequestPlace>,
        limit: u64,
    ) -> Result<RequestPage, AccessError> {
        Ok(self.tenant_of(actor, Permission::ReadJobs)?.requests().page(filter, after, limit).await?)
    }

    /// Jobs of all tenants, the newest first, without what anybody wrote.
    ///
    /// # Errors
    /// [`AccessError`] when `actor` may not see them, or the database does not answer.
    pub async fn all_requests(
        &self,
        actor: Actor,
        filter: &RequestFilter,
        after: Option<RequestPlace>,
        limit: u64,
    ) -> Result<AllRequests, AccessError> {
        actor.require(Permission::InspectInstallation)?;
        let operator = self.store.operator();
        // Nor is anything of it guessed by looking for it.
        let filter = RequestFilter { text: None, ..filter.clone() };
        let page = operator.requests().page(&filter, after, limit).await?;
        let mut tenants: Vec<_> = page.rows.iter().map(|row| row.tenant).chain(filter.tenant).collect();
        tenants.sort_unstable();
        tenants.dedup();
        let tenant_names = if tenants.is_empty() { HashMap::new() } else { operator.tenant_names(&tenants).await? };
        Ok(AllRequests { page, tenant_names })
    }

    /// What became of a job of the tenant of whoever acts. `None`: no such job.
    ///
    /// # Errors
    /// [`AccessError`] when `actor` may not see it, or the database does not answer.
    pub async fn request_detail(&self, actor: Actor, id: JobId) -> Result<Option<RequestDetail>, AccessError> {
        let tenant = self.tenant_of(actor, Permission::ReadJobs)?;
        let log = tenant.requests();
        let Some(times) = log.times(id).await? else { return Ok(None) };
        let Some(view) = Box::pin(self.job(actor, id)).await? else { return Ok(None) };
        Ok(Some(self.detail(log, (id, times), Some(view)).await?))
    }

    /// The same of any tenant's job, without what anybody wrote.
    ///
    /// # Errors
    /// [`AccessError`] when `actor` may not see it, or the database does not answer.
    pub async fn any_request_detail(&self, actor: Actor, id: JobId) -> Result<Option<RequestDetail>, AccessError> {
        actor.require(Permission::InspectInstallation)?;
        let log = self.store.operator().requests();
        match log.times(id).await? {
            Some(times) => {
                let tenant = times.tenant;
                let detail = self.detail(log, (id, times), None).await?;
                let tenant_name = self.store.operator().tenant_names(&[tenant]).await?.remove(&tenant);
                Ok(Some(RequestDetail { tenant_name, ..detail }))
            }
            None => Ok(None),
        }
    }

    async fn detail(
        &self,
        log: Requests<'_>,
        (id, times): (JobId, RequestTimes),
        view: Option<JobView>,
    ) -> Result<RequestDetail, AccessError> {
        let shared = log.shared_with(id).await?;
        let now = self.store.now().await?;
        let stretches = Timeline::stretches(&times.timeline, now);
        Ok(RequestDetail { view, tenant_name: None, times, stretches, shared, now })
    }
}
