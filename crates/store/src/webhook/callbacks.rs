//! Callbacks of single jobs: kept with their jobs, and told through the lines of webhooks.
//!
//! Nothing of a job lies in a delivery: what is told is read from the job when it is sent, so one that was deleted tells nothing any more.

use super::{
    queue::WebhookQueue,
    rows::{ENDPOINT, EndpointRow, settle},
};
use crate::{StoreError, chance, database::write::Write, rows::account::tenants};
use domain::{
    JobId, TenantId, Timestamp, WebhookEndpointId,
    webhook::{CALLBACK_LINES_MAX, Callback, CallbackEvent, CallbackStyle, Course, Told, to_tell},
};
use sea_orm::{ConnectionTrait, DbBackend, FromQueryResult, Statement};
use uuid::Uuid;

const TABLE: &str = "job_callbacks";
/// Between the deliveries that one look adds, so that they arrive in their order where nothing is slow.
const APART_MS: i64 = 250;
/// Of the receivers beyond those that have a line of their own.
const OTHERS: &str = "";

/// Running jobs that tell of their course: not those of which progress waits to be sent, which tells of the last step too. Those that run are
/// few, whatever waits. A moment that lies ahead was noted before the clock was put back.
const FOLLOWED: &str = "SELECT jobs.id, jobs.tenant_id FROM jobs CROSS JOIN job_callbacks WHERE job_callbacks.job_id = jobs.id \
     AND jobs.lease_worker IS NOT NULL AND jobs.ended_at_ms IS NULL \
     AND (NOT job_callbacks.start_told OR jobs.step > job_callbacks.logs_step AND job_callbacks.event_types LIKE '%logs%' \
     AND (job_callbacks.logs_told_ms IS NULL OR job_callbacks.logs_told_ms <= $1 OR job_callbacks.logs_told_ms > $2) \
     AND NOT EXISTS (SELECT 1 FROM webhook_deliveries AS waiting WHERE waiting.job_id = jobs.id AND waiting.state = 'pending' \
     AND waiting.event_type = 'logs'))";

#[derive(FromQueryResult)]
struct JobRow {
    id: Uuid,
    tenant_id: Uuid,
}

#[derive(FromQueryResult)]
struct CallbackRow {
    style: String,
    url: String,
    receiver: String,
    event_types: String,
    origin: String,
    api: String,
    start_told: bool,
    logs_step: i32,
    logs_told_ms: Option<i64>,
    end_told_ms: Option<i64>,
}

#[derive(FromQueryResult)]
struct CourseRow {
    state: String,
    step: i32,
    steps: i32,
    started_at_ms: Option<i64>,
    ended_at_ms: Option<i64>,
}

impl CallbackRow {
    const COLUMNS: &'static str = "style, url, receiver, event_types, origin, api, start_told, logs_step, logs_told_ms, end_told_ms";

    fn events(&self) -> Vec<CallbackEvent> {
        self.event_types.split(' ').filter_map(CallbackEvent::named).collect()
    }

    fn told(&self) -> Told {
        Told {
            start: self.start_told,
            step: self.logs_step.unsigned_abs(),
            progress_at: self.logs_told_ms.map(Timestamp::from_ms),
            end: self.end_told_ms.map(Timestamp::from_ms),
        }
    }

    fn parsed(self) -> Result<Callback, StoreError> {
        let style = CallbackStyle::named(&self.style).ok_or_else(|| StoreError::inconsistent(TABLE, "style", &self.style))?;
        Ok(Callback { style, events: self.events(), url: self.url, receiver: self.receiver, origin: self.origin, api: self.api })
    }
}

impl CourseRow {
    fn course(&self) -> Course {
        let has_succeeded = self.state == "succeeded";
        Course {
            has_begun: self.started_at_ms.is_some(),
            step: if has_succeeded { self.steps } else { self.step }.unsigned_abs(),
            ended_at: self.ended_at_ms.map(Timestamp::from_ms),
            has_succeeded,
        }
    }
}

