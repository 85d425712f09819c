//! A row of `batches`, parsed.

use super::TABLE;
use crate::{
    StoreError,
    entity::{batch as table, unsigned},
};
use domain::{
    ApiKeyId, BatchId, FileId, ProjectId, TenantId, Timestamp, UserId, VideoTime,
    batch::{BatchStatus, BatchWait, Closing, CompletionWindow, FileExpiry, Metadata},
};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    pub id: BatchId,
    pub tenant: TenantId,
    pub project: ProjectId,
    pub user: UserId,
    pub api_key: Option<ApiKeyId>,
    pub endpoint: String,
    /// That of all its lines, once the first is read.
    pub model: Option<String>,
    pub input: FileId,
    /// Its lines are those that failed of this one.
    pub retry_of: Option<BatchId>,
    /// Its lines are those of this quote.
    pub quote: Option<BatchId>,
    pub is_dry_run: bool,
    pub window: CompletionWindow,
    pub metadata: Option<Metadata>,
    pub output_expiry: FileExpiry,
    pub output: Option<FileId>,
    pub errors: Option<FileId>,
    pub status: BatchStatus,
    pub closing: Option<Closing>,
    /// Why lines wait that have not become jobs, in words for its owner.
    pub wait: Option<(BatchWait, String)>,
    /// Lines of the file that were looked at, or of the other batch where its lines are those of one.
    pub read_lines: u32,
    pub read_bytes: u64,
    /// That are not empty.
    pub lines: u32,
    pub invalid: u32,
    /// That have ended, each with its number among them.
    pub finished: u32,
    pub completed: u32,
    /// That ended without success.
    pub failed: u32,
    /// What all lines cost together, by the catalog as it was when they were read.
    pub quoted: VideoTime,
    /// What was charged so far.
    pub charged: VideoTime,
    pub created_at: Timestamp,
    /// When its window is over.
    pub expires_at: Timestamp,
    pub in_progress_at: Option<Timestamp>,
    pub finalizing_at: Option<Timestamp>,
    pub cancelling_at: Option<Timestamp>,
    pub ended_at: Option<Timestamp>,
    /// Its client has asked for it: a request like the one that it came with is another one.
    pub is_known: bool,
    /// How often its client said that it had sent the request before.
    pub retry_count: u32,
    /// Lines with a field that no request has, which changes nothing. Of a batch of failed lines that is not told.
    pub unknown_lines: u32,
    /// The first of these, and its field.
    pub first_unknown: Option<(u32, String)>,
}

pub(super) fn parsed(row: table::Model) -> Result<Batch, StoreError> {
    let count = |column, value: i32| unsigned(TABLE, column, value);
    let time = |column, value: i64| unsigned(TABLE, column, value).map(VideoTime::from_ms);
    let moment = |ms: Option<i64>| ms.map(Timestamp::from_ms);
    let status = BatchStatus::named(&row.status).ok_or_else(|| StoreError::inconsistent(TABLE, "status", &row.status))?;
    let window = row.completion_window.parse::<CompletionWindow>();
    let metadata = row.metadata.as_deref().map(|text| serde_json::from_str(text).map(Metadata::new));
    let metadata = metadata.transpose().map_err(|error| StoreError::inconsistent(TABLE, "metadata", error))?;
    let unknown = row.unknown_line.zip(row.unknown_field);
    let wait = row.waiting_for.as_deref().and_then(BatchWait::named);
    Ok(Batch {
        id: BatchId::from_uuid(row.id),
        tenant: TenantId::from_uuid(row.tenant_id),
        project: ProjectId::from_uuid(row.project_id),
        user: UserId::from_uuid(row.user_id),
        api_key: row.api_key_id.map(ApiKeyId::from_uuid),
        endpoint: row.endpoint,
        model: row.model,
        input: FileId::from_uuid(row.input_file_id),
        retry_of: row.retry_of.map(BatchId::from_uuid),
        quote: row.quote_id.map(BatchId::from_uuid),
        is_dry_run: row.is_dry_run,
        window: window.map_err(|error| StoreError::inconsistent(TABLE, "completion_window", error))?,
        metadata: metadata.transpose().map_err(|error| StoreError::inconsistent(TABLE, "metadata", error))?,
        output_expiry: FileExpiry::of_ms(row.output_expires_after_ms),
        output: row.output_file_id.map(FileId::from_uuid),
        errors: row.error_file_id.map(FileId::from_uuid),
        status,
        closing: row.closing.as_deref().and_then(Closing::named),
        wait: wait.map(|wait| (wait, row.waiting_text.unwrap_or_else(|| wait.text().to_owned()))),
        read_lines: count("read_lines", row.read_lines)?,
        read_bytes: unsigned(TABLE, "read_bytes", row.read_bytes)?,
        lines: count("lines", row.lines)?,
        invalid: count("invalid_lines", row.invalid_lines)?,
        finished: count("finished_lines", row.finished_lines)?,
        completed: count("completed_lines", row.completed_lines)?,
        failed: count("failed_lines", row.failed_lines)?,
        quoted: time("quoted_ms", row.quoted_ms)?,
        charged: time("charged_ms", row.charged_ms)?,
        created_at: Timestamp::from_ms(row.created_at_ms),
        expires_at: Timestamp::from_ms(row.expires_at_ms),
        in_progress_at: moment(row.in_progress_at_ms),
        finalizing_at: moment(row.finalizing_at_ms),
        cancelling_at: moment(row.cancelling_at_ms),
        ended_at: moment(row.ended_at_ms),
        is_known: row.is_known,
        retry_count: count("retry_count", row.retry_count)?,
        unknown_lines: count("unknown_lines", row.unknown_lines)?,
        first_unknown: unknown.map(|(line, field)| count("unknown_line", line).map(|line| (line, field))).transpose()?,
    })
}
