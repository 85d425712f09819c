//! The batches of all tenants, for whoever goes on with them and tidies up behind them.

use super::files;
use crate::{Store, StoreError};
use domain::{BatchId, FileId, TenantId};
use sea_orm::{ConnectionTrait, FromQueryResult, Statement, Value};
use std::error::Error;
use uuid::Uuid;

/// What lies further ahead was set before the clock was put back.
pub(super) const STEP_AHEAD_MAX_MS: i64 = 10 * 60 * 1000;
const LINES_AT_ONCE: i64 = 5000;
const BATCHES_AT_ONCE: i64 = 100;

const DUE: &str =
    "SELECT tenant_id, id FROM batches WHERE step_after_ms IS NOT NULL AND step_after_ms <= $1 ORDER BY step_after_ms LIMIT $2";
const FROM_AHEAD: &str =
    "SELECT tenant_id, id FROM batches WHERE step_after_ms IS NOT NULL AND step_after_ms > $1 ORDER BY step_after_ms LIMIT $2";
/// Not those of which another batch is taking the lines over: it would have a part of them.
const OLD: &str = "SELECT tenant_id, id FROM batches WHERE remove_after_ms IS NOT NULL AND remove_after_ms <= $1 \
     AND NOT EXISTS (SELECT 1 FROM batches AS taking WHERE taking.tenant_id = batches.tenant_id \
     AND taking.input_file_id = batches.input_file_id AND taking.ended_at_ms IS NULL AND taking.status = 'validating' \
     AND (taking.retry_of = batches.id OR taking.quote_id = batches.id)) ORDER BY remove_after_ms LIMIT $2";
/// The file that a page sent to have it quoted.
const QUOTED: &str = "SELECT input_file_id FROM batches WHERE id = $1 AND is_dry_run = TRUE AND api_key_id IS NULL";
const OTHER_OF_FILE: &str = "SELECT 1 FROM batches WHERE tenant_id = $1 AND input_file_id = $2 AND id <> $3 LIMIT 1";
const REMOVE_LINES: &str =
    "DELETE FROM batch_lines WHERE batch_id = $1 AND line IN (SELECT line FROM batch_lines WHERE batch_id = $1 ORDER BY line LIMIT $2)";
const ANY_LINE: &str = "SELECT 1 FROM batch_lines WHERE batch_id = $1 LIMIT 1";

/// A batch with which somebody is to go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DueBatch {
    pub tenant: TenantId,
    pub id: BatchId,
}

#[derive(FromQueryResult)]
struct Row {
    tenant_id: Uuid,
    id: Uuid,
}

/// The batches of all tenants.
#[derive(Clone, Copy)]
pub struct BatchRows<'a> {
    store: &'a Store,
}

impl Store {
    /// The batches of all tenants, for whoever goes on with them.
    #[must_use]
    pub const fn batch_rows(&self) -> BatchRows<'_> {
        BatchRows { store: self }
    }
}

impl BatchRows<'_> {
    /// Those with which somebody is to go on now, at most `limit`, the longest due first.
    pub async fn due(self, limit: u64) -> Result<Vec<DueBatch>, StoreError> {
        let now = self.store.now().await?;
        let mut due = self.find(DUE, now.ms(), limit.cast_signed()).await?;
        // Something is nearly always due where there are many.
        let left = limit.saturating_sub(due.len() as u64);
        if left > 0 {
            due.extend(self.find(FROM_AHEAD, now.plus_ms(STEP_AHEAD_MAX_MS).ms(), left.cast_signed()).await?);
        }
        Ok(due)
    }

    /// Those of tenants that are none of these, without those that were put off before the clock was put back.
    pub async fn due_of_others(self, than: &[TenantId], limit: u64) -> Result<Vec<DueBatch>, StoreError> {
        let first: [Value; 2] = [self.store.now().await?.ms().into(), limit.cast_signed().into()];
        let values: Vec<Value> = first.into_iter().chain(than.iter().map(|tenant| tenant.uuid().into())).collect();
        self.found(&due_but_of(than.len()), values).await
    }

    /// Removes batches that ended long ago, with their lines, some thousand at once, and what was only sent to be quoted; says how many batches
    /// these were.
    pub async fn forget_old(self) -> Result<u64, StoreError> {
        let mut gone = 0;
        loop {
            let now = self.store.now().await?;
            let old = self.find(OLD, now.ms(), BATCHES_AT_ONCE).await?;
            for batch in &old {
                match drop_quoted(self.store, *batch).await {
                    Err(error) if error.is_of_row() => {
                        tracing::warn!(batch.id = %batch.id, error = &error as &dyn Error, "a file that was quoted stays until it expires");
                    }
                    dropped => dropped?,
                }
                remove(self.store, batch.id).await?;
                gone += 1;
            }
            if (old.len() as i64) < BATCHES_AT_ONCE {
                return Ok(gone);
            }
        }
    }

    async fn find(self, sql: &str, ms: i64, limit: i64) -> Result<Vec<DueBatch>, StoreError> {
        self.found(sql, [ms.into(), limit.into()]).await
    }

    async fn found(self, sql: &str, values: impl IntoIterator<Item = Value>) -> Result<Vec<DueBatch>, StoreError> {
        let db = &self.store.db;
        let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, values);
        let rows = Row::find_by_statement(statement).all(db).await?;
        Ok(rows.into_iter().map(|row| DueBatch { tenant: TenantId::from_uuid(row.tenant_id), id: BatchId::from_uuid(row.id) }).collect())
    }
}

