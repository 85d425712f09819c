//! The `batch_lines` table: a row for each line, and where it is.

use super::Batches;
use crate::{
    StoreError,
    entity::{batch_line as table, signed, unsigned},
};
use domain::{
    BatchId, JobId, TenantId, VideoTime,
    batch::{BatchWait, LineFault, LineState, OpenBatch},
};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, FromQueryResult, QueryFilter, QueryOrder, QuerySelect, Select, Statement,
    sea_query::Expr,
};
use std::collections::HashSet;
use uuid::Uuid;

pub(super) const TABLE: &str = "batch_lines";
/// A join in groups would be done along all batches that are kept.
const OPEN_OF_EACH: &str = "SELECT id, waiting_for, step_after_ms, \
     CASE WHEN status = 'in_progress' AND closing IS NULL THEN lines - invalid_lines - finished_lines ELSE 0 END AS unfinished, \
     (SELECT COUNT(*) FROM batch_lines WHERE batch_lines.batch_id = batches.id AND batch_lines.state = 'open') AS open_lines, \
     (SELECT CAST(COALESCE(SUM(batch_lines.billed_ms), 0) AS BIGINT) FROM batch_lines \
     WHERE batch_lines.batch_id = batches.id AND batch_lines.state = 'open') AS billed_ms \
     FROM batches WHERE tenant_id = $1 AND ended_at_ms IS NULL";
/// Lines that could be made, as the index of names has them, and the others.
const SOUND: &str = "state <> 'invalid'";
const INVALID: &str = "state = 'invalid'";

#[derive(FromQueryResult)]
struct OpenRow {
    id: Uuid,
    waiting_for: Option<String>,
    step_after_ms: Option<i64>,
    unfinished: i32,
    open_lines: i64,
    billed_ms: i64,
}

/// A line of a batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BatchLine {
    /// From 1, as an editor counts the lines of the file.
    pub line: u32,
    pub custom_id: Option<String>,
    /// Where it stands in the input file, in bytes.
    pub offset: u64,
    pub length: u32,
    pub state: LineState,
    pub job: Option<JobId>,
    /// What it costs, as it was quoted.
    pub billed: VideoTime,
    pub fault: Option<LineFault>,
    /// Its place among those that have ended.
    pub number: Option<u32>,
}

/// A line that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewLine {
    pub line: u32,
    pub custom_id: Option<String>,
    pub offset: u64,
    pub length: u32,
    pub billed: VideoTime,
    /// It cannot be made as it is.
    pub fault: Option<LineFault>,
    /// One of its fields that no request has.
    pub unknown_field: Option<String>,
}

impl NewLine {
    pub(super) fn row(&self, batch: BatchId, tenant: TenantId) -> Result<table::ActiveModel, StoreError> {
        let state = if self.fault.is_some() { LineState::Invalid } else { LineState::Waiting };
        let (code, text, param) = parts(self.fault.as_ref());
        Ok(table::ActiveModel {
            batch_id: Set(batch.uuid()),
            line: Set(signed(TABLE, "line", self.line)?),
            tenant_id: Set(tenant.uuid()),
            custom_id: Set(self.custom_id.clone()),
            byte_offset: Set(signed(TABLE, "byte_offset", self.offset)?),
            byte_length: Set(signed(TABLE, "byte_length", self.length)?),
            state: Set(state.as_str().to_owned()),
            job_id: Set(None),
            billed_ms: Set(signed(TABLE, "billed_ms", self.billed.ms())?),
            error_code: Set(code),
            error_text: Set(text),
            error_param: Set(param),
            finished_number: Set(None),
        })
    }
}

/// Code, text and parameter, as they are kept: every fault that is stored passes here.
pub(super) fn parts(fault: Option<&LineFault>) -> (Option<String>, Option<String>, Option<String>) {
    let Some(LineFault { code, text, param }) = fault.map(LineFault::kept) else { return (None, None, None) };
    (Some(code), Some(text), param)
}

pub(super) fn parsed(row: table::Model) -> Result<BatchLine, StoreError> {
    let fault = row.error_code.map(|code| LineFault { code, text: row.error_text.unwrap_or_default(), param: row.error_param });
    Ok(BatchLine {
        line: unsigned(TABLE, "line", row.line)?,
        custom_id: row.custom_id,
        offset: unsigned(TABLE, "byte_offset", row.byte_offset)?,
        length: unsigned(TABLE, "byte_length", row.byte_length)?,
        state: LineState::named(&row.state).ok_or_else(|| StoreError::inconsistent(TABLE, "state", &row.state))?,
        job: row.job_id.map(JobId::from_uuid),
        billed: VideoTime::from_ms(unsigned(TABLE, "billed_ms", row.billed_ms)?),
        fault,
        number: row.finished_number.map(|number| unsigned(TABLE, "finished_number", number)).transpose()?,
    })
}

