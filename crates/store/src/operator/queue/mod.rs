//! The queue as its operator sees it: what waits, for how long and whose it is. No text of a job is read.
//!
//! Each question looks at no more than [`COUNTED_MAX`] jobs, or some more, along an index; ask seldom all the same.

mod acts;
mod aside;
mod lines;
mod pauses;

pub use acts::ActOfOperator;
pub use lines::LineWaiting;
pub(crate) use pauses::{KeptPauses, forget_tenant as forget_pauses};

use super::{Operator, load::COUNTED_MAX};
use crate::{
    StoreError, billing,
    entity::{job as table, tenant},
};
use domain::{JobId, TenantId, Timestamp, VideoTime, billing::Lane};
use sea_orm::{ColumnTrait, ConnectionTrait, DbBackend, EntityTrait, FromQueryResult, QueryFilter, QuerySelect, Statement, Value};
use std::collections::HashMap;
use uuid::Uuid;

/// Of the jobs that were made lately so many are looked at, the newest.
const MADE_MAX: u64 = 20_000;
/// Tenants asked for by their ids at once.
const TENANTS_AT_ONCE: usize = 500;
/// Those in quarantine that are listed, the latest first.
pub const QUARANTINED_LISTED: u64 = 200;

/// What a tenant has outside of the queue, by the limits of its plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ThrottledWork {
    pub tenant: TenantId,
    pub jobs: u64,
    pub billed: VideoTime,
    /// When the oldest was submitted.
    pub since: Timestamp,
}

/// A job, without what it was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueuedRow {
    pub id: JobId,
    pub tenant: TenantId,
    pub model: String,
    pub lane: Lane,
    /// As it is stored.
    pub state: String,
    pub billed: VideoTime,
    pub created_at: Timestamp,
    /// Of a job in quarantine.
    pub quarantine: Option<(Timestamp, String)>,
}

/// A tenant, and what its plan weighs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WeighedTenant {
    pub name: String,
    /// 1, where its plan cannot be read.
    pub weight: u32,
}

#[derive(FromQueryResult)]
struct ThrottledRow {
    tenant_id: Uuid,
    jobs: i64,
    billed_ms: i64,
    since_ms: i64,
}

#[derive(FromQueryResult)]
struct HadRow {
    tenant_id: Uuid,
    work_ms: i64,
}

#[derive(FromQueryResult)]
struct JobRow {
    id: Uuid,
    tenant_id: Uuid,
    model: String,
    lane: Option<String>,
    state: String,
    billed_ms: i64,
    created_at_ms: i64,
    quarantined_since_ms: Option<i64>,
    quarantine_reason: Option<String>,
}

/// Along the index `jobs_throttled`.
fn throttled() -> String {
    format!(
        "SELECT tenant_id, COUNT(*) AS jobs, CAST(SUM(billed_ms) AS BIGINT) AS billed_ms, MIN(created_at_ms) AS since_ms \
         FROM (SELECT tenant_id, created_at_ms, billed_ms FROM jobs WHERE state = 'throttled' LIMIT {COUNTED_MAX}) AS counted GROUP BY tenant_id"
    )
}

/// Along the index `jobs_by_state_and_end`. `$1`: since when.
fn had() -> String {
    let running = |state: &str| {
        format!(
            "SELECT * FROM (SELECT tenant_id, COALESCE(work_ms, billed_ms) AS work_ms FROM jobs WHERE state = '{state}' LIMIT {MADE_MAX}) AS {state}"
        )
    };
    format!(
        "SELECT tenant_id, CAST(SUM(work_ms) AS BIGINT) AS work_ms FROM (\
         SELECT * FROM (SELECT tenant_id, COALESCE(work_ms, billed_ms) AS work_ms FROM jobs WHERE state = 'succeeded' AND ended_at_ms >= $1 \
         ORDER BY ended_at_ms DESC LIMIT {MADE_MAX}) AS made UNION ALL {} UNION ALL {}) AS had GROUP BY tenant_id",
        running("sampling"),
        running("decoding")
    )
}

const JOB: &str = "id, tenant_id, model, lane, state, billed_ms, created_at_ms, quarantined_since_ms, quarantine_reason";

