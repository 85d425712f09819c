//! The steps by which a batch goes on. Each repeats its guard, and does nothing where another server was faster.

use super::{
    Batch, Batches, TABLE,
    files::{self, FileTerms},
    lines::{self, NewLine},
};
use crate::{
    StoreError,
    database::write::Write,
    entity::{batch_line, signed},
    rows::webhooks,
};
use domain::{
    BatchId, FileId, VideoTime,
    batch::{BATCH_KEPT_MS, BatchStatus, Closing, DRY_RUN_KEPT_MS, LineFault, LineState, WITHDRAWN_KEPT_MS, kept},
    webhook::WebhookEvent,
};
use sea_orm::{ConnectionTrait, EntityTrait, FromQueryResult, Value};

pub(super) const READ_ON: &str = "UPDATE batches SET read_lines = read_lines + $1, read_bytes = $2, lines = lines + $3, \
     invalid_lines = invalid_lines + $4, quoted_ms = quoted_ms + $5, model = COALESCE(model, $6), step_after_ms = $7, \
     unknown_lines = unknown_lines + $8, unknown_line = COALESCE(unknown_line, $9), unknown_field = COALESCE(unknown_field, $10) \
     WHERE id = $11 AND tenant_id = $12 AND status = 'validating' AND closing IS NULL AND read_lines = $13 AND read_bytes = $14";
pub(super) const ENDED_JOBS: &str = "SELECT batch_lines.line, jobs.state, jobs.charged_ms, jobs.failure_code, jobs.failure_message FROM batch_lines \
     LEFT JOIN jobs ON jobs.id = batch_lines.job_id WHERE batch_lines.batch_id = $1 AND batch_lines.state = 'open' \
     AND batch_lines.line > $2 AND (jobs.id IS NULL OR jobs.ended_at_ms IS NOT NULL) ORDER BY batch_lines.line LIMIT $3";
const FORGET_SOUND: &str = "DELETE FROM batch_lines WHERE batch_id = $1 AND line IN (SELECT line FROM batch_lines WHERE batch_id = $1 \
     AND state = 'waiting' ORDER BY line LIMIT $2) AND EXISTS (SELECT 1 FROM batches WHERE id = $1 AND tenant_id = $3 AND status = 'validating')";
const END_LINE: &str = "UPDATE batch_lines SET state = $1, error_code = $2, error_text = $3, error_param = $4, finished_number = $5 \
     WHERE batch_id = $6 AND line = $7 AND state = $8";
/// Somebody may have had its job tried once more since it was read.
pub(super) const JOB_HAS_ENDED: &str =
    " AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.id = batch_lines.job_id AND jobs.ended_at_ms IS NULL)";
const COUNT_ENDED: &str = "UPDATE batches SET finished_lines = finished_lines + $1, completed_lines = completed_lines + $2, \
     failed_lines = failed_lines + $3, charged_ms = charged_ms + $4 WHERE id = $5";
const MADE_OR_FAILED: &str = "SELECT 1 FROM batch_lines WHERE batch_id = $1 AND state IN ('succeeded', 'failed') LIMIT 1";

/// Lines that one statement adds: each connection keeps it prepared, with a place for each value.
const ADDED_AT_ONCE: usize = 50;

/// What goes with a deleted job is not known any more.
const JOB_GONE: &str = "video_deleted";

/// How a line ends.
pub(super) struct LineEnd {
    pub line: u32,
    pub from: LineState,
    /// By the end of its job.
    pub is_by_job: bool,
    pub to: LineState,
    pub fault: Option<LineFault>,
    pub charged: VideoTime,
}

impl LineEnd {
    /// Of one that nothing is charged for.
    pub const fn free(line: u32, from: LineState, to: LineState, fault: Option<LineFault>) -> Self {
        Self { line, from, is_by_job: false, to, fault, charged: VideoTime::from_ms(0) }
    }
}

/// A file that holds what came of a batch, and is whole.
#[derive(Debug, Clone)]
pub struct WrittenFile {
    pub id: FileId,
    pub terms: FileTerms,
}

#[derive(FromQueryResult)]
struct EndedJob {
    line: i32,
    state: Option<String>,
    charged_ms: Option<i64>,
    failure_code: Option<String>,
    failure_message: Option<String>,
}

/// One batch, for whoever goes on with it.
#[derive(Clone, Copy)]
pub struct BatchSteps<'a> {
    pub(super) of: Batches<'a>,
    pub(super) id: BatchId,
}

