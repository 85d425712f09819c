//! Adding jobs that have ended to the tallies. The only place that writes `job_tallies`.
//!
//! A job that has ended and is not counted stands in an index of its own. In one transaction some of these are added up and marked as counted, so
//! that each counts once however often this breaks off, whenever it was committed, and whoever else does the same.

use super::{KeptNumbers, TABLE, times_of};
use crate::{StoreError, database::write::Write, rows::counted};
use domain::{
    JobId, TenantId, Timestamp, VideoTime,
    billing::{Charge, Lane},
    metrics::{Count, EndedJob, HowEnded, PhaseTimes, Span, Tally},
};
use sea_orm::{ConnectionTrait, DbBackend, FromQueryResult, QueryResult, Statement, Value};
use std::collections::BTreeMap;
use uuid::Uuid;

/// Names the lock of PostgreSQL under which tallies are written.
const TALLIES_LOCK: i64 = 0x5265_656c_0009;
/// Others wait as long for SQLite's one writer.
const COUNTED_AT_ONCE: u64 = 200;
const FORGOTTEN_AT_ONCE: i64 = 5000;

/// Of whom and when a tally is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    /// Nil: of all tenants.
    tenant: Uuid,
    span: Span,
    start: Timestamp,
    model: String,
    lane: String,
    /// Empty: no worker has sampled it.
    device: String,
}

#[derive(FromQueryResult)]
struct JobRow {
    tenant_id: Uuid,
    model: String,
    lane: String,
    device: String,
    state: String,
    failure_code: String,
    billed_ms: i64,
    charged_ms: Option<i64>,
    drawn: Option<String>,
    created_at_ms: i64,
    started_at_ms: Option<i64>,
    sampled_at_ms: Option<i64>,
    ended_at_ms: i64,
    sampling_ms: Option<i64>,
    load_ms: Option<i64>,
    encode_ms: Option<i64>,
    latents_upload_ms: Option<i64>,
    sampling_device_ms: Option<i64>,
    decoding_ms: Option<i64>,
    upload_ms: Option<i64>,
    decoding_device_ms: Option<i64>,
}

/// What is read of a job that is counted.
const JOB: &str = "SELECT id, tenant_id, model, COALESCE(lane, 'interactive') AS lane, COALESCE(device, '') AS device, state, \
     COALESCE(failure_code, 'unknown') AS failure_code, billed_ms, charged_ms, drawn, created_at_ms, started_at_ms, sampled_at_ms, ended_at_ms, \
     sampling_ms, load_ms, encode_ms, latents_upload_ms, sampling_device_ms, decoding_ms, upload_ms, decoding_device_ms FROM jobs";

/// The order names both columns of the index, so that PostgreSQL has no other one in that order: along that of all ends each look would pass
/// over all that were counted before.
fn uncounted(backend: DbBackend) -> String {
    let lock = if backend == DbBackend::Postgres { " FOR NO KEY UPDATE SKIP LOCKED" } else { "" };
    let in_order = "ORDER BY counted_at_ms, ended_at_ms";
    format!("{JOB} WHERE counted_at_ms IS NULL AND ended_at_ms IS NOT NULL {in_order} LIMIT {COUNTED_AT_ONCE}{lock}")
}

/// One of them, also where somebody is writing its row. `$1`: its id.
fn this_one(backend: DbBackend) -> String {
    let lock = if backend == DbBackend::Postgres { " FOR NO KEY UPDATE" } else { "" };
    format!("{JOB} WHERE id = $1 AND counted_at_ms IS NULL AND ended_at_ms IS NOT NULL{lock}")
}

/// In the order of the index too: otherwise the whole table may be looked through.
const ANY: &str = "SELECT 1 FROM jobs WHERE counted_at_ms IS NULL AND ended_at_ms IS NOT NULL ORDER BY counted_at_ms, ended_at_ms LIMIT 1";
const KEPT: &str = "SELECT paid, failures, times, added_times FROM job_tallies \
     WHERE tenant_id = $1 AND span = $2 AND start_ms = $3 AND model = $4 AND lane = $5 AND device = $6";

