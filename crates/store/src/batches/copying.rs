//! A batch takes over the lines of another one: those that it tries again, or all of a quote.

use super::{
    Batch, TABLE,
    steps::{BatchSteps, READ_ON, bytes, counted},
};
use crate::{StoreError, database::write::Write};
use domain::BatchId;
use sea_orm::{ConnectionTrait, FromQueryResult, Value};

/// All lines of a quote wait, and none of a batch that has ended.
const COPY: &str = "INSERT INTO batch_lines (batch_id, line, tenant_id, custom_id, byte_offset, byte_length, state, billed_ms) \
     SELECT $1, line, tenant_id, custom_id, byte_offset, byte_length, 'waiting', billed_ms FROM batch_lines \
     WHERE batch_id = $2 AND line > $3 AND state IN ('waiting', 'failed', 'cancelled', 'expired') ORDER BY line LIMIT $4";
const COPIED: &str = "SELECT MAX(line) AS last, COUNT(*) AS lines, CAST(COALESCE(SUM(billed_ms), 0) AS BIGINT) AS billed_ms FROM batch_lines \
     WHERE batch_id = $1 AND line > $2";
const NEXT: &str = "SELECT line, byte_offset FROM batch_lines WHERE batch_id = $1 AND line > $2 ORDER BY line LIMIT 1";

#[derive(FromQueryResult)]
struct Copied {
    last: Option<i32>,
    lines: i64,
    billed_ms: i64,
}

#[derive(FromQueryResult)]
struct NextLine {
    line: i32,
    byte_offset: i64,
}

impl BatchSteps<'_> {
    /// Takes over the next lines of `source` that were not made there, at most `limit`; says how many these were. `None`: somebody else was faster.
    pub async fn copy_lines(self, batch: &Batch, source: BatchId, limit: u32, lease_ms: i64) -> Result<Option<u32>, StoreError> {
        let write = self.write().await?;
        let copy = [self.id.uuid().into(), source.uuid().into(), counted(batch.read_lines)?, i64::from(limit).into()];
        write.tx.execute_raw(write.statement(COPY, copy)).await?;
        let copied = write.statement(COPIED, [self.id.uuid().into(), counted(batch.read_lines)?]);
        let copied = Copied::find_by_statement(copied).one(&write.tx).await?;
        let Some(Copied { last, lines, billed_ms }) = copied else { return Err(StoreError::Raced { table: TABLE }) };
        let last = last.unwrap_or_default().max(batch.read_lines.cast_signed());
        let (read_lines, read_bytes) = self.read_up_to(&write, batch, last).await?;
        let [id, tenant] = self.names();
        let values: [Value; 14] = [
            (read_lines - batch.read_lines.cast_signed()).into(),
            read_bytes,
            counted(lines.unsigned_abs())?,
            0_i32.into(),
            billed_ms.into(),
            Option::<String>::None.into(),
            write.now.plus_ms(lease_ms).ms().into(),
            0_i32.into(),
            Option::<i32>::None.into(),
            Option::<String>::None.into(),
            id,
            tenant,
            counted(batch.read_lines)?,
            bytes(batch.read_bytes)?,
        ];
        if write.tx.execute_raw(write.statement(READ_ON, values)).await?.rows_affected() != 1 {
            write.abandon().await?;
            return Ok(None);
        }
        write.commit().await?;
        Ok(Some(u32::try_from(lines).unwrap_or(u32::MAX)))
    }

    /// How far the input is read with all lines up to `last` taken over. Those of a quote count as read from the file: a server of the version before
    /// knows of no quotes, and reads on from there.
    async fn read_up_to(self, write: &Write, batch: &Batch, last: i32) -> Result<(i32, Value), StoreError> {
        let quote = match batch.quote {
            Some(quote) => self.of.find(&write.tx, quote, false).await?,
            None => None,
        };
        let Some(quote) = quote else { return Ok((last, bytes(batch.read_bytes)?)) };
        let next = write.statement(NEXT, [quote.id.uuid().into(), last.into()]);
        Ok(match NextLine::find_by_statement(next).one(&write.tx).await? {
            Some(NextLine { line, byte_offset }) => (line - 1, byte_offset.into()),
            None => (quote.read_lines.cast_signed(), bytes(quote.read_bytes)?),
        })
    }
}
