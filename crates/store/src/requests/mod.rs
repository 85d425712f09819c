//! Jobs as a log: found by what they are and when they ended, and one of them with all its times.
//!
//! A page looks at a limited number of jobs in their order, along an index, and shows those of them that are wanted: a filter that hardly any job
//! passes costs no more than one that all do, and says how far it has looked.

mod filter;
mod shared;
mod timeline;

pub use filter::{MadeBy, RequestFilter, RequestStatus, Slow};
pub use shared::SharedWith;
pub use timeline::RequestTimes;

use crate::{Store, StoreError, entity::unsigned};
use domain::{ApiKeyId, JobId, TenantId, Timestamp, UserId, VideoTime, billing::Lane};
use sea_orm::{ConnectionTrait, FromQueryResult, QueryResult, Statement, Value};
use uuid::Uuid;

/// Jobs that are looked at for one page.
pub const LOOKED_AT_MAX: u64 = 5000;
/// Of a prompt so many characters are shown.
const PROMPT_CHARS: u32 = 160;

/// Where a page ends: the next goes on behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RequestPlace {
    /// Where the log is in the order of ends.
    pub ended_at: Option<Timestamp>,
    pub job: JobId,
}

/// A job as a line of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestRow {
    pub id: JobId,
    pub tenant: TenantId,
    pub model: String,
    pub lane: Lane,
    /// As it is stored.
    pub state: String,
    pub failure: Option<String>,
    pub device: Option<String>,
    /// `None`: in the browser.
    pub api_key: Option<ApiKeyId>,
    pub user: UserId,
    pub created_at: Timestamp,
    pub started_at: Option<Timestamp>,
    /// How long it waited for a decoder, or for one until it ended. `None`: it has not ended, never waited for one, or that is not known.
    pub decoder_wait_ms: Option<u64>,
    pub ended_at: Option<Timestamp>,
    pub billed: VideoTime,
    pub charged: Option<VideoTime>,
    /// The beginning of its prompt; none in the log of all tenants.
    pub prompt: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RequestPage {
    pub rows: Vec<RequestRow>,
    /// Behind what there may be more.
    pub next: Option<RequestPlace>,
}

/// The door to the log of a tenant, or of all.
#[derive(Clone, Copy)]
pub struct Requests<'a> {
    store: &'a Store,
    tenant: Option<TenantId>,
}

#[derive(FromQueryResult)]
struct Row {
    id: Uuid,
    tenant_id: Uuid,
    model: String,
    lane: Option<String>,
    state: String,
    failure_code: Option<String>,
    device: Option<String>,
    api_key_id: Option<Uuid>,
    user_id: Uuid,
    created_at_ms: i64,
    started_at_ms: Option<i64>,
    decoder_wait_ms: Option<i64>,
    ended_at_ms: Option<i64>,
    billed_ms: i64,
    charged_ms: Option<i64>,
    prompt: String,
}

/// A statement that is being put together.
struct Asked {
    sql: String,
    values: Vec<Value>,
}

impl Asked {
    fn value(&mut self, value: impl Into<Value>) -> String {
        self.values.push(value.into());
        format!("${}", self.values.len())
    }
}

impl<'a> Requests<'a> {
    pub(crate) const fn new(store: &'a Store, tenant: Option<TenantId>) -> Self {
        Self { store, tenant }
    }

    /// The newest first, at most `limit` behind `after`. Rows that cannot be read are left out.
    pub async fn page(self, filter: &RequestFilter, after: Option<RequestPlace>, limit: u64) -> Result<RequestPage, StoreError> {
        let Asked { sql, values } = self.select(filter, after, limit);
        let db = self.tenant.map_or_else(|| self.store.db.clone(), |tenant| self.store.of(tenant));
        let backend = db.get_database_backend();
        let rows = db.query_all_raw(Statement::from_sql_and_values(backend, sql, values)).await?;
        let has_more = rows.len() as u64 > limit;
        let shown: Vec<_> = rows.iter().take(usize::try_from(limit).unwrap_or(usize::MAX)).collect();
        let rows = shown.iter().filter_map(|row| read(Row::from_query_result(row, "").ok()?).ok()).collect();
        if has_more {
            // Also where that one is left out.
            let next = shown.last().map(|last| place(filter, last)).transpose()?;
            return Ok(RequestPage { rows, next });
        }
        let Asked { sql, values } = self.looked_at(filter, after);
        let last = db.query_one_raw(Statement::from_sql_and_values(backend, sql, values)).await?;
        let next = last.map(|last| place(filter, &last)).transpose()?;
        Ok(RequestPage { rows, next })
    }

