//! What came to be made since some moment, and what it took of devices; and how long jobs waited that were made since then.
//!
//! Jobs that have succeeded and those that are open: each question walks the index `jobs_by_state_and_end`, and reads a limited number of
//! jobs of each state.

use super::Operator;
use crate::{StoreError, entity::unsigned, rows::jobs};
use domain::{Timestamp, VideoTime, billing::Lane};
use sea_orm::{ConnectionTrait, FromQueryResult, Statement, Value};
use std::collections::BTreeMap;

/// Jobs of one state beyond this many are not looked at.
pub const DEMAND_READ_MAX: u64 = 10_000;

/// The states of jobs that have not ended.
const OPEN: [&str; 7] = ["throttled", "ready", "retry_sampling", "sampling", "sampled", "retry_decoding", "decoding"];

/// The jobs of a model in a lane.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelDemand {
    pub model: String,
    pub lane: Lane,
    pub jobs: u64,
    pub billed: VideoTime,
    /// Of those of which it is known what they took, by the kind of device that sampled them.
    pub measured: BTreeMap<String, MeasuredDemand>,
}

#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct MeasuredDemand {
    pub jobs: u64,
    pub billed: VideoTime,
    /// What each stage took of devices.
    pub sampling_ms: u64,
    pub decoding_ms: u64,
    /// The squares of what each job took, added up, in square milliseconds.
    pub squares: f64,
}

/// What came in some time.
#[derive(Debug, Clone, PartialEq)]
pub struct Demand {
    /// Later than what was asked for where there were more jobs than are looked at.
    pub since: Timestamp,
    pub until: Timestamp,
    pub models: Vec<ModelDemand>,
    /// Tenants of which batch jobs came.
    pub batch_tenants: u64,
}

/// How long the newest jobs waited before a worker began them, by the nearest rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Waited {
    pub jobs: u64,
    pub p50_ms: u64,
    pub p95_ms: u64,
}

#[derive(FromQueryResult)]
struct DemandRow {
    model: String,
    lane: String,
    device: String,
    jobs: i64,
    billed_ms: i64,
    measured_jobs: i64,
    measured_billed_ms: i64,
    sampling_ms: i64,
    decoding_ms: i64,
    squares: f64,
}

/// How many have ended since then that are looked at, and when the first of them did.
fn ended() -> String {
    format!(
        "SELECT COUNT(*), MIN(ended_at_ms) FROM (SELECT ended_at_ms FROM jobs WHERE state = 'succeeded' AND ended_at_ms >= $1 \
         ORDER BY ended_at_ms DESC LIMIT {DEMAND_READ_MAX}) AS ended"
    )
}

/// What is open is asked for in the order of the whole index: for PostgreSQL those of which the end is not known stand in no order by the next column
/// alone, and all of them would be read and sorted.
fn came() -> String {
    const OF_JOB: &str = "tenant_id, model, lane, device, billed_ms, sampling_device_ms, decoding_device_ms, created_at_ms";
    let of = |state: &str, more: &str| {
        format!("SELECT * FROM (SELECT {OF_JOB} FROM jobs WHERE state = '{state}'{more} LIMIT {DEMAND_READ_MAX}) AS of_{state}")
    };
    let open =
        OPEN.map(|state| of(state, " AND ended_at_ms IS NULL AND created_at_ms >= $1 ORDER BY ended_at_ms DESC, created_at_ms DESC"));
    let ended = of("succeeded", " AND ended_at_ms >= $1 ORDER BY ended_at_ms DESC");
    format!("SELECT * FROM ({ended} UNION ALL {}) AS looked_at WHERE created_at_ms >= $1", open.join(" UNION ALL "))
}

