//! Batches: many requests in one file, which become jobs little by little.
//!
//! A batch moves on by steps, each of which is one short transaction that repeats its guard, so that any server may go on with it at any
//! moment and two that do so at once do nothing twice. A line is a row; that it became a job is written in the transaction that takes the
//! job in, and that this has ended by whoever looks next. Lines that have ended are numbered, so that who reads them goes on behind the last.

mod accounts;
mod claims;
mod copying;
mod files;
mod lines;
mod opening;
mod repeated;
mod row;
mod rows;
mod standing;
mod steps;
mod withdrawal;

pub use files::{AnnouncedFile, File, FileDeletion, FileOwner, FilePage, FileQuery, FileRows, FileTerms, Files, FilesUsed};
pub use lines::{BatchLine, NewLine};
pub use repeated::BatchRepetition;
pub use row::Batch;
pub use rows::{BatchRows, DueBatch};
pub use steps::{BatchSteps, WrittenFile};

pub(crate) use accounts::{end_all_of_tenant, end_late_files, forget_tenant, give, has_tenant_any, tenants_of};
pub(crate) use files::{is_any_stored, named};
pub(crate) use opening::{has_line_ended, job_of, opened};

use crate::{
    Store, StoreError, chance,
    database::write::Write,
    entity::{batch as table, signed},
    open_work,
};
use domain::{
    BatchId, FileId, ProjectId, TenantId,
    batch::{BatchStatus, CompletionWindow, FileExpiry, FilePurpose, LINES_COUNTED_MIN, LINES_KEPT_MAX, Metadata, OPEN_BATCHES_MAX},
};
use row::parsed;
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, FromQueryResult, PaginatorTrait, QueryFilter,
    QuerySelect, Statement, sea_query::LockType,
};

pub(crate) const TABLE: &str = "batches";
/// Longer than it takes to write a batch down.
const GOING_MS: i64 = 60_000;
const LINES_KEPT: &str = "SELECT CAST(COALESCE(SUM(CASE WHEN lines < $2 THEN $2 ELSE lines END), 0) AS BIGINT) AS lines FROM batches \
     WHERE tenant_id = $1";

#[derive(Debug, Clone)]
pub struct NewBatch {
    pub owner: FileOwner,
    pub endpoint: String,
    pub window: CompletionWindow,
    pub metadata: Option<Metadata>,
    pub output_expiry: FileExpiry,
    /// Its lines are read and quoted, and nothing is made.
    pub is_dry_run: bool,
    pub source: BatchSource,
    pub repetition: BatchRepetition,
    /// Where its team has so many files, or so many bytes in them, there is no room for what would come of it.
    pub files_max: u64,
    pub file_bytes_max: u64,
}

/// Where the lines of a batch come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BatchSource {
    File(FileId),
    /// Those of another one that ended without success.
    FailedOf(BatchId),
    /// All of a quote, as they were quoted.
    Quote(BatchId),
}

/// Why a batch is not taken in.
#[derive(Debug, thiserror::Error)]
pub enum BatchRefusal {
    #[error("there is no such file")]
    InputUnknown,
    #[error("the file is for another purpose")]
    InputNotForBatches,
    #[error("there is no such batch")]
    SourceUnknown,
    #[error("the batch has not ended")]
    SourceOpen,
    #[error("no line of the batch has failed")]
    NothingFailed,
    #[error("the idempotency key was used for another batch")]
    KeyReused,
    #[error("{OPEN_BATCHES_MAX} batches have not ended")]
    TooManyOpen,
    #[error("the batches that are kept have {LINES_KEPT_MAX} lines")]
    TooManyKept,
    #[error("there are as many files as there may be")]
    TooManyFiles,
    #[error("the files take {used} of {max} bytes")]
    NoRoom { used: u64, max: u64 },
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<sea_orm::DbErr> for BatchRefusal {
    fn from(error: sea_orm::DbErr) -> Self {
        Self::Store(error.into())
    }
}

/// A page of the list of batches, the newest first; ids sort by creation.
#[derive(Debug, Clone, Copy)]
pub struct BatchQuery {
    pub after: Option<BatchId>,
    pub limit: u64,
    pub oldest_first: bool,
}

#[derive(Debug, Clone)]
pub struct BatchPage {
    pub batches: Vec<Batch>,
    pub has_more: bool,
}

/// Batches of a tenant, reached through it.
#[derive(Clone, Copy)]
pub struct Batches<'a> {
    pub(super) store: &'a Store,
    pub(super) tenant: TenantId,
}

impl<'a> Batches<'a> {
    pub(crate) const fn new(store: &'a Store, tenant: TenantId) -> Self {
        Self { store, tenant }
    }