/// Ids sort by age. The index `jobs_by_line` is walked alone; then `$2` rows are read. `$1`: the job before.
fn longest_waiting(backend: DbBackend) -> String {
    // Along the ids one would pass all jobs that there ever were before the first that waits.
    let by_age = if backend == DbBackend::Sqlite { "+id" } else { "COALESCE(id, id)" };
    format!(
        "SELECT {JOB} FROM jobs WHERE id IN \
         (SELECT id FROM jobs WHERE waits_for IS NOT NULL AND {by_age} > $1 ORDER BY {by_age} LIMIT $2) ORDER BY id"
    )
}

fn quarantined() -> String {
    format!(
        "SELECT {JOB} FROM jobs WHERE quarantined_since_ms IS NOT NULL ORDER BY quarantined_since_ms DESC, id DESC LIMIT {QUARANTINED_LISTED}"
    )
}

impl Operator<'_> {
    /// Lays the jobs of tenants that are paused aside, and brings back those of tenants that are not any more; returns how many they were. Any
    /// process may run it, any number at once.
    pub async fn follow_pauses(self) -> Result<u64, StoreError> {
        aside::follow_pauses(self.store).await
    }

    /// What is kept outside of the queue by the limits of plans.
    pub async fn throttled_by_tenant(self) -> Result<Vec<ThrottledWork>, StoreError> {
        let work = |row: ThrottledRow| ThrottledWork {
            tenant: TenantId::from_uuid(row.tenant_id),
            jobs: row.jobs.unsigned_abs(),
            billed: time(row.billed_ms),
            since: Timestamp::from_ms(row.since_ms),
        };
        Ok(self.rows(throttled(), vec![]).await?.into_iter().map(work).collect())
    }

    /// The work of each tenant that was made since then or is being made, as shares of the queue count it.
    pub async fn work_had(self, since: Timestamp) -> Result<HashMap<TenantId, VideoTime>, StoreError> {
        let rows: Vec<HadRow> = self.rows(had(), vec![since.ms().into()]).await?;
        Ok(rows.into_iter().map(|row| (TenantId::from_uuid(row.tenant_id), time(row.work_ms))).collect())
    }

    /// The jobs that have waited longest, those that were submitted after `after`.
    pub async fn longest_waiting(self, after: Option<JobId>, limit: u64) -> Result<Vec<QueuedRow>, StoreError> {
        let after = after.map_or(Uuid::nil(), JobId::uuid);
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        Ok(self
            .rows(longest_waiting(self.store.db.get_database_backend()), vec![after.into(), limit.into()])
            .await?
            .into_iter()
            .filter_map(job)
            .collect())
    }

    /// The jobs that were put into quarantine first.
    pub async fn in_quarantine(self) -> Result<Vec<QueuedRow>, StoreError> {
        Ok(self.rows(quarantined(), vec![]).await?.into_iter().filter_map(job).collect())
    }

    /// Those of these tenants that are there.
    pub async fn weighed(self, ids: &[TenantId]) -> Result<HashMap<TenantId, WeighedTenant>, StoreError> {
        let (db, mut weights, mut weighed) = (&self.store.db, HashMap::new(), HashMap::new());
        for some in ids.chunks(TENANTS_AT_ONCE) {
            let rows: Vec<(Uuid, String, String)> = tenant::Entity::find()
                .select_only()
                .columns([tenant::Column::Id, tenant::Column::Name, tenant::Column::Plan])
                .filter(tenant::Column::Id.is_in(some.iter().map(|id| id.uuid())))
                .into_tuple()
                .all(db)
                .await?;
            for (id, name, plan) in rows {
                if !weights.contains_key(&plan) {
                    weights.insert(plan.clone(), billing::current_plan(db, &plan).await.map_or(1, |plan| plan.weight));
                }
                let weight = weights.get(&plan).copied().unwrap_or(1);
                weighed.insert(TenantId::from_uuid(id), WeighedTenant { name, weight });
            }
        }
        Ok(weighed)
    }

    /// Whose job that is, unless they have deleted it.
    pub async fn tenant_of(self, job: JobId) -> Result<Option<TenantId>, StoreError> {
        let row = table::Entity::find_by_id(job.uuid()).filter(table::Column::DeletedAtMs.is_null());
        let tenant: Option<Uuid> = row.select_only().column(table::Column::TenantId).into_tuple().one(&self.store.db).await?;
        Ok(tenant.map(TenantId::from_uuid))
    }

    /// Those that can be read.
    async fn rows<T: FromQueryResult>(self, sql: String, values: Vec<Value>) -> Result<Vec<T>, StoreError> {
        let db = &self.store.db;
        let rows = db.query_all_raw(Statement::from_sql_and_values(db.get_database_backend(), sql, values)).await?;
        Ok(rows.iter().filter_map(|row| T::from_query_result(row, "").ok()).collect())
    }
}