impl WebhookQueue<'_> {
    /// Jobs that run and of which something is to be told: not their end, which the outbox tells of.
    pub async fn followed(self, progress_every_ms: i64) -> Result<Vec<(TenantId, JobId)>, StoreError> {
        let db = &self.store().db;
        let now = self.store().now().await?;
        let values = [now.plus_ms(-progress_every_ms).ms().into(), now.ms().into()];
        let statement = Statement::from_sql_and_values(db.get_database_backend(), FOLLOWED, values);
        let rows = JobRow::find_by_statement(statement).all(db).await?;
        Ok(rows.into_iter().map(|row| (TenantId::from_uuid(row.tenant_id), JobId::from_uuid(row.id))).collect())
    }

    /// Adds deliveries of what is to be told of a job now; says how many these were. What was told is told once, however often this is done.
    pub async fn tell(self, tenant: TenantId, job: JobId) -> Result<u64, StoreError> {
        let write = self.store().write().await?;
        let told = tell(&write, tenant, job).await?;
        write.commit().await?;
        Ok(told)
    }

    /// Where the course of a job is told, if anywhere.
    pub async fn callback(self, tenant: TenantId, job: JobId) -> Result<Option<Callback>, StoreError> {
        let db = self.store().of(tenant);
        let sql = format!("SELECT {} FROM job_callbacks WHERE job_id = $1 AND tenant_id = $2", CallbackRow::COLUMNS);
        let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, [job.uuid().into(), tenant.uuid().into()]);
        CallbackRow::find_by_statement(statement).one(&db).await?.map(CallbackRow::parsed).transpose()
    }

    /// Deliveries of a tenant's callbacks that wait.
    pub async fn callbacks_waiting(self, tenant: TenantId) -> Result<u64, StoreError> {
        let db = self.store().of(tenant);
        let sql = "SELECT CAST(COALESCE(SUM(pending), 0) AS BIGINT) AS waiting FROM webhook_endpoints \
             WHERE tenant_id = $1 AND receiver IS NOT NULL AND deleted_at_ms IS NULL";
        let row = db.query_one_raw(Statement::from_sql_and_values(db.get_database_backend(), sql, [tenant.uuid().into()])).await?;
        let waiting: i64 = row.map_or(Ok(0), |row| row.try_get("", "waiting"))?;
        Ok(waiting.max(0).unsigned_abs())
    }
}

async fn tell(write: &Write, tenant: TenantId, job: JobId) -> Result<u64, StoreError> {
    let lock = if write.backend() == DbBackend::Postgres { "FOR UPDATE" } else { "" };
    let sql = format!("SELECT {} FROM job_callbacks WHERE job_id = $1 AND tenant_id = $2 {lock}", CallbackRow::COLUMNS);
    let statement = write.statement(&sql, [job.uuid().into(), tenant.uuid().into()]);
    let Some(row) = CallbackRow::find_by_statement(statement).one(&write.tx).await? else { return Ok(0) };
    let sql = "SELECT state, step, steps, started_at_ms, ended_at_ms FROM jobs WHERE id = $1 AND deleted_at_ms IS NULL";
    let found = CourseRow::find_by_statement(write.statement(sql, [job.uuid().into()])).one(&write.tx).await?;
    let Some(course) = found.map(|row| row.course()) else { return Ok(0) };
    let mut events = to_tell(&row.events(), row.told(), course, write.now);
    // What waits tells of this step too.
    if events.contains(&CallbackEvent::Logs) && is_waiting(write, job, CallbackEvent::Logs).await? {
        events.retain(|event| *event != CallbackEvent::Logs);
    }
    let is_end_noted = course.ended_at.is_none_or(|at| row.end_told_ms == Some(at.ms()));
    if events.is_empty() && is_end_noted {
        return Ok(0);
    }
    note(write, job, (&row, course), &events).await?;
    // Whoever deletes a tenant ends the lines that it has by then.
    if events.is_empty() || !tenants::lock(write, tenant).await? {
        return Ok(0);
    }
    let line = line(write, tenant, &row.receiver).await?;
    for (at, event) in (0..).zip(&events) {
        insert_delivery(write, (tenant, line, job), (*event, course), at * APART_MS).await?;
    }
    settle(write, line, events.len() as i64).await?;
    Ok(events.len() as u64)
}

async fn is_waiting(write: &Write, job: JobId, event: CallbackEvent) -> Result<bool, StoreError> {
    let sql = "SELECT 1 FROM webhook_deliveries WHERE job_id = $1 AND state = 'pending' AND event_type = $2 LIMIT 1";
    Ok(write.tx.query_one_raw(write.statement(sql, [job.uuid().into(), event.as_str().into()])).await?.is_some())
}

async fn note(write: &Write, job: JobId, (row, course): (&CallbackRow, Course), events: &[CallbackEvent]) -> Result<(), StoreError> {
    let tells = |event| events.contains(&event);
    let (start, step, told_at) = if course.ended_at.is_some() {
        // Behind its end nothing of its course is told, and if it is tried once more that begins anew. What nobody waits for counts as told.
        (!row.events().contains(&CallbackEvent::Start), 0, None)
    } else if tells(CallbackEvent::Logs) {
        let step = i32::try_from(course.step).unwrap_or(i32::MAX);
        (row.start_told || tells(CallbackEvent::Start), step, Some(write.now.ms()))
    } else {
        (row.start_told || tells(CallbackEvent::Start), row.logs_step, row.logs_told_ms)
    };
    let end = course.ended_at.map_or(row.end_told_ms, |at| Some(at.ms()));
    let sql = "UPDATE job_callbacks SET start_told = $2, logs_step = $3, logs_told_ms = $4, end_told_ms = $5 WHERE job_id = $1";
    let values = [job.uuid().into(), start.into(), step.into(), told_at.into(), end.into()];
    write.tx.execute_raw(write.statement(sql, values)).await?;
    Ok(())
}