/// Rows by where they lie: by their keys, SQLite would look through all of each tenant's. `$1` and `$2`: of which span, before when; `$3`: how many.
const fn forgets(backend: DbBackend) -> &'static str {
    match backend {
        DbBackend::Postgres => {
            "DELETE FROM job_tallies WHERE ctid = ANY (ARRAY(\
             SELECT ctid FROM job_tallies WHERE span = $1 AND start_ms < $2 ORDER BY start_ms LIMIT $3))"
        }
        _ => {
            "DELETE FROM job_tallies WHERE rowid IN (SELECT rowid FROM job_tallies WHERE span = $1 AND start_ms < $2 ORDER BY start_ms LIMIT $3)"
        }
    }
}

impl KeptNumbers<'_> {
    /// Counts jobs that have ended and were not counted; returns how many they were. Any process may do it, any number at once.
    pub async fn count_ended(self) -> Result<u64, StoreError> {
        let mut counted = 0;
        loop {
            let some = self.count_some().await?;
            counted += some;
            if some < COUNTED_AT_ONCE {
                return Ok(counted);
            }
        }
    }

    /// Whether any job has ended that was not counted.
    pub async fn is_any_uncounted(self) -> Result<bool, StoreError> {
        let backend = self.store.db.get_database_backend();
        Ok(self.store.db.query_one_raw(Statement::from_string(backend, ANY)).await?.is_some())
    }

    async fn count_some(self) -> Result<u64, StoreError> {
        // Mostly there are none: then nobody has to wait for a writer.
        if !self.is_any_uncounted().await? {
            return Ok(0);
        }
        let backend = self.store.db.get_database_backend();
        let write = self.store.write().await?;
        write.alone(TALLIES_LOCK).await?;
        let rows = write.tx.query_all_raw(Statement::from_string(backend, uncounted(backend))).await?;
        count_rows(&write, &rows).await?;
        write.commit().await?;
        Ok(rows.len() as u64)
    }

    /// Counts this job, where it has ended and was not counted.
    pub(crate) async fn count_one(self, job: JobId) -> Result<(), StoreError> {
        let write = self.store.write().await?;
        // Its row before the tallies: whoever has these waits for no job.
        let rows = write.tx.query_all_raw(write.statement(&this_one(write.backend()), [job.uuid().into()])).await?;
        if rows.is_empty() {
            return write.abandon().await;
        }
        write.alone(TALLIES_LOCK).await?;
        count_rows(&write, &rows).await?;
        write.commit().await
    }

    /// Drops sums of spans that are kept no longer.
    pub async fn forget_old(self) -> Result<(), StoreError> {
        for span in Span::ALL {
            while self.forget_some(span).await? == FORGOTTEN_AT_ONCE.unsigned_abs() {}
            let write = self.store.write().await?;
            let sql = "DELETE FROM gauges WHERE span = $1 AND start_ms < $2";
            let before = write.now.plus_ms(-span.kept_ms()).ms();
            write.tx.execute_raw(write.statement(sql, [span.as_str().into(), before.into()])).await?;
            write.commit().await?;
        }
        Ok(())
    }

    async fn forget_some(self, span: Span) -> Result<u64, StoreError> {
        let write = self.store.write().await?;
        let before = write.now.plus_ms(-span.kept_ms()).ms();
        let sql = forgets(write.backend());
        let done = write.tx.execute_raw(write.statement(sql, [span.as_str().into(), before.into(), FORGOTTEN_AT_ONCE.into()])).await?;
        write.commit().await?;
        Ok(done.rows_affected())
    }
}

/// Adds these jobs, whose rows are locked, to the tallies, which are too.
async fn count_rows(write: &Write, rows: &[QueryResult]) -> Result<(), StoreError> {
    let (mut ids, mut tallies) = (Vec::with_capacity(rows.len()), BTreeMap::<Key, Tally>::new());
    for row in rows {
        ids.push(row.try_get::<Uuid>("", "id")?);
        // What cannot be read is counted as nothing, and is not looked at again.
        match JobRow::from_query_result(row, "") {
            Ok(job) => add(&mut tallies, &job, write.now),
            Err(error) => tracing::warn!(%error, "a job that has ended is left out of what is counted"),
        }
    }
    for (key, mut tally) in tallies {
        merge_kept(write, &key, &mut tally).await?;
        keep(write, &key, &tally).await?;
    }
    counted::mark(write, &ids).await
}

