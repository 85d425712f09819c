//! From a batch that was only quoted to one that is made, or to nothing.

use super::{BatchError, BatchRequest, BatchView, FileError};
use crate::Services;
use domain::{Actor, BatchId, Permission};
use store::{BatchRepetition, FileDeletion};

impl Services {
    /// Makes what was quoted. However often that is asked for, it is one batch.
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
        let asked = BatchRequest {
            input: quoted.input,
            endpoint: quoted.endpoint,
            window: quoted.window,
            metadata: quoted.metadata,
            output_expiry: quoted.output_expiry,
            is_dry_run: false,
            repetition: BatchRepetition { key: Some(format!("start {quote}")), retry_count: 0 },
        };
        self.create_batch(actor, asked).await
    }

    /// Ends a quote, and deletes the file that was sent for it by a page. One that is still being read goes when it expires. `false`: no such
    /// quote.
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
