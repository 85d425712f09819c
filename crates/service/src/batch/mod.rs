//! Batches: many requests in one file, which become jobs little by little, and the files they are sent and answered in.
//!
//! What a batch is next is decided by [`domain::batch::Step`]; each step is short, bounded in memory, and may be broken off anywhere. The API's
//! JSON is read and written by a [`LineFormat`], which the server brings.

mod ahead;
mod file;
mod format;
mod input;
mod looking;
mod opening;
mod quote;
mod results;
mod run;
mod validation;
mod writing;

pub use file::{FILES_MAX, FileContent, FileError, FileUpload, NewFile};
pub use format::{LineFormat, LineRequest, ReadLine};
pub use looking::{LinesPage, ListedBatch};
pub use results::{LineOutcome, LineResult};
pub(crate) use run::{NAME as RUN, run};

use crate::{AccessError, Services};
use domain::{
    Actor, BatchId, FileId, Forbidden, NoEta, Permission, Timestamp,
    batch::{
        BatchStatus, CompletionWindow, FAULTS_SHOWN_MAX, FileExpiry, LINES_KEPT_MAX, LineFault, LineState, Metadata, OPEN_BATCHES_MAX,
        OpenLines,
    },
    retention::RETRIES_EXPECTED_MS,
};
use std::error::Error;
use store::{Batch, BatchPage, BatchQuery, BatchRefusal, BatchRepetition, BatchSource, FileOwner, NewBatch, StoreError};

/// What is asked for.
#[derive(Debug, Clone)]
pub struct BatchRequest {
    pub input: FileId,
    /// The path to which each line would be sent by itself.
    pub endpoint: String,
    pub window: CompletionWindow,
    pub metadata: Option<Metadata>,
    pub output_expiry: FileExpiry,
    /// Its lines are checked and quoted, and nothing is made.
    pub is_dry_run: bool,
    pub repetition: BatchRepetition,
}

/// A batch as it is shown.
#[derive(Debug, Clone, PartialEq)]
pub struct BatchView {
    pub batch: Batch,
    /// What is wrong with its input, by line, as far as it is shown; 0 is the file as a whole.
    pub faults: Vec<(u32, LineFault)>,
    /// Lines that are jobs and have not ended.
    pub open: OpenLines,
    /// The batch that is made of it, where it was only quoted.
    pub started: Option<BatchId>,
    /// When it will have ended, or would if it were not only quoted.
    pub eta: Result<BatchEta, NoEta>,
}

/// Until then half of such batches, and nine of ten, have ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BatchEta {
    pub p50_at: Timestamp,
    pub p90_at: Timestamp,
}

/// Why nothing became of a batch that was asked for.
#[derive(Debug, thiserror::Error)]
pub enum BatchError {
    #[error(transparent)]
    Forbidden(#[from] Forbidden),
    #[error("`{0}` cannot be batched here: `endpoint` must be /v1/videos")]
    EndpointUnsupported(String),
    #[error("There is no such file.")]
    InputUnknown,
    #[error("That file was uploaded for another purpose: a batch needs one with the purpose `batch`.")]
    InputNotForBatches,
    #[error("There is no such batch.")]
    Unknown,
    #[error("This batch has not ended yet. Wait for its end, or cancel it.")]
    NotEnded,
    #[error("No line of this batch has failed: there is nothing to try again.")]
    NothingFailed,
    #[error("This file has errors, so nothing was quoted. Mend it, and send it again.")]
    NothingQuoted,
    #[error("This Idempotency-Key was used for a different batch. Take a new key.")]
    KeyReused,
    #[error("{OPEN_BATCHES_MAX} of your batches have not ended. Wait for some, or cancel some.")]
    TooManyOpen,
    #[error(
        "Your batches of the last months have more than {LINES_KEPT_MAX} lines. Wrong ones are forgotten after a day, ones cancelled unmade after a week."
    )]
    TooManyKept,
    #[error("You have {FILES_MAX} files already: there is no room for what would come of a batch. Delete some.")]
    TooManyFiles,
    /// What came of it could not be kept.
    #[error("Your files take {used} of {max} bytes: there is no room for what would come of a batch. Delete some.")]
    NoRoom { used: u64, max: u64 },
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<BatchRefusal> for BatchError {
    fn from(refusal: BatchRefusal) -> Self {
        match refusal {
            BatchRefusal::InputUnknown => Self::InputUnknown,
            BatchRefusal::InputNotForBatches => Self::InputNotForBatches,
            BatchRefusal::SourceUnknown => Self::Unknown,
            BatchRefusal::SourceOpen => Self::NotEnded,
            BatchRefusal::NothingFailed => Self::NothingFailed,
            BatchRefusal::KeyReused => Self::KeyReused,
            BatchRefusal::TooManyOpen => Self::TooManyOpen,
            BatchRefusal::TooManyKept => Self::TooManyKept,
            BatchRefusal::TooManyFiles => Self::TooManyFiles,
            BatchRefusal::NoRoom { used, max } => Self::NoRoom { used, max },
            BatchRefusal::Store(error) => Self::Store(error),
        }
    }
}

/// What can be batched.
const ENDPOINTS: [&str; 1] = ["/v1/videos"];

