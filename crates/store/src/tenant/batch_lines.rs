//! Jobs that are lines of batches. Whoever takes back all that waits leaves them to their batch, which would open others for them.

use crate::{
    Store, StoreError,
    entity::{batch, batch_line, unsigned},
    rows::jobs,
};
use domain::{BatchId, JobId, TenantId, UserId, VideoTime};
use sea_orm::{
    ConnectionTrait, FromQueryResult, Statement, Value,
    sea_query::{Expr, ExprTrait, Query, SelectStatement},
};
use std::collections::HashMap;
use uuid::Uuid;

const OF_BATCH: &str = "batches.id = batch_lines.batch_id";
const IS_OPEN: &str = "batches.ended_at_ms IS NULL AND batch_lines.state = 'open' AND batch_lines.job_id IS NOT NULL";
/// `$1`: the tenant.
const WAITING: &str = "SELECT COUNT(*) AS jobs, CAST(COALESCE(SUM(jobs.billed_ms), 0) AS BIGINT) AS billed_ms \
     FROM batches JOIN batch_lines ON batch_lines.batch_id = batches.id JOIN jobs ON jobs.id = batch_lines.job_id \
     WHERE batches.tenant_id = $1 AND batches.ended_at_ms IS NULL AND batch_lines.state = 'open' \
     AND jobs.step = 0 AND jobs.state IN ('throttled', 'ready', 'retry_sampling', 'retry_decoding')";

#[derive(FromQueryResult)]
struct SumRow {
    jobs: i64,
    billed_ms: i64,
}

/// How many jobs, and what they are billed when they are done.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sum {
    pub jobs: u64,
    pub billed: VideoTime,
}

/// The jobs of all open lines of a tenant: as many as it may have open at once.
pub(super) fn open(tenant: TenantId) -> SelectStatement {
    Query::select()
        .column(batch_line::Column::JobId)
        .from(batch_line::Entity)
        .inner_join(batch::Entity, Expr::cust(OF_BATCH))
        .and_where(Expr::col((batch::Entity, batch::Column::TenantId)).eq(tenant.uuid()))
        .and_where(Expr::cust(IS_OPEN))
        .take()
}

/// Those that wait for their first step.
pub(super) async fn waiting(store: &Store, tenant: TenantId) -> Result<Sum, StoreError> {
    sum(store, tenant, WAITING, vec![tenant.uuid().into()]).await
}

/// Those of one person that do.
pub(super) async fn own_waiting(store: &Store, tenant: TenantId, user: UserId) -> Result<Sum, StoreError> {
    sum(store, tenant, &own(), vec![tenant.uuid().into(), user.uuid().into()]).await
}

/// `$2`: the user.
fn own() -> String {
    format!("{WAITING} AND jobs.user_id = $2")
}

#[derive(FromQueryResult)]
struct OfBatchRow {
    id: Uuid,
    tenant_id: Uuid,
    batch_id: Option<Uuid>,
}

/// The batches of which these jobs of a tenant are lines. Those that were asked for singly are left out.
pub(super) async fn batches_of(store: &Store, tenant: TenantId, jobs: &[JobId]) -> Result<HashMap<JobId, BatchId>, StoreError> {
    if jobs.is_empty() {
        return Ok(HashMap::new());
    }
    let (db, places) = (store.of(tenant), (1..=jobs.len()).map(|place| format!("${place}")).collect::<Vec<_>>());
    // Found by their ids alone: whose they are is looked at in the rows, or SQLite might walk along all jobs of the tenant.
    let sql = format!("SELECT id, tenant_id, batch_id FROM jobs WHERE id IN ({})", places.join(", "));
    let values = jobs.iter().map(|job| Value::from(job.uuid()));
    let rows = OfBatchRow::find_by_statement(Statement::from_sql_and_values(db.get_database_backend(), sql, values)).all(&db).await?;
    let own = rows.into_iter().filter(|row| row.tenant_id == tenant.uuid());
    Ok(own.filter_map(|row| Some((JobId::from_uuid(row.id), BatchId::from_uuid(row.batch_id?)))).collect())
}

async fn sum(store: &Store, tenant: TenantId, sql: &str, values: Vec<Value>) -> Result<Sum, StoreError> {
    let db = store.of(tenant);
    let row = db.query_one_raw(Statement::from_sql_and_values(db.get_database_backend(), sql, values)).await?;
    let Some(SumRow { jobs, billed_ms }) = row.map(|row| SumRow::from_query_result(&row, "")).transpose()? else {
        return Ok(Sum::default());
    };
    Ok(Sum { jobs: unsigned(jobs::TABLE, "id", jobs)?, billed: VideoTime::from_ms(unsigned(jobs::TABLE, "billed_ms", billed_ms)?) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TempDatabase;
    use sea_orm::DbBackend;

    #[tokio::test]
    async fn they_are_found_along_batches_that_have_not_ended() {
        let database = TempDatabase::sqlite();
        let store = database.open().await.unwrap();
        let open = DbBackend::Sqlite.build(&open(TenantId::from_uuid(Uuid::nil()))).to_string();
        let nobody = |sql: &str| sql.replace("$1", "x'00'").replace("$2", "x'00'");
        for sql in [open, nobody(WAITING), nobody(&own())] {
            let sql = format!("EXPLAIN QUERY PLAN {sql}");
            let plan = store.db.query_all_raw(Statement::from_string(DbBackend::Sqlite, sql)).await.unwrap();
            let steps: Vec<String> = plan.iter().map(|row| row.try_get("", "detail").unwrap()).collect();
            assert!(steps[0].contains("batches_open_of_tenant") && !steps.iter().any(|step| step.starts_with("SCAN")), "{steps:?}");
        }
    }
}