/// As [`DUE`], but for those of so many tenants, which are the values behind the others.
fn due_but_of(tenants: usize) -> String {
    let passed_over: Vec<String> = (0..tenants).map(|at| format!(" AND tenant_id <> ${}", at + 3)).collect();
    let passed_over = passed_over.concat();
    format!(
        "SELECT tenant_id, id FROM batches WHERE step_after_ms IS NOT NULL AND step_after_ms <= $1{passed_over} ORDER BY step_after_ms LIMIT $2"
    )
}

/// What a page sent for a quote goes with it, unless there is another batch of it: no page would show it any more.
async fn drop_quoted(store: &Store, quote: DueBatch) -> Result<(), StoreError> {
    let quoted = Statement::from_sql_and_values(store.db.get_database_backend(), QUOTED, [quote.id.uuid().into()]);
    let Some(row) = store.db.query_one_raw(quoted).await? else { return Ok(()) };
    let file = FileId::from_uuid(row.try_get_by_index(0)?);
    let write = store.write().await?;
    // Its row is locked: whoever makes a batch of it has done so by now, or finds no file.
    if files::find(&write.tx, quote.tenant, file, true).await?.is_none() {
        return write.abandon().await;
    }
    let others = write.statement(OTHER_OF_FILE, [quote.tenant.uuid().into(), file.uuid().into(), quote.id.uuid().into()]);
    if write.tx.query_one_raw(others).await?.is_none() {
        files::delete(&write, quote.tenant, file).await?;
    }
    write.commit().await
}

/// A batch and its lines, some thousand in one transaction.
pub(super) async fn remove(store: &Store, id: BatchId) -> Result<(), StoreError> {
    loop {
        let write = store.write().await?;
        let removed = write.tx.execute_raw(write.statement(REMOVE_LINES, [id.uuid().into(), LINES_AT_ONCE.into()])).await?.rows_affected();
        // Of those that another server is removing none is counted: there may be others, which nobody would find without their batch.
        let may_be_last = removed < LINES_AT_ONCE.unsigned_abs();
        if may_be_last && write.tx.query_one_raw(write.statement(ANY_LINE, [id.uuid().into()])).await?.is_none() {
            write.tx.execute_raw(write.statement("DELETE FROM batches WHERE id = $1", [id.uuid().into()])).await?;
            return write.commit().await;
        }
        write.commit().await?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TempDatabase;
    use sea_orm::DbBackend;

    #[tokio::test]
    async fn what_is_due_and_what_is_old_is_found_along_indexes() {
        let database = TempDatabase::sqlite();
        let store = database.open().await.unwrap();
        let others = due_but_of(1);
        for (sql, indexes) in [
            (DUE, &["batches_by_step"][..]),
            (FROM_AHEAD, &["batches_by_step"][..]),
            (OLD, &["batches_to_remove", "batches_open_of_tenant (tenant_id=? AND input_file_id=?)"][..]),
            (others.as_str(), &["batches_by_step"][..]),
        ] {
            let values: [Value; 3] = [1_i64.into(), 10_i64.into(), Uuid::nil().into()];
            let values = values.into_iter().take(sql.matches('$').count());
            let plan = Statement::from_sql_and_values(DbBackend::Sqlite, format!("EXPLAIN QUERY PLAN {sql}"), values);
            let plan = store.db.query_all_raw(plan).await.unwrap();
            let steps: Vec<String> = plan.iter().map(|row| row.try_get("", "detail").unwrap()).collect();
            let looks: Vec<_> = steps.iter().filter(|step| !step.starts_with("CORRELATED")).collect();
            assert!(looks.len() == indexes.len() && looks.iter().zip(indexes).all(|(look, index)| look.contains(index)), "{steps:?}");
        }
    }
}