/// To the tallies of its tenant and of all, of each span that is still kept.
fn add(tallies: &mut BTreeMap<Key, Tally>, row: &JobRow, now: Timestamp) {
    let (job, ended_at) = (ended(row), Timestamp::from_ms(row.ended_at_ms));
    let spans = Span::ALL.into_iter().filter(|span| ended_at >= now.plus_ms(-span.kept_ms()));
    for (tenant, span) in spans.flat_map(|span| [row.tenant_id, Uuid::nil()].map(|tenant| (tenant, span))) {
        let (model, lane, device) = (row.model.clone(), row.lane.clone(), row.device.clone());
        tallies.entry(Key { tenant, span, start: span.start(ended_at), model, lane, device }).or_default().add(&job);
    }
}

fn ended(row: &JobRow) -> EndedJob {
    // A clock that was put back between two moments makes a time of nothing.
    let known = |ms: Option<i64>| ms.map(|ms| u64::try_from(ms).unwrap_or(0));
    let time = |ms: i64| VideoTime::from_ms(u64::try_from(ms).unwrap_or(0));
    let since_created = |ms: i64| u64::try_from(ms - row.created_at_ms).unwrap_or(0);
    let after_sampling = row.sampled_at_ms.map(|sampled_at_ms| row.ended_at_ms - sampled_at_ms);
    let charged = time(row.charged_ms.unwrap_or_default());
    let charge = Charge {
        plan: None,
        lane: Lane::named(&row.lane),
        drawn: row.drawn.as_deref().and_then(|drawn| serde_json::from_str(drawn).ok()).unwrap_or_default(),
        charged: Some(charged),
    };
    EndedJob {
        how: match row.state.as_str() {
            "succeeded" => HowEnded::Succeeded,
            "cancelled" => HowEnded::Cancelled,
            _ => HowEnded::Failed(row.failure_code.clone()),
        },
        billed: time(row.billed_ms),
        charged,
        paid: charge.money(),
        total_ms: since_created(row.ended_at_ms),
        queue_ms: since_created(row.started_at_ms.unwrap_or(row.ended_at_ms)),
        after_sampling_ms: known(after_sampling),
        times: PhaseTimes {
            sampling_ms: known(row.sampling_ms),
            load_ms: known(row.load_ms),
            encode_ms: known(row.encode_ms),
            latents_upload_ms: known(row.latents_upload_ms),
            sampling_device_ms: known(row.sampling_device_ms),
            decoding_ms: known(row.decoding_ms),
            upload_ms: known(row.upload_ms),
            decoding_device_ms: known(row.decoding_device_ms),
        },
    }
}

fn values(key: &Key) -> [Value; 6] {
    let Key { tenant, span, start, model, lane, device } = key;
    [(*tenant).into(), span.as_str().into(), start.ms().into(), model.as_str().into(), lane.as_str().into(), device.as_str().into()]
}

/// Adds what is not simply a sum and was kept before. What cannot be read of it begins anew: otherwise the jobs of this tally would keep all others
/// from being counted, for good.
async fn merge_kept(write: &Write, key: &Key, tally: &mut Tally) -> Result<(), StoreError> {
    let Some(row) = write.tx.query_one_raw(write.statement(KEPT, values(key))).await? else { return Ok(()) };
    let text = |column: &str| row.try_get::<String>("", column).ok();
    let paid = text("paid").and_then(|paid| serde_json::from_str(&paid).ok());
    let failures = text("failures").and_then(|failures| serde_json::from_str(&failures).ok());
    let times = times_of(&row);
    if paid.is_none() || failures.is_none() || times.is_none() {
        tracing::warn!(?key, "a tally cannot be read as a whole: what cannot be read of it begins anew");
    }
    let (paid, failures) = (paid.unwrap_or_default(), failures.unwrap_or_default());
    tally.merge(&Tally { paid, failures, times: times.unwrap_or_default(), ..Tally::default() });
    Ok(())
}