impl Batches<'_> {
    /// Lines that have ended, behind the one of this number, in the order in which they did.
    pub async fn finished_lines(self, id: BatchId, after: u32, limit: u64) -> Result<Vec<BatchLine>, StoreError> {
        let after: i32 = signed(TABLE, "finished_number", after)?;
        let rows = self.lines(id).filter(table::Column::FinishedNumber.gt(after)).order_by_asc(table::Column::FinishedNumber).limit(limit);
        rows.all(&self.store.of(self.tenant)).await?.into_iter().map(parsed).collect()
    }

    /// Lines behind this one, in the order of the file.
    pub async fn lines_after(self, id: BatchId, after: u32, limit: u64) -> Result<Vec<BatchLine>, StoreError> {
        let after: i32 = signed(TABLE, "line", after)?;
        let rows = self.lines(id).filter(table::Column::Line.gt(after)).order_by_asc(table::Column::Line).limit(limit);
        rows.all(&self.store.of(self.tenant)).await?.into_iter().map(parsed).collect()
    }

    /// Lines that are in a state, behind this one, in the order of the file. Line 0 stands for the input as a whole.
    pub async fn lines_in(self, id: BatchId, state: LineState, after: Option<u32>, limit: u64) -> Result<Vec<BatchLine>, StoreError> {
        let after: i32 = after.map_or(Ok(-1), |after| signed(TABLE, "line", after))?;
        let rows = self.lines(id).filter(table::Column::State.eq(state.as_str())).filter(table::Column::Line.gt(after));
        let rows = rows.order_by_asc(table::Column::Line).limit(limit);
        rows.all(&self.store.of(self.tenant)).await?.into_iter().map(parsed).collect()
    }

    /// Those of these names that lines of the batch have, also lines that are wrong.
    pub async fn known_custom_ids(self, id: BatchId, names: &[&str]) -> Result<HashSet<String>, StoreError> {
        let mut known = HashSet::new();
        for which in [SOUND, INVALID] {
            let rows = self.named(id, names, which);
            let found: Vec<Option<String>> = rows.into_tuple().all(&self.store.of(self.tenant)).await?;
            known.extend(found.into_iter().flatten());
        }
        Ok(known)
    }

    fn named(self, id: BatchId, names: &[&str], which: &'static str) -> Select<table::Entity> {
        let rows = self.lines(id).filter(table::Column::CustomId.is_in(names.iter().copied())).filter(Expr::cust(which));
        rows.select_only().column(table::Column::CustomId)
    }

    /// What each batch of the tenant that has not ended has in the queue.
    pub async fn open_of_each(self) -> Result<Vec<(BatchId, OpenBatch)>, StoreError> {
        let now = self.store.now().await?;
        let db = self.store.of(self.tenant);
        let statement = Statement::from_sql_and_values(db.get_database_backend(), OPEN_OF_EACH, [self.tenant.uuid().into()]);
        let rows = OpenRow::find_by_statement(statement).all(&db).await?;
        let parsed = |row: OpenRow| -> Result<(BatchId, OpenBatch), StoreError> {
            let lines = unsigned(TABLE, "lines", row.open_lines)?;
            let open = OpenBatch {
                lines,
                work: VideoTime::from_ms(unsigned(TABLE, "billed_ms", row.billed_ms)?),
                has_more: i64::from(row.unfinished) > row.open_lines,
                wait: row.waiting_for.as_deref().and_then(BatchWait::named),
                due_in_ms: row.step_after_ms.map_or(i64::MAX, |ms| ms.saturating_sub(now.ms())),
            };
            Ok((BatchId::from_uuid(row.id), open))
        };
        rows.into_iter().map(parsed).collect()
    }

    /// How many lines are jobs that have not ended, and what these are billed.
    pub async fn open_lines(self, id: BatchId) -> Result<(u32, VideoTime), StoreError> {
        let rows = self.lines(id).filter(table::Column::State.eq(LineState::Open.as_str()));
        let billed: Vec<i64> = rows.select_only().column(table::Column::BilledMs).into_tuple().all(&self.store.of(self.tenant)).await?;
        let sum = billed.iter().map(|ms| ms.unsigned_abs()).sum();
        Ok((u32::try_from(billed.len()).unwrap_or(u32::MAX), VideoTime::from_ms(sum)))
    }

    fn lines(self, id: BatchId) -> Select<table::Entity> {
        let batch: Uuid = id.uuid();
        table::Entity::find().filter(table::Column::BatchId.eq(batch)).filter(table::Column::TenantId.eq(self.tenant.uuid()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TempDatabase;
    use sea_orm::{DbBackend, QueryTrait};

    #[tokio::test]
    async fn names_are_looked_for_along_an_index_and_not_among_all_lines_that_were_read() {
        let database = TempDatabase::sqlite();
        let store = database.open().await.unwrap();
        let (tenant, batch) = (TenantId::from_uuid(Uuid::nil()), BatchId::from_uuid(Uuid::nil()));
        for (which, along) in
            [(SOUND, "batch_lines_by_custom_id (batch_id=? AND custom_id=?)"), (INVALID, "batch_lines_by_state (batch_id=? AND state=?)")]
        {
            let sql = store.tenant(tenant).batches().named(batch, &["a"], which).build(DbBackend::Sqlite).to_string();
            let explained = Statement::from_string(DbBackend::Sqlite, format!("EXPLAIN QUERY PLAN {sql}"));
            let plan = store.db.query_all_raw(explained).await.unwrap();
            let steps: Vec<String> = plan.iter().map(|row| row.try_get("", "detail").unwrap()).collect();
            assert!(steps.len() == 1 && steps[0].contains(along), "{sql}: {steps:?}");
        }
    }

    #[tokio::test]
    async fn what_is_open_is_found_along_batches_that_have_not_ended() {
        let database = TempDatabase::sqlite();
        let store = database.open().await.unwrap();
        let sql = format!("EXPLAIN QUERY PLAN {OPEN_OF_EACH}");
        let plan = store.db.query_all_raw(Statement::from_sql_and_values(DbBackend::Sqlite, sql, [Uuid::nil().into()])).await.unwrap();
        let steps: Vec<String> = plan.iter().map(|row| row.try_get("", "detail").unwrap()).collect();
        assert!(steps[0].contains("batches_open_of_tenant") && !steps.iter().any(|step| step.starts_with("SCAN")), "{steps:?}");
    }
}