impl<'a> BatchSteps<'a> {
    pub(super) const fn new(of: Batches<'a>, id: BatchId) -> Self {
        Self { of, id }
    }

    /// Notes lines that were read, and that the input was read up to `read_bytes`; `read` counts empty ones too. `false`: somebody else was
    /// faster, and nothing was written.
    pub async fn add_lines(
        self,
        batch: &Batch,
        lines: &[NewLine],
        (read, read_bytes): (u32, u64),
        (model, lease_ms): (Option<&str>, i64),
    ) -> Result<bool, StoreError> {
        let write = self.write().await?;
        let invalid = lines.iter().filter(|line| line.fault.is_some()).count();
        let quoted: u64 = lines.iter().filter(|line| line.fault.is_none()).map(|line| line.billed.ms()).sum();
        let unknown: Vec<_> = lines.iter().filter_map(|line| Some((line.line, line.unknown_field.as_deref()?))).collect();
        let (unknown_line, unknown_field) = unknown.first().copied().unzip();
        let [id, tenant] = self.names();
        let values: [Value; 14] = [
            counted(read)?,
            bytes(read_bytes)?,
            counted(lines.len())?,
            counted(invalid)?,
            bytes(quoted)?,
            model.map(ToOwned::to_owned).into(),
            write.now.plus_ms(lease_ms).ms().into(),
            counted(unknown.len())?,
            unknown_line.map(u32::cast_signed).into(),
            unknown_field.map(kept).into(),
            id,
            tenant,
            counted(batch.read_lines)?,
            bytes(batch.read_bytes)?,
        ];
        if write.tx.execute_raw(write.statement(READ_ON, values)).await?.rows_affected() != 1 {
            write.abandon().await?;
            return Ok(false);
        }
        for some in lines.chunks(ADDED_AT_ONCE) {
            let rows = some.iter().map(|line| line.row(self.id, self.of.tenant)).collect::<Result<Vec<_>, _>>()?;
            batch_line::Entity::insert_many(rows).exec_without_returning(&write.tx).await?;
        }
        write.commit().await?;
        Ok(true)
    }

    /// Forgets lines that could be made of a batch that is about to fail, at most `limit`; says how many these were. It still counts them.
    pub async fn forget_sound(self, limit: u32) -> Result<u64, StoreError> {
        let write = self.write().await?;
        let [id, tenant] = self.names();
        let forgotten = write.tx.execute_raw(write.statement(FORGET_SOUND, [id, i64::from(limit).into(), tenant])).await?.rows_affected();
        write.commit().await?;
        Ok(forgotten)
    }

    /// All of its input was read: it begins, fails, or is quoted and ends. `false`: somebody else was faster.
    pub async fn validated(self, batch: &Batch) -> Result<bool, StoreError> {
        let mut write = self.write().await?;
        let current = self.of.find(&write.tx, self.id, true).await?;
        let unchanged = current.filter(|current| {
            current.status == BatchStatus::Validating && current.closing.is_none() && current.read_lines == batch.read_lines
        });
        let Some(current) = unchanged else {
            write.abandon().await?;
            return Ok(false);
        };
        if current.invalid > 0 || current.lines == 0 {
            end(&mut write, &current, BatchStatus::Failed).await?;
        } else if current.is_dry_run {
            end(&mut write, &current, BatchStatus::Completed).await?;
        } else {
            let update = "UPDATE batches SET status = 'in_progress', in_progress_at_ms = $1, step_after_ms = $1 WHERE id = $2";
            write.tx.execute_raw(write.statement(update, [write.now.ms().into(), self.id.uuid().into()])).await?;
        }
        write.commit().await?;
        Ok(true)
    }

    /// Begins no more lines. `false`: it was closed already, or has ended.
    pub async fn close(self, closing: Closing) -> Result<bool, StoreError> {
        let write = self.write().await?;
        let update = "UPDATE batches SET closing = $1, waiting_for = NULL, waiting_text = NULL, step_after_ms = $2 \
             WHERE id = $3 AND tenant_id = $4 AND closing IS NULL AND ended_at_ms IS NULL";
        let [id, tenant] = self.names();
        let statement = write.statement(update, [closing.as_str().into(), write.now.ms().into(), id, tenant]);
        let is_closed = write.tx.execute_raw(statement).await?.rows_affected() == 1;
        write.commit().await?;
        Ok(is_closed)
    }

    /// A line will not be made. Nothing where it waits no more.
    pub async fn fail_line(self, line: u32, fault: LineFault) -> Result<(), StoreError> {
        self.end_lines(&[LineEnd::free(line, LineState::Waiting, LineState::Failed, Some(fault))]).await
    }