/// What passed would not do: a job that shares its device with others takes longer, and no more of it.
fn by_model() -> String {
    // A worker that tells of only one stage has done only that one.
    const TOOK: &str = "COALESCE(sampling_device_ms, 0) + COALESCE(decoding_device_ms, 0)";
    let is_measured = "sampling_device_ms IS NOT NULL AND decoding_device_ms IS NOT NULL";
    let sum = |what: &str| format!("CAST(COALESCE(SUM(CASE WHEN {is_measured} THEN {what} ELSE 0 END), 0) AS BIGINT)");
    format!(
        "SELECT model, COALESCE(lane, 'interactive') AS lane, COALESCE(device, '') AS device, COUNT(*) AS jobs, CAST(SUM(billed_ms) AS BIGINT) AS billed_ms, \
         {} AS measured_jobs, {} AS measured_billed_ms, {} AS sampling_ms, {} AS decoding_ms, \
         COALESCE(SUM(CASE WHEN {is_measured} THEN CAST({TOOK} AS DOUBLE PRECISION) * ({TOOK}) ELSE 0.0 END), 0.0) AS squares \
         FROM ({}) AS came GROUP BY model, COALESCE(lane, 'interactive'), COALESCE(device, '') ORDER BY 1, 2",
        sum("1"),
        sum("billed_ms"),
        sum("sampling_device_ms"),
        sum("decoding_device_ms"),
        came()
    )
}

fn batch_tenants() -> String {
    format!("SELECT COUNT(DISTINCT tenant_id) FROM ({}) AS came WHERE lane = 'batch'", came())
}

fn waited() -> String {
    format!(
        "SELECT COUNT(*), MIN(CASE WHEN place * 100 >= all_jobs * 50 THEN waited_ms END), MIN(CASE WHEN place * 100 >= all_jobs * 95 THEN waited_ms END) \
         FROM (SELECT waited_ms, ROW_NUMBER() OVER (ORDER BY waited_ms) AS place, COUNT(*) OVER () AS all_jobs FROM \
         (SELECT COALESCE(started_at_ms, ended_at_ms) - created_at_ms AS waited_ms FROM jobs WHERE state = 'succeeded' AND ended_at_ms >= $1 \
         ORDER BY ended_at_ms DESC LIMIT {DEMAND_READ_MAX}) AS finished) AS placed"
    )
}

impl Operator<'_> {
    /// What came since then and has succeeded or is open, by model and lane.
    pub async fn demand(self, since: Timestamp) -> Result<Demand, StoreError> {
        let until = self.store.now().await?;
        let since = self.looked_at_since(since).await?;
        let rows = DemandRow::find_by_statement(self.from(by_model(), since)).all(&self.store.db).await?;
        let row = self.store.db.query_one_raw(self.from(batch_tenants(), since)).await?;
        let batch_tenants = row.map(|row| row.try_get_by_index::<i64>(0)).transpose()?.unwrap_or_default();
        Ok(Demand { since, until, models: by_line(rows)?, batch_tenants: unsigned(jobs::TABLE, "tenant_id", batch_tenants)? })
    }

    /// How long jobs waited that have succeeded since then; `None`: there are none.
    pub async fn waited(self, since: Timestamp) -> Result<Option<Waited>, StoreError> {
        let Some(row) = self.store.db.query_one_raw(self.from(waited(), since)).await? else { return Ok(None) };
        let ms = |place: usize| -> Result<Option<u64>, StoreError> {
            // A clock that was put back between two moments makes a wait of nothing.
            Ok(row.try_get_by_index::<Option<i64>>(place)?.map(|ms| u64::try_from(ms).unwrap_or(0)))
        };
        let jobs = unsigned(jobs::TABLE, "id", row.try_get_by_index::<i64>(0)?)?;
        Ok(ms(1)?.zip(ms(2)?).map(|(p50_ms, p95_ms)| Waited { jobs, p50_ms, p95_ms }))
    }

    /// From when on all that has ended is looked at.
    async fn looked_at_since(self, since: Timestamp) -> Result<Timestamp, StoreError> {
        let Some(row) = self.store.db.query_one_raw(self.from(ended(), since)).await? else { return Ok(since) };
        let is_full = row.try_get_by_index::<i64>(0)?.unsigned_abs() >= DEMAND_READ_MAX;
        let first = row.try_get_by_index::<Option<i64>>(1)?.filter(|_| is_full);
        Ok(first.map_or(since, Timestamp::from_ms))
    }

    fn from(self, sql: String, since: Timestamp) -> Statement {
        Statement::from_sql_and_values(self.store.db.get_database_backend(), sql, [Value::from(since.ms())])
    }
}