/// The line of a receiver, whose row is locked until the transaction ends.
async fn line(write: &Write, tenant: TenantId, receiver: &str) -> Result<WebhookEndpointId, StoreError> {
    if let Some(id) = locked_line(write, tenant, receiver).await? {
        return Ok(id);
    }
    let sql = "SELECT COUNT(*) AS lines FROM webhook_endpoints WHERE tenant_id = $1 AND receiver IS NOT NULL AND deleted_at_ms IS NULL";
    let counted = write.tx.query_one_raw(write.statement(sql, [tenant.uuid().into()])).await?;
    let lines: i64 = counted.map_or(Ok(0), |row| row.try_get("", "lines"))?;
    let receiver = if lines.unsigned_abs() < CALLBACK_LINES_MAX { receiver } else { OTHERS };
    let sql = "INSERT INTO webhook_endpoints (id, tenant_id, name, url, event_types, sealed_secret, secret_hint, created_at_ms, \
         updated_at_ms, pending, receiver) VALUES ($1, $2, '', '', '', '', '', $3, $3, 0, $4) ON CONFLICT DO NOTHING";
    let values = [chance::new_id().into(), tenant.uuid().into(), write.now.ms().into(), receiver.into()];
    write.tx.execute_raw(write.statement(sql, values)).await?;
    locked_line(write, tenant, receiver).await?.ok_or(StoreError::Raced { table: "webhook_endpoints" })
}

async fn locked_line(write: &Write, tenant: TenantId, receiver: &str) -> Result<Option<WebhookEndpointId>, StoreError> {
    let lock = if write.backend() == DbBackend::Postgres { "FOR UPDATE" } else { "" };
    let sql = format!("SELECT {ENDPOINT} FROM webhook_endpoints WHERE tenant_id = $1 AND receiver = $2 AND deleted_at_ms IS NULL {lock}");
    let statement = write.statement(&sql, [tenant.uuid().into(), receiver.into()]);
    Ok(EndpointRow::find_by_statement(statement).one(&write.tx).await?.map(|row| WebhookEndpointId::from_uuid(row.id)))
}

async fn insert_delivery(
    write: &Write,
    (tenant, line, job): (TenantId, WebhookEndpointId, JobId),
    (event, course): (CallbackEvent, Course),
    in_ms: i64,
) -> Result<(), StoreError> {
    let id = chance::new_id();
    // By this the delivery of an end is told from that of an end before, also where the clock was put back since the job has ended.
    let created_at = course.ended_at.map_or(write.now, |ended_at| ended_at.max(write.now));
    let sql = "INSERT INTO webhook_deliveries (id, tenant_id, endpoint_id, event_id, event_type, body, is_test, state, tries, attempts, \
         due_at_ms, created_at_ms, job_id) VALUES ($1, $2, $3, $4, $5, '', $6, 'pending', 0, 0, $7, $8, $9)";
    let values = [
        id.into(),
        tenant.uuid().into(),
        line.uuid().into(),
        format!("msg_{}", id.simple()).into(),
        event.as_str().into(),
        false.into(),
        write.now.plus_ms(in_ms).ms().into(),
        created_at.ms().into(),
        job.uuid().into(),
    ];
    write.tx.execute_raw(write.statement(sql, values)).await?;
    let sql = "UPDATE webhook_endpoints SET updated_at_ms = $2 WHERE id = $1";
    write.tx.execute_raw(write.statement(sql, [line.uuid().into(), write.now.ms().into()])).await?;
    Ok(())
}

/// Lines at which nothing was told for so long that nothing of them is kept.
pub(super) async fn forget_idle_line(write: &Write, before: Timestamp) -> Result<bool, StoreError> {
    let lock = if write.backend() == DbBackend::Postgres { "FOR UPDATE SKIP LOCKED" } else { "" };
    let sql = format!(
        "SELECT id FROM webhook_endpoints WHERE receiver IS NOT NULL AND deleted_at_ms IS NULL AND updated_at_ms <= $1 \
         ORDER BY updated_at_ms LIMIT 1 {lock}"
    );
    let Some(row) = write.tx.query_one_raw(write.statement(&sql, [before.ms().into()])).await? else { return Ok(false) };
    let id: Uuid = row.try_get_by_index(0)?;
    let sql = "UPDATE webhook_endpoints SET deleted_at_ms = $2, next_at_ms = NULL WHERE id = $1";
    write.tx.execute_raw(write.statement(sql, [id.into(), write.now.ms().into()])).await?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TempDatabase;

    #[tokio::test]
    async fn jobs_that_tell_are_found_from_those_that_run() {
        let database = TempDatabase::sqlite();
        let store = database.open().await.unwrap();
        let plan =
            Statement::from_sql_and_values(DbBackend::Sqlite, format!("EXPLAIN QUERY PLAN {FOLLOWED}"), [1_i64.into(), 2_i64.into()]);
        let rows = store.db.query_all_raw(plan).await.unwrap();
        let steps: Vec<String> = rows.iter().map(|row| row.try_get("", "detail").unwrap()).collect();
        assert!(steps.len() == 4 && steps[0].contains("jobs USING INDEX jobs_by_holder"), "{steps:?}");
        assert!(steps[1].contains("SEARCH job_callbacks") && steps[1].contains("(job_id=?)"), "{steps:?}");
        assert!(steps[2].contains("CORRELATED") && steps[3].contains("INDEX webhook_deliveries_by_job (job_id=?)"), "{steps:?}");
    }
}