    /// The jobs that are looked at, and of these the wanted ones.
    fn select(self, filter: &RequestFilter, after: Option<RequestPlace>, limit: u64) -> Asked {
        let mut asked = Asked { sql: String::new(), values: Vec::new() };
        let within = self.within(&mut asked, filter, after);
        let order = order(filter);
        let wanted = filter.wanted(self.store.db.get_database_backend(), &mut |value| asked.value(value));
        // What somebody wrote is shown to them alone.
        let prompt = if self.tenant.is_some() { format!("substr(prompt, 1, {PROMPT_CHARS})") } else { "''".to_owned() };
        asked.sql = format!(
            "SELECT id, tenant_id, model, lane, state, failure_code, device, api_key_id, user_id, created_at_ms, started_at_ms, ended_at_ms, \
             {} AS decoder_wait_ms, billed_ms, charged_ms, {prompt} AS prompt \
             FROM (SELECT * FROM jobs WHERE {within} ORDER BY {order} LIMIT {LOOKED_AT_MAX}) AS looked_at \
             WHERE {wanted} ORDER BY {order} LIMIT {}",
            filter::waited_for_decoder(),
            limit.saturating_add(1)
        );
        asked
    }

    /// The last of those that are looked at, where there are as many as may be.
    fn looked_at(self, filter: &RequestFilter, after: Option<RequestPlace>) -> Asked {
        let mut asked = Asked { sql: String::new(), values: Vec::new() };
        let within = self.within(&mut asked, filter, after);
        asked.sql =
            format!("SELECT id, ended_at_ms FROM jobs WHERE {within} ORDER BY {} LIMIT 1 OFFSET {}", order(filter), LOOKED_AT_MAX - 1);
        asked
    }

    fn within(self, asked: &mut Asked, filter: &RequestFilter, after: Option<RequestPlace>) -> String {
        // Kept off indexes on SQLite; and PostgreSQL knows of it that it is so of nearly all, so that it does not sort all of them.
        let mut within = "(deleted_at_ms IS NULL) = TRUE".to_owned();
        if let Some(tenant) = self.tenant.or(filter.tenant) {
            within += &format!(" AND tenant_id = {}", asked.value(tenant.uuid()));
        }
        if let Some((from, until)) = filter.ended {
            within += &format!(" AND ended_at_ms >= {} AND ended_at_ms < {}", asked.value(from.ms()), asked.value(until.ms()));
        }
        match after {
            Some(RequestPlace { ended_at: Some(ended_at), job }) if filter.ended.is_some() => {
                within += &format!(" AND (ended_at_ms, id) < ({}, {})", asked.value(ended_at.ms()), asked.value(job.uuid()));
            }
            Some(RequestPlace { job, .. }) => within += &format!(" AND id < {}", asked.value(job.uuid())),
            None => {}
        }
        within
    }
}

/// By their ends where these are asked for, else by when they came.
const fn order(filter: &RequestFilter) -> &'static str {
    if filter.ended.is_some() { "ended_at_ms DESC, id DESC" } else { "id DESC" }
}

/// Of a row, whatever else it says.
fn place(filter: &RequestFilter, row: &QueryResult) -> Result<RequestPlace, StoreError> {
    let ended_at = row.try_get::<Option<i64>>("", "ended_at_ms")?.map(Timestamp::from_ms);
    Ok(RequestPlace { ended_at: ended_at.filter(|_| filter.ended.is_some()), job: JobId::from_uuid(row.try_get("", "id")?) })
}