/// Rows of one model and lane stand side by side.
fn by_line(rows: Vec<DemandRow>) -> Result<Vec<ModelDemand>, StoreError> {
    let mut lines: Vec<ModelDemand> = Vec::new();
    for row in rows {
        let of_device = of_row(row)?;
        match lines.last_mut().filter(|line| line.model == of_device.model && line.lane == of_device.lane) {
            Some(line) => {
                line.jobs += of_device.jobs;
                line.billed = line.billed + of_device.billed;
                line.measured.extend(of_device.measured);
            }
            None => lines.push(of_device),
        }
    }
    Ok(lines)
}

fn of_row(row: DemandRow) -> Result<ModelDemand, StoreError> {
    let count = |column, value: i64| unsigned::<u64>(jobs::TABLE, column, value);
    let measured = MeasuredDemand {
        jobs: count("id", row.measured_jobs)?,
        billed: VideoTime::from_ms(count("billed_ms", row.measured_billed_ms)?),
        sampling_ms: count("sampling_ms", row.sampling_ms)?,
        decoding_ms: count("decoding_ms", row.decoding_ms)?,
        squares: row.squares,
    };
    Ok(ModelDemand {
        lane: Lane::named(&row.lane).unwrap_or(Lane::Interactive),
        jobs: count("id", row.jobs)?,
        billed: VideoTime::from_ms(count("billed_ms", row.billed_ms)?),
        measured: (measured.jobs > 0).then_some((row.device, measured)).into_iter().collect(),
        model: row.model,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Engine, TempDatabase};
    use sea_orm::DbBackend;

    #[tokio::test]
    async fn every_question_walks_the_index() {
        let database = TempDatabase::sqlite();
        let store = database.open().await.unwrap();
        for (sql, walks) in [(ended(), 1), (by_model(), 8), (batch_tenants(), 8), (waited(), 1)] {
            let sql = format!("EXPLAIN QUERY PLAN {}", sql.replace("$1", "1"));
            let plan = store.db.query_all_raw(Statement::from_string(DbBackend::Sqlite, sql)).await.unwrap();
            let steps: Vec<String> = plan.iter().map(|row| row.try_get("", "detail").unwrap()).collect();
            let of_jobs: Vec<_> = steps.iter().filter(|step| step.contains(" jobs ")).collect();
            let is_walked = |step: &&&String| step.contains("SEARCH") && step.contains("INDEX jobs_");
            assert!(of_jobs.len() == walks && of_jobs.iter().filter(is_walked).count() == walks, "{steps:#?}");
        }
    }

    #[tokio::test]
    async fn postgresql_sorts_none_of_what_is_open() {
        let Some(database) = TempDatabase::new(Engine::Postgres).await else { return };
        let store = database.open().await.unwrap();
        let write = store.write().await.unwrap();
        // A table without rows is looked at as a whole, and sorted: as one with many is not.
        write.tx.execute_unprepared("SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off").await.unwrap();
        let statement = Statement::from_string(DbBackend::Postgres, format!("EXPLAIN {}", came().replace("$1", "1")));
        let plan = write.tx.query_all_raw(statement).await.unwrap();
        let plan: Vec<String> = plan.iter().map(|row| row.try_get("", "QUERY PLAN").unwrap()).collect();
        assert!(!plan.iter().any(|line| line.contains("Sort")), "{plan:#?}");
    }
}
