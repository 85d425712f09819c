//! What the operator does with the ledger: looking through that of all tenants, and giving back what a job was charged.

use super::is_readable;
use crate::{AccessError, Services, job::new_idempotency_key};
use domain::{Actor, Forbidden, JobId, Permission, TenantId, VideoTime, billing::EntryKind};
use store::{
    Asked, LedgerEntries, LedgerEntry, LedgerFilter, LedgerPlace, NewRefund, RefundError as NotRefunded, Refunded, StoreError, TenantFound,
};

const TENANTS_FOUND: u64 = 20;
/// As many as a job can have.
const OF_A_JOB: u64 = 200;

#[derive(Debug, thiserror::Error)]
pub enum RefundError {
    #[error(transparent)]
    Forbidden(#[from] Forbidden),
    #[error("say why, in at most {} characters, all of them visible", super::NOTE_CHARS_MAX)]
    Reason,
    #[error("give back more than nothing")]
    Nothing,
    #[error("nothing was ever charged for such a video")]
    Unknown,
    #[error("{left} video-seconds are still charged for this video, and no more can be given back")]
    TooMuch { left: VideoTime },
    #[error("that team is gone")]
    Gone,
    #[error(transparent)]
    Store(StoreError),
}

impl From<StoreError> for RefundError {
    fn from(error: StoreError) -> Self {
        if matches!(error, StoreError::TenantGone(_)) { Self::Gone } else { Self::Store(error) }
    }
}

/// What the operator gives back.
#[derive(Debug, Clone)]
pub struct Refund {
    pub job: JobId,
    /// `None`: all that is still charged.
    pub amount: Option<VideoTime>,
    /// In words that the tenant sees.
    pub reason: String,
    /// Names this refund: sent again, it is made once. `None`: each is another.
    pub once: Option<String>,
}

/// What was booked for a job.
#[derive(Debug, Clone)]
pub struct ChargedJob {
    pub job: JobId,
    pub tenant: TenantId,
    /// `None`: it is gone, and nothing can be given back.
    pub tenant_name: Option<String>,
    pub charged: VideoTime,
    pub refunded: VideoTime,
    /// The newest first.
    pub entries: Vec<LedgerEntry>,
}

impl Services {
    /// The newest entries of the ledgers of all tenants, those before `before`.
    ///
    /// # Errors
    /// [`AccessError`] when `actor` may not see them, or the database does not answer.
    pub async fn ledger_of_all(
        &self,
        actor: Actor,
        filter: LedgerFilter,
        before: Option<LedgerPlace>,
        limit: u64,
    ) -> Result<LedgerEntries, AccessError> {
        actor.require(Permission::InspectInstallation)?;
        Ok(self.store.operator().ledger(filter, before, limit).await?)
    }

    /// Tenants of which the name, or the address of a member, has this text; only some where there are many.
    ///
    /// # Errors
    /// [`AccessError`] when `actor` may not see them, or the database does not answer.
    pub async fn find_tenants(&self, actor: Actor, text: &str) -> Result<Vec<TenantFound>, AccessError> {
        actor.require(Permission::InspectInstallation)?;
        Ok(self.store.operator().find_tenants(text, TENANTS_FOUND).await?)
    }

    /// What was booked for a job of whichever tenant. `None`: nothing ever was.
    ///
    /// # Errors
    /// [`AccessError`] when `actor` may not see it, or the database does not answer.
    pub async fn charged_job(&self, actor: Actor, job: JobId) -> Result<Option<ChargedJob>, AccessError> {
        actor.require(Permission::ManagePlans)?;
        let filter = LedgerFilter { job: Some(job), ..LedgerFilter::default() };
        let entries = self.store.operator().ledger(filter, None, OF_A_JOB).await?.entries;
        let Some(tenant) = entries.first().map(|entry| entry.tenant) else { return Ok(None) };
        let sum =
            |kind: EntryKind| entries.iter().filter(|entry| entry.kind == kind).fold(VideoTime::default(), |sum, entry| sum + entry.amount);
        let (charged, refunded) = (sum(EntryKind::Capture), sum(EntryKind::Refund));
        let tenant_name = self.store.operator().tenant_names(&[tenant]).await?.remove(&tenant);
        Ok(Some(ChargedJob { job, tenant, tenant_name, charged, refunded, entries }))
    }

    /// Gives back what a job was charged, or a part of it; `by`: the user who does, unless it is the command line. It stands in both their logs.
    ///
    /// # Errors
    /// [`RefundError`]; nothing was given back.
    pub async fn refund(&self, actor: Actor, by: Option<Asked<'_>>, refund: Refund) -> Result<Refunded, RefundError> {
        actor.require(Permission::ManagePlans)?;
        let Refund { job, amount, reason, once } = refund;
        let reason = reason.trim();
        if reason.is_empty() || !is_readable(reason) {
            return Err(RefundError::Reason);
        }
        if amount == Some(VideoTime::default()) {
            return Err(RefundError::Nothing);
        }
        let tenant = self.store.operator().tenant_of_job(job).await?.ok_or(RefundError::Unknown)?;
        let once = once.unwrap_or_else(new_idempotency_key);
        let refunded = self.store.tenant(tenant).credits().refund(NewRefund { job, amount, reason, once: &once }, by).await;
        refunded.map_err(|error| match error {
            NotRefunded::TooMuch { left } => RefundError::TooMuch { left },
            NotRefunded::Store(error) => error.into(),
        })
    }
}