/// Counts are added to those that are kept; all else takes the place of what was read under the same lock.
async fn keep(write: &Write, key: &Key, tally: &Tally) -> Result<(), StoreError> {
    let columns = Count::ALL.map(Count::as_str);
    let sums = columns.map(|column| format!("{column} = job_tallies.{column} + excluded.{column}")).join(", ");
    let places: Vec<_> = (7..=10 + columns.len()).map(|place| format!("${place}")).collect();
    let sql = format!(
        "INSERT INTO job_tallies (tenant_id, span, start_ms, model, lane, device, {}, paid, failures, times, added_times) \
         VALUES ($1, $2, $3, $4, $5, $6, {}) ON CONFLICT (tenant_id, span, start_ms, model, lane, device) DO UPDATE SET {sums}, \
         paid = excluded.paid, failures = excluded.failures, times = excluded.times, added_times = excluded.added_times",
        columns.join(", "),
        places.join(", ")
    );
    let json = |error: serde_json::Error| StoreError::inconsistent(TABLE, "paid", error);
    let mut all = values(key).to_vec();
    all.extend(tally.counts.iter().map(|count| Value::from(i64::try_from(*count).unwrap_or(i64::MAX))));
    all.push(serde_json::to_string(&tally.paid).map_err(json)?.into());
    all.push(serde_json::to_string(&tally.failures).map_err(json)?.into());
    all.extend(tally.encode_times().map(Value::from));
    write.tx.execute_raw(Statement::from_sql_and_values(write.backend(), sql, all)).await?;
    Ok(())
}

/// The tallies of a tenant that is deleted go with it; those of all tenants stay as they are.
pub(crate) async fn forget_tenant(write: &Write, tenant: TenantId) -> Result<(), StoreError> {
    let theirs = write.statement("DELETE FROM job_tallies WHERE tenant_id = $1", [tenant.uuid().into()]);
    write.tx.execute_raw(theirs).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Engine, TempDatabase};

    #[tokio::test]
    async fn what_is_not_counted_is_found_along_an_index_of_its_own() {
        let database = TempDatabase::sqlite();
        let store = database.open().await.unwrap();
        for sql in [uncounted(DbBackend::Sqlite), ANY.to_owned()] {
            let statement = Statement::from_string(DbBackend::Sqlite, format!("EXPLAIN QUERY PLAN {sql}"));
            let plan = store.db.query_all_raw(statement).await.unwrap();
            let steps: Vec<String> = plan.iter().map(|row| row.try_get("", "detail").unwrap()).collect();
            assert!(steps.len() == 1 && steps[0].contains("INDEX jobs_uncounted (counted_at_ms=?"), "{steps:?}");
        }
    }

    #[tokio::test]
    async fn what_is_forgotten_is_found_along_the_index_and_removed_where_it_lies() {
        let database = TempDatabase::sqlite();
        let store = database.open().await.unwrap();
        let values: [Value; 3] = ["minute".into(), 5_i64.into(), 5_i64.into()];
        let sql = format!("EXPLAIN QUERY PLAN {}", forgets(DbBackend::Sqlite));
        let plan = store.db.query_all_raw(Statement::from_sql_and_values(DbBackend::Sqlite, sql, values)).await.unwrap();
        let steps: Vec<String> = plan.iter().map(|row| row.try_get("", "detail").unwrap()).collect();
        assert!(steps.iter().any(|step| step.contains("INTEGER PRIMARY KEY (rowid=?)")), "{steps:?}");
        assert!(steps.iter().any(|step| step.contains("job_tallies_by_time (span=? AND start_ms<?)")), "{steps:?}");
    }

    #[tokio::test]
    async fn postgresql_has_them_in_order_along_that_index_alone() {
        let Some(database) = TempDatabase::new(Engine::Postgres).await else { return };
        let store = database.open().await.unwrap();
        let write = store.write().await.unwrap();
        // A table without rows is looked at as a whole, and sorted: as one with many is not.
        write.tx.execute_unprepared("SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off").await.unwrap();
        let statement = Statement::from_string(DbBackend::Postgres, format!("EXPLAIN {}", uncounted(DbBackend::Postgres)));
        let plan = write.tx.query_all_raw(statement).await.unwrap();
        let plan: Vec<String> = plan.iter().map(|row| row.try_get("", "QUERY PLAN").unwrap()).collect();
        assert!(plan.iter().any(|line| line.contains("Index Scan using jobs_uncounted")), "{plan:?}");
    }
}