    /// The steps by which one of them goes on.
    #[must_use]
    pub const fn steps(self, id: BatchId) -> BatchSteps<'a> {
        BatchSteps::new(self, id)
    }

    /// # Errors
    /// [`BatchRefusal`]; nothing was written.
    pub async fn create(self, new: NewBatch) -> Result<Batch, BatchRefusal> {
        // Before its tenant is locked: this reads an entry of each batch that is kept, and of each file.
        let (kept, used) = (self.lines_kept().await?, Files::new(self.store, self.tenant).used().await?);
        let write = self.store.write_of(self.tenant).await?;
        let created = self.create_in(&write, new, kept, used).await;
        write.end(created).await
    }

    async fn create_in(self, write: &Write, new: NewBatch, kept: u64, used: FilesUsed) -> Result<Batch, BatchRefusal> {
        // Of two that come at once, the second finds the first.
        open_work::lock(write, self.tenant).await?;
        if let Some(earlier) = self.earlier(write, &new).await? {
            return Ok(earlier);
        }
        if used.files >= new.files_max {
            return Err(BatchRefusal::TooManyFiles);
        }
        if used.bytes >= new.file_bytes_max {
            return Err(BatchRefusal::NoRoom { used: used.bytes, max: new.file_bytes_max });
        }
        let open = table::Entity::find().filter(table::Column::TenantId.eq(self.tenant.uuid()));
        if open.filter(table::Column::EndedAtMs.is_null()).count(&write.tx).await? >= OPEN_BATCHES_MAX {
            return Err(BatchRefusal::TooManyOpen);
        }
        if kept >= LINES_KEPT_MAX {
            return Err(BatchRefusal::TooManyKept);
        }
        let (input, retry_of, quote) = match new.source {
            BatchSource::File(file) => (file, None, None),
            BatchSource::FailedOf(source) => {
                let source = self.find(&write.tx, source, false).await?.ok_or(BatchRefusal::SourceUnknown)?;
                if !source.status.is_final() {
                    return Err(BatchRefusal::SourceOpen);
                }
                // Of a question nothing was to be made.
                if source.failed == 0 || source.is_dry_run {
                    return Err(BatchRefusal::NothingFailed);
                }
                (source.input, Some(source), None)
            }
            BatchSource::Quote(quote) => {
                let quote = self.find(&write.tx, quote, false).await?;
                let quote = quote.filter(|quote| quote.is_dry_run && quote.status == BatchStatus::Completed);
                let quote = quote.ok_or(BatchRefusal::SourceUnknown)?;
                (quote.input, None, Some(quote))
            }
        };
        let (quote_id, source) = (quote.as_ref().map(|quote| quote.id.uuid()), retry_of.as_ref().or(quote.as_ref()));
        if let Some(source) = source
            && is_going(write, source.id).await?
        {
            return Err(BatchRefusal::SourceUnknown);
        }
        let (unknown_lines, unknown) = quote.as_ref().map(|quote| (quote.unknown_lines, quote.first_unknown.clone())).unwrap_or_default();
        let (unknown_line, unknown_field) = unknown.unzip();
        // Its row is locked: who deletes it looks for batches under the same lock.
        let file = files::find(&write.tx, self.tenant, input, true).await?.ok_or(BatchRefusal::InputUnknown)?;
        if file.purpose != FilePurpose::Batch {
            return Err(BatchRefusal::InputNotForBatches);
        }
        let now = write.now;
        let metadata = new.metadata.as_ref().and_then(|metadata| serde_json::to_string(metadata.pairs()).ok());
        let row = table::ActiveModel {
            id: Set(chance::new_id()),
            tenant_id: Set(self.tenant.uuid()),
            project_id: Set(new.owner.project.unwrap_or(ProjectId::default_of(self.tenant)).uuid()),
            user_id: Set(new.owner.user.uuid()),
            api_key_id: Set(new.owner.api_key.map(|key| key.uuid())),
            idempotency_key: Set(new.repetition.key),
            endpoint: Set(new.endpoint),
            model: Set(source.and_then(|source| source.model.clone())),
            input_file_id: Set(input.uuid()),
            retry_of: Set(retry_of.as_ref().map(|batch| batch.id.uuid())),
            quote_id: Set(quote_id),
            is_dry_run: Set(new.is_dry_run),
            completion_window: Set(new.window.as_str().to_owned()),
            window_ms: Set(new.window.ms()),
            metadata: Set(metadata),
            output_expires_after_ms: Set(new.output_expiry.asked_ms()),
            output_file_id: Set(None),
            error_file_id: Set(None),
            status: Set(BatchStatus::Validating.as_str().to_owned()),
            closing: Set(None),
            waiting_for: Set(None),
            waiting_text: Set(None),
            read_lines: Set(0),
            read_bytes: Set(0),
            lines: Set(0),
            invalid_lines: Set(0),
            finished_lines: Set(0),
            completed_lines: Set(0),
            failed_lines: Set(0),
            quoted_ms: Set(0),
            charged_ms: Set(0),
            created_at_ms: Set(now.ms()),
            expires_at_ms: Set(now.plus_ms(new.window.ms()).ms()),
            in_progress_at_ms: Set(None),
            finalizing_at_ms: Set(None),
            cancelling_at_ms: Set(None),
            ended_at_ms: Set(None),
            step_after_ms: Set(Some(now.ms())),
            remove_after_ms: Set(None),
            retry_count: Set(signed(TABLE, "retry_count", new.repetition.retry_count)?),
            is_known: Set(false),
            unknown_lines: Set(signed(TABLE, "unknown_lines", unknown_lines)?),
            unknown_line: Set(unknown_line.map(u32::cast_signed)),
            unknown_field: Set(unknown_field),
        };
        Ok(parsed(row.insert(&write.tx).await?)?)
    }

    /// Of all its batches that are known still, a small one counted as [`LINES_COUNTED_MIN`].
    async fn lines_kept(self) -> Result<u64, StoreError> {
        #[derive(FromQueryResult)]
        struct Kept {
            lines: i64,
        }
        let db = self.store.of(self.tenant);
        let values = [self.tenant.uuid().into(), LINES_COUNTED_MIN.into()];
        let statement = Statement::from_sql_and_values(db.get_database_backend(), LINES_KEPT, values);
        let kept = Kept::find_by_statement(statement).one(&db).await?;
        Ok(kept.map_or(0, |kept| kept.lines.unsigned_abs()))
    }

    pub async fn get(self, id: BatchId) -> Result<Option<Batch>, StoreError> {
        self.find(&self.store.of(self.tenant), id, false).await
    }

    /// `locked` until the transaction ends.
    pub(super) async fn find(self, db: &impl ConnectionTrait, id: BatchId, locked: bool) -> Result<Option<Batch>, StoreError> {
        let query = table::Entity::find_by_id(id.uuid()).filter(table::Column::TenantId.eq(self.tenant.uuid()));
        let query = if locked { query.lock(LockType::NoKeyUpdate) } else { query };
        query.one(db).await?.map(parsed).transpose()
    }

    /// Whether there is one that is more than a quote.
    pub async fn is_any_made(self) -> Result<bool, StoreError> {
        let made = table::Entity::find().filter(table::Column::TenantId.eq(self.tenant.uuid())).filter(table::Column::IsDryRun.eq(false));
        Ok(made.one(&self.store.of(self.tenant)).await?.is_some())
    }

    pub async fn list(self, query: BatchQuery) -> Result<BatchPage, StoreError> {
        let rows = table::Entity::find().filter(table::Column::TenantId.eq(self.tenant.uuid())).limit(query.limit.saturating_add(1));
        let (id, after) = (table::Column::Id, query.after.map(BatchId::uuid));
        let rows = crate::rows::by_id(rows, id, after, query.oldest_first).all(&self.store.of(self.tenant)).await?;
        let has_more = rows.len() as u64 > query.limit;
        let limit = usize::try_from(query.limit).unwrap_or(usize::MAX);
        let batches = rows.into_iter().take(limit).map(parsed).collect::<Result<_, _>>()?;
        Ok(BatchPage { batches, has_more })
    }

    /// Begins no more lines of it; one that has ended is returned as it is. `None`: no such batch.
    pub async fn cancel(self, id: BatchId) -> Result<Option<Batch>, StoreError> {
        let write = self.store.write_of(self.tenant).await?;
        let update = "UPDATE batches SET closing = 'cancelled', cancelling_at_ms = $1, step_after_ms = $1, waiting_for = NULL, \
             waiting_text = NULL, status = 'cancelling' \
             WHERE id = $2 AND tenant_id = $3 AND ended_at_ms IS NULL AND cancelling_at_ms IS NULL AND status <> 'finalizing'";
        let values = [write.now.ms().into(), id.uuid().into(), self.tenant.uuid().into()];
        write.tx.execute_raw(write.statement(update, values)).await?;
        let batch = self.find(&write.tx, id, false).await?;
        write.commit().await?;
        Ok(batch)
    }
}

/// Whether it is forgotten just now, or within a moment: who takes its lines over might find a part of them.
async fn is_going(write: &Write, id: BatchId) -> Result<bool, StoreError> {
    let going = "SELECT 1 FROM batches WHERE id = $1 AND remove_after_ms <= $2";
    let values = [id.uuid().into(), write.now.plus_ms(GOING_MS).ms().into()];
    Ok(write.tx.query_one_raw(write.statement(going, values)).await?.is_some())
}