    /// Notes which open lines behind this one have ended, at most `limit`, and says how many these were, and the last of them.
    pub async fn collect(self, after: u32, limit: u32) -> Result<(u32, u32), StoreError> {
        let db = self.of.store.of(self.of.tenant);
        let values = [self.id.uuid().into(), counted(after)?, i64::from(limit).into()];
        let statement = sea_orm::Statement::from_sql_and_values(db.get_database_backend(), ENDED_JOBS, values);
        let rows = EndedJob::find_by_statement(statement).all(&db).await?;
        let Some(batch) = self.of.get(self.id).await? else { return Ok((0, after)) };
        let ends: Vec<_> = rows.into_iter().map(|row| row.end(batch.closing)).collect();
        if let Some(last) = ends.last().map(|end| end.line) {
            self.end_lines(&ends).await?;
            return Ok((u32::try_from(ends.len()).unwrap_or(u32::MAX), last));
        }
        Ok((0, after))
    }

    /// Each of these lines ends that is still where it was, and gets its number.
    pub(super) async fn end_lines(self, ends: &[LineEnd]) -> Result<(), StoreError> {
        let write = self.write().await?;
        let Some(batch) = self.of.find(&write.tx, self.id, true).await? else { return write.abandon().await };
        let (mut finished, mut completed, mut charged_ms) = (0_i32, 0_i32, 0_i64);
        for end in ends {
            let (code, text, param) = lines::parts(end.fault.as_ref());
            let number = batch.finished.cast_signed() + finished + 1;
            let values = [
                end.to.as_str().into(),
                code.into(),
                text.into(),
                param.into(),
                number.into(),
                self.id.uuid().into(),
                counted(end.line)?,
                end.from.as_str().into(),
            ];
            // The batch's row is locked since the statement before, and so does whoever has a job of it tried once more.
            let update = if end.is_by_job { format!("{END_LINE}{JOB_HAS_ENDED}") } else { END_LINE.to_owned() };
            if write.tx.execute_raw(write.statement(&update, values)).await?.rows_affected() == 1 {
                finished += 1;
                completed += i32::from(end.to == LineState::Succeeded);
                charged_ms += end.charged.ms().cast_signed();
            }
        }
        let counts = [finished.into(), completed.into(), (finished - completed).into(), charged_ms.into(), self.id.uuid().into()];
        write.tx.execute_raw(write.statement(COUNT_ENDED, counts)).await?;
        write.commit().await
    }

    /// All lines have ended: the files are being written.
    pub async fn finalize(self, lease_ms: i64) -> Result<(), StoreError> {
        let write = self.write().await?;
        let update = "UPDATE batches SET finalizing_at_ms = COALESCE(finalizing_at_ms, $1), step_after_ms = $2, waiting_for = NULL, \
             waiting_text = NULL, status = CASE WHEN status = 'in_progress' THEN 'finalizing' ELSE status END \
             WHERE id = $3 AND tenant_id = $4 AND ended_at_ms IS NULL";
        let [id, tenant] = self.names();
        let values = [write.now.ms().into(), write.now.plus_ms(lease_ms).ms().into(), id, tenant];
        write.tx.execute_raw(write.statement(update, values)).await?;
        write.commit().await
    }

    /// Makes the files count, and ends the batch, all at once. `false`: somebody else has ended it, or a file was given up.
    pub async fn finish(self, status: BatchStatus, output: Option<WrittenFile>, errors: Option<WrittenFile>) -> Result<bool, StoreError> {
        let mut write = self.write().await?;
        let Some(batch) = self.of.find(&write.tx, self.id, true).await?.filter(|batch| !batch.status.is_final()) else {
            write.abandon().await?;
            return Ok(false);
        };
        for (column, file) in [("output_file_id", &output), ("error_file_id", &errors)] {
            let Some(WrittenFile { id, terms }) = file else { continue };
            if files::store(&write, self.of.tenant, *id, terms).await?.is_none() {
                write.abandon().await?;
                return Ok(false);
            }
            let update = format!("UPDATE batches SET {column} = $1 WHERE id = $2");
            write.tx.execute_raw(write.statement(&update, [id.uuid().into(), self.id.uuid().into()])).await?;
        }
        // Somebody may have cancelled it since it was decided how it ends.
        end(&mut write, &batch, batch.closing.map_or(status, Closing::end)).await?;
        write.commit().await?;
        Ok(true)
    }

