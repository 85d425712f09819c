//! The jobs that have ended since some moment: how many an hour, how long they took, and why they failed.
//!
//! Each question walks the index `jobs_by_state_and_end` from its newest end, and reads a limited number of jobs.

use crate::{Store, StoreError, entity::unsigned, rows::jobs};
use domain::{FailureCode, JobId, TenantId, Timestamp, VideoTime, job::FailedAttempt};
use sea_orm::{ConnectionTrait, FromQueryResult, QueryResult, Statement, Value};
use uuid::Uuid;

/// The newest jobs of which latencies and reasons are told.
pub const ENDED_READ_MAX: u64 = 10_000;
/// The newest jobs that are counted by hour.
pub const HOURLY_READ_MAX: u64 = 100_000;
/// Failed jobs that are shown one by one.
const NEWEST_FAILED: u64 = 10;
/// Jobs that are to be tried again and are looked at for what failed.
const RETRIED_READ: u64 = 20;
/// Failed attempts that are shown.
const ATTEMPTS_SHOWN: usize = 30;
const HOUR_MS: i64 = 60 * 60 * 1000;

/// Where one class of latencies ends and the next begins; the last has no end.
pub const LATENCY_BOUNDS_MS: [u64; 10] = [1000, 2000, 5000, 10_000, 30_000, 60_000, 120_000, 300_000, 600_000, 1_800_000];

/// Parts of a thousand: of the jobs, so many took at most so long.
const PERMILLES: [u64; 4] = [500, 900, 990, 999];

/// How a job ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ending {
    Succeeded,
    Failed,
}

impl Ending {
    const fn state(self) -> &'static str {
        match self {
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
        }
    }
}

/// What ended within one hour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hour {
    pub start: Timestamp,
    pub jobs: u64,
    pub billed: VideoTime,
}

/// By the nearest rank: each is the time of one of the jobs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Percentiles {
    pub p50_ms: u64,
    pub p90_ms: u64,
    pub p99_ms: u64,
    pub p999_ms: u64,
}

/// How long the newest jobs took that succeeded; at most [`ENDED_READ_MAX`] of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Latency {
    pub jobs: u64,
    /// From being submitted to being done.
    pub total: Percentiles,
    /// From being submitted to the first work of a worker.
    pub waiting: Percentiles,
    /// How many took up to each of [`LATENCY_BOUNDS_MS`] and longer than the one before; last those that took longer than all.
    pub by_total: Vec<u64>,
}

/// Why the newest jobs failed; at most [`ENDED_READ_MAX`] of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failures {
    pub jobs: u64,
    /// The most frequent first. `None`: a reason that this version does not know.
    pub reasons: Vec<(Option<FailureCode>, u64)>,
    /// The newest first.
    pub newest: Vec<FailedJob>,
    /// Of those, and of jobs that are to be tried again: what failed, the newest first.
    pub attempts: Vec<(JobId, FailedAttempt)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailedJob {
    pub job: JobId,
    pub tenant: TenantId,
    pub tenant_name: String,
    pub reason: Option<FailureCode>,
    pub ended_at: Timestamp,
}

#[derive(FromQueryResult)]
struct HourRow {
    hour_number: i64,
    jobs: i64,
    billed_ms: i64,
}

fn hourly(ending: Ending) -> String {
    format!(
        "SELECT hour_number, COUNT(*) AS jobs, CAST(SUM(billed_ms) AS BIGINT) AS billed_ms FROM \
         (SELECT (ended_at_ms - $1) / {HOUR_MS} AS hour_number, billed_ms FROM jobs \
         WHERE state = '{}' AND ended_at_ms >= $1 ORDER BY ended_at_ms DESC LIMIT {HOURLY_READ_MAX}) AS ended GROUP BY hour_number",
        ending.state()
    )
}

/// Each of so many hours from `first` on, also those in which nothing ended.
pub(super) async fn by_hour(store: &Store, ending: Ending, first: Timestamp, hours: u16) -> Result<Vec<Hour>, StoreError> {
    let rows = HourRow::find_by_statement(since(store, hourly(ending), first)).all(&store.db).await?;
    let empty = |number: u16| Hour { start: first.plus_ms(i64::from(number) * HOUR_MS), jobs: 0, billed: VideoTime::default() };
    let mut found: Vec<_> = (0..hours).map(empty).collect();
    for row in rows {
        if let Some(hour) = usize::try_from(row.hour_number).ok().and_then(|number| found.get_mut(number)) {
            hour.jobs = unsigned(jobs::TABLE, "id", row.jobs)?;
            hour.billed = VideoTime::from_ms(unsigned(jobs::TABLE, "billed_ms", row.billed_ms)?);
        }
    }
    Ok(found)
}