fn read(row: Row) -> Result<RequestRow, StoreError> {
    let time = |column, ms: i64| unsigned("jobs", column, ms).map(VideoTime::from_ms);
    Ok(RequestRow {
        id: JobId::from_uuid(row.id),
        tenant: TenantId::from_uuid(row.tenant_id),
        model: row.model,
        lane: row.lane.as_deref().and_then(Lane::named).unwrap_or(Lane::Interactive),
        state: row.state,
        failure: row.failure_code,
        device: row.device,
        api_key: row.api_key_id.map(ApiKeyId::from_uuid),
        user: UserId::from_uuid(row.user_id),
        created_at: Timestamp::from_ms(row.created_at_ms),
        started_at: row.started_at_ms.map(Timestamp::from_ms),
        decoder_wait_ms: row.decoder_wait_ms.and_then(|ms| u64::try_from(ms).ok()),
        ended_at: row.ended_at_ms.map(Timestamp::from_ms),
        billed: time("billed_ms", row.billed_ms)?,
        charged: row.charged_ms.map(|ms| time("charged_ms", ms)).transpose()?,
        prompt: row.prompt,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Engine, TempDatabase};
    use sea_orm::DbBackend;

    const NIL: &str = "'00000000-0000-0000-0000-000000000000'";

    #[tokio::test]
    async fn a_page_looks_at_jobs_along_an_index_and_in_its_order() {
        let database = TempDatabase::sqlite();
        let store = database.open().await.unwrap();
        let (tenant, at) = (Some(TenantId::from_uuid(Uuid::nil())), Timestamp::from_ms(1));
        let after = Some(RequestPlace { ended_at: Some(at), job: JobId::from_uuid(Uuid::nil()) });
        let newest = RequestFilter { text: Some("cat".into()), model: Some("m".into()), ..RequestFilter::default() };
        let ended = RequestFilter { ended: Some((at, at)), ..RequestFilter::default() };
        for (of, filter, index) in [
            (tenant, &newest, "INDEX jobs_by_tenant (tenant_id=? AND id<?)"),
            (tenant, &ended, "INDEX jobs_open_by_tenant (tenant_id=? AND ended_at_ms>"),
            (None, &ended, "INDEX jobs_by_end ("),
            (None, &newest, "(id<?)"),
        ] {
            let requests = Requests::new(&store, of);
            for Asked { sql, values } in [requests.select(filter, after, 50), requests.looked_at(filter, after)] {
                let statement = Statement::from_sql_and_values(DbBackend::Sqlite, format!("EXPLAIN QUERY PLAN {sql}"), values);
                let plan = store.db.query_all_raw(statement).await.unwrap();
                let steps: Vec<String> = plan.iter().map(|row| row.try_get("", "detail").unwrap()).collect();
                assert!(steps.iter().any(|step| step.contains("SEARCH jobs") && step.contains(index)), "{index}: {steps:?}");
                assert!(!steps.iter().any(|step| step.contains("SCAN jobs")), "{steps:?}");
            }
        }
    }

    /// A tenant, and four times as many jobs as are looked at.
    fn rows() -> [String; 4] {
        let jobs = 4 * LOOKED_AT_MAX;
        [
            format!("INSERT INTO tenants (id, name, created_at_ms) VALUES ({NIL}, 'a', 0)"),
            format!("INSERT INTO users (id, email, password_hash, is_operator, created_at_ms) VALUES ({NIL}, 'a', '', FALSE, 0)"),
            format!(
                "INSERT INTO jobs (id, tenant_id, user_id, model, prompt, width, height, duration_ms, steps, guidance, seed, billed_ms, state, epoch, \
                 attempts, suspect, not_before_ms, revision, step, created_at_ms, ended_at_ms) SELECT CAST(lpad(to_hex(n), 32, '0') AS UUID), {NIL}, \
                 {NIL}, 'm', 'cat', 96, 96, 2000, 8, 1, 1, 2000, 'succeeded', 1, 1, FALSE, 0, 1, 8, n, n FROM generate_series(1, {jobs}) AS numbers(n)"
            ),
            "ANALYZE jobs".to_owned(),
        ]
    }

    #[tokio::test]
    async fn postgresql_looks_along_an_index_too_whatever_is_wanted() {
        let Some(database) = TempDatabase::new(Engine::Postgres).await else { return };
        let store = database.open().await.unwrap();
        let write = store.write().await.unwrap();
        for sql in rows() {
            write.tx.execute_unprepared(&sql).await.unwrap();
        }
        let ended = Some((Timestamp::from_ms(1), Timestamp::from_ms(30_000)));
        let newest = RequestFilter { status: Some(RequestStatus::Failed), ..RequestFilter::default() };
        for (of, filter) in [None, Some(TenantId::from_uuid(Uuid::nil()))].into_iter().flat_map(|of| [(of, None), (of, ended)]) {
            let (requests, filter) = (Requests::new(&store, of), RequestFilter { ended: filter, ..newest.clone() });
            for Asked { sql, values } in [requests.select(&filter, None, 50), requests.looked_at(&filter, None)] {
                let statement = Statement::from_sql_and_values(DbBackend::Postgres, format!("EXPLAIN {sql}"), values);
                let plan = write.tx.query_all_raw(statement).await.unwrap();
                let steps: Vec<String> = plan.iter().map(|row| row.try_get("", "QUERY PLAN").unwrap()).collect();
                assert!(steps.iter().any(|step| step.contains("Index Scan Backward")), "{steps:?}");
                assert!(!steps.iter().any(|step| step.contains("Seq Scan")), "{steps:?}");
            }
        }
    }
}