    /// Ends a batch whose input cannot be read.
    pub async fn fail(self, fault: LineFault) -> Result<(), StoreError> {
        let mut write = self.write().await?;
        let found = self.of.find(&write.tx, self.id, true).await?.filter(|batch| batch.status == BatchStatus::Validating);
        let Some(batch) = found else { return write.abandon().await };
        let (billed, fault) = (VideoTime::default(), Some(fault));
        let line = NewLine { line: 0, custom_id: None, offset: 0, length: 0, billed, fault, unknown_field: None };
        batch_line::Entity::insert(line.row(self.id, self.of.tenant)?).exec_without_returning(&write.tx).await?;
        end(&mut write, &batch, BatchStatus::Failed).await?;
        write.commit().await
    }

    pub(super) async fn write(self) -> Result<Write, StoreError> {
        self.of.store.write_of(self.of.tenant).await
    }

    pub(super) fn names(self) -> [Value; 2] {
        [self.id.uuid().into(), self.of.tenant.uuid().into()]
    }
}

impl EndedJob {
    fn end(self, closing: Option<Closing>) -> LineEnd {
        let gone = || LineFault { code: JOB_GONE.to_owned(), text: "The video was deleted.".to_owned(), param: None };
        let charged = VideoTime::from_ms(self.charged_ms.unwrap_or_default().max(0).unsigned_abs());
        let (to, fault) = match self.state.as_deref() {
            Some("succeeded") => (LineState::Succeeded, None),
            // What somebody cancelled while it was being made is charged, and says so.
            Some("cancelled") => match closing.filter(|_| charged == VideoTime::default()) {
                Some(closing) => (closing.line(), None),
                None => (LineState::Cancelled, Some(LineFault::cancelled(charged))),
            },
            Some(_) => {
                let fault = self.failure_code.map(|code| LineFault { code, text: self.failure_message.unwrap_or_default(), param: None });
                (LineState::Failed, fault.or_else(|| Some(gone())))
            }
            None => (LineState::Failed, Some(gone())),
        };
        LineEnd { line: self.line.unsigned_abs(), from: LineState::Open, is_by_job: true, to, fault, charged }
    }
}

/// Whether nothing of it was made, charged or failed: its lines were withdrawn.
async fn came_to_nothing(write: &Write, batch: &Batch) -> Result<bool, StoreError> {
    let any = write.tx.query_one_raw(write.statement(MADE_OR_FAILED, [batch.id.uuid().into()])).await?;
    Ok(any.is_none() && batch.charged == VideoTime::default())
}

/// The one place where a batch ends, and where others are told. Its row is locked.
async fn end(write: &mut Write, batch: &Batch, status: BatchStatus) -> Result<(), StoreError> {
    // What was never begun was a question too. A try of failed lines is known for as long as any: by it whoever asks once more finds the try after
    // it, of which something came.
    let is_short = batch.is_dry_run || batch.retry_of.is_none() && (status == BatchStatus::Failed || batch.finished == 0);
    let kept_ms = if is_short {
        DRY_RUN_KEPT_MS
    } else if status == BatchStatus::Cancelled && batch.retry_of.is_none() && came_to_nothing(write, batch).await? {
        WITHDRAWN_KEPT_MS
    } else {
        BATCH_KEPT_MS
    };
    let update = "UPDATE batches SET status = $1, ended_at_ms = $2, step_after_ms = NULL, remove_after_ms = $3, waiting_for = NULL, \
         waiting_text = NULL WHERE id = $4";
    let values = [status.as_str().into(), write.now.ms().into(), write.now.plus_ms(kept_ms).ms().into(), batch.id.uuid().into()];
    write.tx.execute_raw(write.statement(update, values)).await?;
    if batch.is_dry_run && batch.api_key.is_none() && status == BatchStatus::Cancelled {
        // A page that sends a file has it quoted, and deletes it with the quote; while that was read it could not.
        files::delete(write, batch.tenant, batch.input).await?;
    }
    match status.event().and_then(WebhookEvent::named) {
        Some(event) if !batch.is_dry_run => webhooks::happened(write, batch.tenant, event, &batch.id.to_string()).await,
        _ => Ok(()),
    }
}

pub(super) fn counted<T: Copy + ToString>(count: T) -> Result<Value, StoreError>
where
    i32: TryFrom<T>,
{
    Ok(signed::<T, i32>(TABLE, "lines", count)?.into())
}

pub(super) fn bytes(bytes: u64) -> Result<Value, StoreError> {
    Ok(signed::<_, i64>(TABLE, "read_bytes", bytes)?.into())
}