/// The times of the newest jobs that succeeded.
fn finished() -> String {
    format!(
        "SELECT ended_at_ms - created_at_ms AS total_ms, COALESCE(started_at_ms, ended_at_ms) - created_at_ms AS waiting_ms \
         FROM jobs WHERE state = 'succeeded' AND ended_at_ms > $1 ORDER BY ended_at_ms DESC LIMIT {ENDED_READ_MAX}"
    )
}

/// How many jobs there are, the percentiles of their whole time, and those of their waiting.
fn percentiles() -> String {
    let of = |what: &str| {
        PERMILLES.map(|permille| format!("MIN(CASE WHEN {what}_place * 1000 >= all_jobs * {permille} THEN {what}_ms END)")).join(", ")
    };
    format!(
        "SELECT COUNT(*), {}, {} FROM (SELECT total_ms, waiting_ms, ROW_NUMBER() OVER (ORDER BY total_ms) AS total_place, \
         ROW_NUMBER() OVER (ORDER BY waiting_ms) AS waiting_place, COUNT(*) OVER () AS all_jobs FROM ({}) AS finished) AS placed",
        of("total"),
        of("waiting"),
        finished()
    )
}

fn classes() -> String {
    let bounds = LATENCY_BOUNDS_MS.iter().enumerate().map(|(class, bound)| format!("WHEN total_ms <= {bound} THEN {class}"));
    format!(
        "SELECT CAST(class AS BIGINT), COUNT(*) FROM (SELECT CASE {} ELSE {} END AS class FROM ({}) AS finished) AS classed GROUP BY class",
        bounds.collect::<Vec<_>>().join(" "),
        LATENCY_BOUNDS_MS.len(),
        finished()
    )
}

/// `None`: no job succeeded.
pub(super) async fn latency(store: &Store, after: Timestamp) -> Result<Option<Latency>, StoreError> {
    let Some(row) = store.db.query_one_raw(since(store, percentiles(), after)).await? else { return Ok(None) };
    let jobs = unsigned(jobs::TABLE, "id", row.try_get_by_index::<i64>(0)?)?;
    let (total, waiting) = (percentiles_from(&row, 1)?, percentiles_from(&row, 1 + PERMILLES.len())?);
    let Some((total, waiting)) = total.zip(waiting) else { return Ok(None) };
    let mut by_total = vec![0_u64; LATENCY_BOUNDS_MS.len() + 1];
    for row in store.db.query_all_raw(since(store, classes(), after)).await? {
        let class: i64 = row.try_get_by_index(0)?;
        if let Some(count) = usize::try_from(class).ok().and_then(|class| by_total.get_mut(class)) {
            *count = unsigned(jobs::TABLE, "id", row.try_get_by_index::<i64>(1)?)?;
        }
    }
    Ok(Some(Latency { jobs, total, waiting, by_total }))
}

/// A clock that was put back between two moments makes a time of nothing.
fn percentiles_from(row: &QueryResult, first: usize) -> Result<Option<Percentiles>, StoreError> {
    let ms = |place: usize| -> Result<Option<u64>, StoreError> {
        Ok(row.try_get_by_index::<Option<i64>>(first + place)?.map(|ms| u64::try_from(ms).unwrap_or(0)))
    };
    Ok(match (ms(0)?, ms(1)?, ms(2)?, ms(3)?) {
        (Some(p50_ms), Some(p90_ms), Some(p99_ms), Some(p999_ms)) => Some(Percentiles { p50_ms, p90_ms, p99_ms, p999_ms }),
        _ => None,
    })
}

#[derive(FromQueryResult)]
struct ReasonRow {
    failure_code: Option<String>,
    jobs: i64,
}

fn reasons() -> String {
    format!(
        "SELECT failure_code, COUNT(*) AS jobs FROM (SELECT failure_code FROM jobs WHERE state = 'failed' AND ended_at_ms > $1 \
         ORDER BY ended_at_ms DESC LIMIT {ENDED_READ_MAX}) AS failed GROUP BY failure_code"
    )
}

#[derive(FromQueryResult)]
struct FailedRow {
    id: Uuid,
    tenant_id: Uuid,
    name: String,
    failure_code: Option<String>,
    ended_at_ms: i64,
    failed_attempts: Option<String>,
}