impl Services {
    /// Takes a batch in and answers at once; its lines are read afterwards.
    ///
    /// # Errors
    /// [`BatchError`]; nothing was stored.
    pub async fn create_batch(&self, actor: Actor, asked: BatchRequest) -> Result<BatchView, BatchError> {
        if !ENDPOINTS.contains(&asked.endpoint.as_str()) {
            actor.require(Permission::SubmitJobs)?;
            return Err(BatchError::EndpointUnsupported(asked.endpoint.chars().take(60).collect()));
        }
        let BatchRequest { input, endpoint, window, metadata, output_expiry, is_dry_run, repetition } = asked;
        self.take_batch_in(actor, |owner| NewBatch {
            owner,
            endpoint,
            window,
            metadata,
            output_expiry,
            is_dry_run,
            source: BatchSource::File(input),
            repetition,
            files_max: FILES_MAX,
            file_bytes_max: self.files_max,
        })
        .await
    }

    /// Makes a new batch of those lines of one that ended without success.
    ///
    /// # Errors
    /// [`BatchError`]; nothing was stored.
    pub async fn retry_batch(&self, actor: Actor, id: BatchId, repetition: BatchRepetition) -> Result<BatchView, BatchError> {
        let tenant = self.tenant_of(actor, Permission::SubmitJobs)?;
        let source = tenant.batches().get(id).await?.ok_or(BatchError::Unknown)?;
        self.confirm_batch(actor, &source).await;
        self.take_lines_of(actor, source, BatchSource::FailedOf(id), repetition).await
    }

    /// A batch on the terms of another one, whose lines it takes over.
    async fn take_lines_of(
        &self,
        actor: Actor,
        other: Batch,
        source: BatchSource,
        repetition: BatchRepetition,
    ) -> Result<BatchView, BatchError> {
        self.take_batch_in(actor, |owner| NewBatch {
            owner,
            endpoint: other.endpoint,
            window: other.window,
            metadata: other.metadata,
            output_expiry: other.output_expiry,
            is_dry_run: false,
            source,
            repetition,
            files_max: FILES_MAX,
            file_bytes_max: self.files_max,
        })
        .await
    }

    async fn take_batch_in(&self, actor: Actor, new: impl FnOnce(FileOwner) -> NewBatch) -> Result<BatchView, BatchError> {
        let member = actor.require_membership(Permission::SubmitJobs)?;
        let tenant = self.store.tenant(member.tenant);
        let owner = FileOwner { user: member.user, api_key: actor.key(), project: actor.project() };
        let batch = tenant.batches().create(new(owner)).await?;
        tracing::info!(batch.id = %batch.id, tenant.id = %batch.tenant, "a batch was taken in");
        Ok(BatchView { batch, faults: Vec::new(), open: OpenLines::default(), started: None, eta: Err(NoEta::NotAsked) })
    }

    /// A batch with what is wrong with it, and when it will have ended. `None`: no such batch.
    ///
    /// # Errors
    /// [`AccessError`] when `actor` may not see it, or the database does not answer.
    pub async fn batch(&self, actor: Actor, id: BatchId) -> Result<Option<BatchView>, AccessError> {
        let tenant = self.tenant_of(actor, Permission::ReadJobs)?;
        match tenant.batches().get(id).await? {
            Some(batch) => {
                self.confirm_batch(actor, &batch).await;
                Ok(Some(Box::pin(self.batch_view(batch)).await?))
            }
            None => Ok(None),
        }
    }

    /// A page of batches, without faults and estimates.
    ///
    /// # Errors
    /// [`AccessError`] when `actor` may not see them, or the database does not answer.
    pub async fn batches(&self, actor: Actor, query: BatchQuery) -> Result<BatchPage, AccessError> {
        Ok(self.tenant_of(actor, Permission::ReadJobs)?.batches().list(query).await?)
    }

    /// Begins no more lines of a batch: those that no worker has in hand end and cost nothing, and what is being made is delivered. One that
    /// has ended stays as it is. `None`: no such batch.
    ///
    /// # Errors
    /// [`AccessError`] when `actor` may not cancel it, or the database does not answer.
    pub async fn cancel_batch(&self, actor: Actor, id: BatchId) -> Result<Option<BatchView>, AccessError> {
        let tenant = self.tenant_of(actor, Permission::CancelJobs)?;
        match tenant.batches().cancel(id).await? {
            Some(batch) => {
                self.confirm_batch(actor, &batch).await;
                tracing::info!(batch.id = %id, "a batch is cancelled");
                Ok(Some(Box::pin(self.batch_view(batch)).await?))
            }
            None => Ok(None),
        }
    }

    /// A program that asks for its batch knows it.
    async fn confirm_batch(&self, actor: Actor, batch: &Batch) {
        let is_fresh = self.store.local_now().ms_since(batch.created_at) < RETRIES_EXPECTED_MS.unsigned_abs();
        let is_its_own = actor.key().is_some() && actor.key() == batch.api_key;
        if is_its_own
            && is_fresh
            && !batch.is_known
            && let Err(error) = self.store.tenant(batch.tenant).batches().confirm(batch.id).await
        {
            tracing::warn!(batch.id = %batch.id, error = &error as &dyn Error, "that a client knows its batch is not noted");
        }
    }

    async fn batch_view(&self, batch: Batch) -> Result<BatchView, StoreError> {
        let rows = self.store.tenant(batch.tenant).batches();
        let mut faults = Vec::new();
        if batch.status == BatchStatus::Failed {
            let invalid = rows.lines_in(batch.id, LineState::Invalid, None, FAULTS_SHOWN_MAX).await?;
            faults.extend(invalid.into_iter().filter_map(|line| Some((line.line, line.fault?))));
        }
        let open = if batch.status.is_final() { OpenLines::default() } else { rows.open_standing(batch.id).await? };
        let (started, eta) = (self.started_of(&batch).await?, self.batch_eta(&batch).await);
        Ok(BatchView { batch, faults, open, started, eta })
    }
}
