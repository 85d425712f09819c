//! From a batch that was only quoted to one that is made, or to nothing.

use super::{BatchError, BatchView, FileError};
use crate::Services;
use domain::{Actor, BatchId, Permission, TenantId, batch::BatchStatus};
use store::{Batch, BatchRepetition, BatchSource, FileDeletion, StoreError};

/// How a page asks for a batch: whoever asks once more under the same key finds that one.
fn under(key: &str) -> BatchRepetition {
    BatchRepetition { key: Some(key.to_owned()), retry_count: 0 }
}

/// It has ended before any of its lines: who asks once more wants another one, as there is nothing in it that could be tried again.
const fn came_to_nothing(batch: &Batch) -> bool {
    batch.status.is_final() && batch.finished == 0
}

/// The key of the batch that is made of a quote, `after` one of which nothing came.
fn started_under(quote: BatchId, after: Option<BatchId>) -> String {
    after.map_or_else(|| format!("start {quote}"), |after| format!("start {quote} {after}"))
}

/// The key of the batch that tries the failed lines of one again, `after` one of which nothing came.
fn retried_under(id: BatchId, after: Option<BatchId>) -> String {
    after.map_or_else(|| format!("retry {id}"), |after| format!("retry {id} {after}"))
}

impl Services {
    /// The batch that is made of what was quoted. `None`: it was not started, or nothing came of that.
    pub(super) async fn started_of(&self, quote: &Batch) -> Result<Option<BatchId>, StoreError> {
        if !quote.is_dry_run {
            return Ok(None);
        }
        self.came_under(quote.tenant, |after| started_under(quote.id, after)).await
    }

    /// The batch by which a page has tried again what failed of another. `None`: nobody asked for that, or nothing came of it.
    pub(super) async fn retried_of(&self, batch: &Batch) -> Result<Option<BatchId>, StoreError> {
        if batch.failed == 0 || !batch.status.is_final() {
            return Ok(None);
        }
        self.came_under(batch.tenant, |after| retried_under(batch.id, after)).await
    }

    /// The batch that was asked for under such a key, after those of which nothing came.
    async fn came_under(&self, tenant: TenantId, key: impl Fn(Option<BatchId>) -> String) -> Result<Option<BatchId>, StoreError> {
        let (batches, mut after) = (self.store.tenant(tenant).batches(), None);
        while let Some(batch) = batches.under_key(&key(after)).await? {
            if !came_to_nothing(&batch) {
                return Ok(Some(batch.id));
            }
            after = Some(batch.id);
        }
        Ok(None)
    }

    /// Makes what was quoted, by the same model and for at most that price. However often that is asked for, it is one batch, unless nothing came of that.
    ///
    /// # Errors
    /// [`BatchError`]; nothing was stored.
    pub async fn start_quoted(&self, actor: Actor, quote: BatchId) -> Result<BatchView, BatchError> {
        let tenant = self.tenant_of(actor, Permission::SubmitJobs)?;
        let quoted = tenant.batches().get(quote).await?.filter(|batch| batch.is_dry_run && batch.closing.is_none());
        let quoted = quoted.ok_or(BatchError::Unknown)?;
        if !quoted.status.is_final() {
            return Err(BatchError::NotEnded);
        }
        if quoted.status == BatchStatus::Failed {
            return Err(BatchError::NothingQuoted);
        }
        let mut key = started_under(quote, None);
        loop {
            let started = self.take_lines_of(actor, quoted.clone(), BatchSource::Quote(quote), under(&key)).await?;
            if !came_to_nothing(&started.batch) {
                return Ok(started);
            }
            key = started_under(quote, Some(started.batch.id));
        }
    }

    /// Tries once more what failed of a batch, for a page. However often that is asked for, it is one batch, unless nothing came of that.
    ///
    /// # Errors
    /// [`BatchError`]; nothing was stored.
    pub async fn retry_failed(&self, actor: Actor, id: BatchId) -> Result<BatchView, BatchError> {
        let mut key = retried_under(id, None);
        loop {
            let begun = self.retry_batch(actor, id, under(&key)).await?;
            if !came_to_nothing(&begun.batch) {
                return Ok(begun);
            }
            key = retried_under(id, Some(begun.batch.id));
        }
    }

    /// Ends a quote, and deletes the file that was sent for it by a page: where it is still being read, in its next step. `false`: no such quote.
    ///
    /// # Errors
    /// [`FileError::InUse`] when what was quoted is being made.
    pub async fn discard_quote(&self, actor: Actor, quote: BatchId) -> Result<bool, FileError> {
        let tenant = self.tenant_of(actor, Permission::DeleteJobs)?;
        let Some(batch) = tenant.batches().get(quote).await?.filter(|batch| batch.is_dry_run) else { return Ok(false) };
        let has_ended = batch.status.is_final();
        if !has_ended {
            actor.require(Permission::CancelJobs)?;
            tenant.batches().cancel(quote).await?;
        }
        if batch.api_key.is_some() {
            return Ok(true);
        }
        match tenant.files().delete(batch.input).await? {
            FileDeletion::InUse if has_ended => Err(FileError::InUse),
            _ => Ok(true),
        }
    }
}