fn newest_failed() -> String {
    format!(
        "SELECT failed.id AS id, failed.tenant_id AS tenant_id, tenants.name AS name, failed.failure_code AS failure_code, \
         failed.ended_at_ms AS ended_at_ms, failed.failed_attempts AS failed_attempts FROM \
         (SELECT id, tenant_id, failure_code, ended_at_ms, failed_attempts FROM jobs WHERE state = 'failed' AND ended_at_ms > $1 \
         ORDER BY ended_at_ms DESC LIMIT {NEWEST_FAILED}) AS failed JOIN tenants ON tenants.id = failed.tenant_id \
         ORDER BY failed.ended_at_ms DESC"
    )
}

pub(super) async fn failures(store: &Store, after: Timestamp) -> Result<Failures, StoreError> {
    let rows = ReasonRow::find_by_statement(since(store, reasons(), after)).all(&store.db).await?;
    let mut failures = Failures { jobs: 0, reasons: Vec::new(), newest: Vec::new(), attempts: Vec::new() };
    for row in rows {
        let (reason, jobs) = (known(row.failure_code), unsigned::<u64>(jobs::TABLE, "id", row.jobs)?);
        failures.jobs += jobs;
        match failures.reasons.iter_mut().find(|(other, _)| *other == reason) {
            Some((_, count)) => *count += jobs,
            None => failures.reasons.push((reason, jobs)),
        }
    }
    failures.reasons.sort_by_key(|(_, jobs)| std::cmp::Reverse(*jobs));
    let rows = FailedRow::find_by_statement(since(store, newest_failed(), after)).all(&store.db).await?;
    let retried = RetriedRow::find_by_statement(Statement::from_string(store.db.get_database_backend(), retried())).all(&store.db).await?;
    let failed = rows.iter().map(|row| (row.id, &row.failed_attempts));
    let attempts = failed.chain(retried.iter().map(|row| (row.id, &row.failed_attempts))).flat_map(|(id, text)| attempts_of(id, text));
    failures.attempts = attempts.collect();
    failures.attempts.sort_by_key(|(job, attempt)| std::cmp::Reverse((attempt.failed_at, *job)));
    failures.attempts.truncate(ATTEMPTS_SHOWN);
    let read = |row: FailedRow| FailedJob {
        job: JobId::from_uuid(row.id),
        tenant: TenantId::from_uuid(row.tenant_id),
        tenant_name: row.name,
        reason: known(row.failure_code),
        ended_at: Timestamp::from_ms(row.ended_at_ms),
    };
    failures.newest = rows.into_iter().map(read).collect();
    Ok(failures)
}

#[derive(FromQueryResult)]
struct RetriedRow {
    id: Uuid,
    failed_attempts: Option<String>,
}

/// Jobs of which something has failed and that wait for their next try.
fn retried() -> String {
    format!(
        "SELECT id, failed_attempts FROM jobs WHERE state IN ('retry_sampling', 'retry_decoding') AND failed_attempts IS NOT NULL \
         LIMIT {RETRIED_READ}"
    )
}

/// Those that this version can read.
fn attempts_of(job: Uuid, text: &Option<String>) -> impl Iterator<Item = (JobId, FailedAttempt)> + use<> {
    let attempts: Vec<FailedAttempt> = text.as_deref().and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
    attempts.into_iter().map(move |attempt| (JobId::from_uuid(job), attempt))
}

fn known(code: Option<String>) -> Option<FailureCode> {
    code?.parse().ok()
}

fn since(store: &Store, sql: String, moment: Timestamp) -> Statement {
    Statement::from_sql_and_values(store.db.get_database_backend(), sql, [Value::from(moment.ms())])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TempDatabase;
    use sea_orm::DbBackend;

    #[tokio::test]
    async fn every_question_walks_the_index_and_sorts_no_jobs() {
        let database = TempDatabase::sqlite();
        let store = database.open().await.unwrap();
        let questions = [hourly(Ending::Succeeded), finished(), reasons(), newest_failed(), retried()];
        for (sql, is_covered) in questions.into_iter().zip([true, true, false, false, false]) {
            let sql = format!("EXPLAIN QUERY PLAN {}", sql.replace("$1", "1"));
            let plan = store.db.query_all_raw(Statement::from_string(DbBackend::Sqlite, sql)).await.unwrap();
            let steps: Vec<String> = plan.iter().map(|row| row.try_get("", "detail").unwrap()).collect();
            let wanted = if is_covered { "USING COVERING INDEX jobs_by_state_and_end" } else { "USING INDEX jobs_by_state_and_end" };
            let of_jobs: Vec<_> = steps.iter().filter(|step| step.contains(" jobs ")).collect();
            assert!(of_jobs.len() == 1 && of_jobs[0].contains(wanted), "{steps:?}");
        }
    }
}