/// `None`: one of a newer version.
fn job(row: JobRow) -> Option<QueuedRow> {
    Some(QueuedRow {
        id: JobId::from_uuid(row.id),
        tenant: TenantId::from_uuid(row.tenant_id),
        model: row.model,
        lane: lane(row.lane.as_deref())?,
        state: row.state,
        billed: time(row.billed_ms),
        created_at: Timestamp::from_ms(row.created_at_ms),
        quarantine: row.quarantined_since_ms.map(|ms| (Timestamp::from_ms(ms), row.quarantine_reason.unwrap_or_default())),
    })
}

fn lane(stored: Option<&str>) -> Option<Lane> {
    stored.map_or(Some(Lane::Interactive), Lane::named)
}

fn time(ms: i64) -> VideoTime {
    VideoTime::from_ms(u64::try_from(ms).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Engine, TempDatabase};

    /// A tenant with many jobs that have ended, and some that wait since then.
    const ROWS: &str = "\
        INSERT INTO tenants (id, name, created_at_ms) VALUES (CAST(lpad('', 32, '0') AS UUID), 'a', 0); \
        INSERT INTO users (id, email, password_hash, is_operator, created_at_ms) VALUES (CAST(lpad('', 32, '0') AS UUID), 'a', '', FALSE, 0); \
        INSERT INTO jobs (id, tenant_id, user_id, model, prompt, width, height, duration_ms, steps, guidance, seed, billed_ms, state, waits_for, \
        epoch, attempts, suspect, not_before_ms, revision, step, created_at_ms, ended_at_ms) \
        SELECT CAST(lpad(to_hex(n), 32, '0') AS UUID), CAST(lpad('', 32, '0') AS UUID), CAST(lpad('', 32, '0') AS UUID), 'm', 'cat', 96, 96, 2000, 8, \
        1, 1, 2000, CASE WHEN n > 20000 THEN 'ready' ELSE 'succeeded' END, CASE WHEN n > 20000 THEN 'sampling' END, 0, 0, FALSE, 0, 1, 0, n, \
        CASE WHEN n > 20000 THEN NULL ELSE n END FROM generate_series(1, 21000) AS numbers(n); \
        ANALYZE jobs; SET LOCAL enable_seqscan = off";

    #[tokio::test]
    async fn postgresql_passes_no_job_that_has_ended_on_its_way_to_those_that_have_waited_longest() {
        let Some(database) = TempDatabase::new(Engine::Postgres).await else { return };
        let store = database.open().await.unwrap();
        let write = store.write().await.unwrap();
        write.tx.execute_unprepared(ROWS).await.unwrap();
        let sql = format!("EXPLAIN {}", longest_waiting(DbBackend::Postgres));
        let plan = write.tx.query_all_raw(write.statement(&sql, [Uuid::nil().into(), 26_i64.into()])).await.unwrap();
        let steps: Vec<String> = plan.iter().map(|row| row.try_get("", "QUERY PLAN").unwrap()).collect();
        assert!(steps.iter().any(|step| step.contains("jobs_by_line") || step.contains("jobs_waiting_by_user")), "{steps:?}");
    }

    #[tokio::test]
    async fn nothing_is_looked_at_but_along_an_index() {
        let database = TempDatabase::sqlite();
        let store = database.open().await.unwrap();
        for (sql, index) in [
            (throttled(), "jobs_throttled"),
            (had().replace("$1", "5"), "jobs_by_state_and_end"),
            (quarantined(), "jobs_in_quarantine"),
            (longest_waiting(DbBackend::Sqlite).replace("$1", "x''").replace("$2", "5"), "COVERING INDEX jobs_by_line"),
        ] {
            let explained = Statement::from_string(DbBackend::Sqlite, format!("EXPLAIN QUERY PLAN {sql}"));
            let plan = store.db.query_all_raw(explained).await.unwrap();
            let steps: Vec<String> = plan.iter().map(|row| row.try_get("", "detail").unwrap()).collect();
            let of_jobs: Vec<_> = steps.iter().filter(|step| step.contains(" jobs ") || step.ends_with(" jobs")).collect();
            assert!(of_jobs.iter().any(|step| step.contains(index)), "{sql}: {steps:?}");
            assert!(of_jobs.iter().all(|step| step.contains("INDEX")), "{sql}: {steps:?}");
        }
    }
}
