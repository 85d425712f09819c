//! What was told of jobs' times when they were submitted, and what came of it.

use crate::{
    Store, StoreError,
    database::deadlock,
    entity::{job as table, signed},
    rows::{jobs, readable_tuples},
    sql::in_steps,
};
use domain::{
    Interval, JobId, TenantId, Timestamp,
    billing::Lane,
    scheduling::{EtaBasis, Forecast, ForecastOutcome, LineOf},
};
use sea_orm::{ColumnTrait, ConnectionTrait, DbBackend, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Select, Statement, Value};
use uuid::Uuid;

/// What was told of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ToldEta {
    pub job: JobId,
    pub forecast: Forecast,
    pub told: Interval,
}

/// A job that has ended of whose time something was told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EndedForecast {
    pub job: JobId,
    pub ended_at: Timestamp,
    pub outcome: ForecastOutcome,
    /// It has waited for a pause of the operator: that says nothing of the forecast.
    pub was_paused: bool,
}

/// How well the bounds held that were told. Lines of batches are left out: of one by itself nobody is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EtaCoverage {
    /// Jobs that were made.
    pub ended: u64,
    /// Of them, those of whose time something was told when they were submitted.
    pub told: u64,
    /// Of those, the ones that ended before the bound.
    pub covered: u64,
}

/// Of fewer it says nothing how many were in time.
const TOLD_MIN: u64 = 10;

impl EtaCoverage {
    /// The part that ended before the bound, of 1. `None`: to too few something was told.
    #[must_use]
    pub fn kept(&self) -> Option<f64> {
        (self.told >= TOLD_MIN).then(|| self.covered as f64 / self.told as f64)
    }
}

pub(super) async fn note(store: &Store, told: &[ToldEta]) -> Result<(), StoreError> {
    if told.is_empty() {
        return Ok(());
    }
    // In the order in which progress is noted as well, so that the two wait for each other in a circle seldom.
    let mut told = told.to_vec();
    told.sort_unstable_by_key(|told| told.job);
    deadlock::retried(StoreError::is_deadlock, || try_to_note(store, &told)).await
}

async fn try_to_note(store: &Store, told: &[ToldEta]) -> Result<(), StoreError> {
    let write = store.write().await?;
    write.tx.execute_raw(note_statement(write.backend(), told)?).await?;
    write.commit().await
}

fn note_statement(backend: DbBackend, told: &[ToldEta]) -> Result<Statement, StoreError> {
    // What stands there twice is written once.
    let told = in_steps(told.to_vec());
    let mut values: Vec<Value> = Vec::with_capacity(6 * told.len());
    let mut rows = Vec::with_capacity(told.len());
    for ToldEta { job, forecast, told } in told {
        let [id, ms, late, basis, p50, p90] = [1, 2, 3, 4, 5, 6].map(|place| values.len() + place);
        rows.push(match backend {
            // Its types follow from nothing else.
            DbBackend::Postgres => format!("(${id}::uuid, ${ms}::bigint, ${late}::bigint, ${basis}::text, ${p50}::bigint, ${p90}::bigint)"),
            _ => format!("(${id}, ${ms}, ${late}, ${basis}, ${p50}, ${p90})"),
        });
        values.extend([
            job.uuid().into(),
            signed::<_, i64>(jobs::TABLE, "forecast_ms", forecast.ms)?.into(),
            forecast.late_ms.map(|ms| signed::<_, i64>(jobs::TABLE, "forecast_late_ms", ms)).transpose()?.into(),
            forecast.basis.as_str().into(),
            signed::<_, i64>(jobs::TABLE, "eta_p50_ms", told.p50_ms)?.into(),
            signed::<_, i64>(jobs::TABLE, "eta_p90_ms", told.p90_ms)?.into(),
        ]);
    }
    let sql = format!(
        "WITH told (job_id, ms, late_ms, basis, p50_ms, p90_ms) AS (VALUES {}) \
         UPDATE jobs SET forecast_ms = told.ms, forecast_late_ms = told.late_ms, eta_basis = told.basis, eta_p50_ms = told.p50_ms, eta_p90_ms = told.p90_ms \
         FROM told WHERE id = told.job_id AND forecast_ms IS NULL",
        rows.join(", ")
    );
    Ok(Statement::from_sql_and_values(backend, sql, values))
}

type Row = (Uuid, i64, i64, Option<String>, i64, Option<i64>, String, i64, i64, Uuid, String);

/// The first to have ended first.
pub(super) async fn ended_after(store: &Store, after: Timestamp, limit: u64) -> Result<Vec<EndedForecast>, StoreError> {
    let columns = [
        table::Column::Id,
        table::Column::CreatedAtMs,
        table::Column::EndedAtMs,
        table::Column::Lane,
        table::Column::ForecastMs,
        table::Column::ForecastLateMs,
        table::Column::EtaBasis,
        table::Column::EtaP50Ms,
        table::Column::EtaP90Ms,
        table::Column::TenantId,
        table::Column::Model,
    ];
    let rows = made_after(after).filter(table::Column::ForecastMs.is_not_null()).order_by_asc(table::Column::EndedAtMs);
    let rows: Vec<Row> = readable_tuples(&store.db, rows.limit(limit).select_only().columns(columns)).await?;
    let pauses = store.past_pauses(after).await?;
    Ok(rows.into_iter().filter_map(|row| ended(row, |whose, from, until| pauses.held(whose, from, until))).collect())
}

fn made_after(after: Timestamp) -> Select<table::Entity> {
    table::Entity::find().filter(table::Column::State.eq("succeeded")).filter(table::Column::EndedAtMs.gt(after.ms()))
}

/// `None`: written by another version.
fn ended(
    (job, created_at_ms, ended_at_ms, lane, ms, late_ms, basis, p50_ms, p90_ms, tenant, model): Row,
    was_held: impl Fn((LineOf<'_>, TenantId), Timestamp, Timestamp) -> bool,
) -> Option<EndedForecast> {
    let unsigned = |ms: i64| u64::try_from(ms).ok();
    let lane = lane.map_or(Some(Lane::Interactive), |lane| Lane::named(&lane))?;
    let late_ms = late_ms.and_then(unsigned);
    let forecast = Forecast { lane, basis: EtaBasis::named(&basis)?, ms: unsigned(ms)?, late_ms };
    let shown = Interval { p50_ms: unsigned(p50_ms)?, p90_ms: unsigned(p90_ms)? };
    let (created_at, ended_at) = (Timestamp::from_ms(created_at_ms), Timestamp::from_ms(ended_at_ms));
    let took_ms = ended_at.ms_since(created_at);
    let outcome = ForecastOutcome { forecast, shown, took_ms };
    let was_paused = was_held((LineOf { lane, model: &model }, TenantId::from_uuid(tenant)), created_at, ended_at);
    Some(EndedForecast { job: JobId::from_uuid(job), ended_at, outcome, was_paused })
}

/// Of the last that ended, so many are looked at.
const COVERAGE_READ_MAX: u64 = 100_000;

pub(super) async fn coverage(store: &Store, after: Timestamp) -> Result<EtaCoverage, StoreError> {
    let sql = format!(
        "SELECT COUNT(*), COUNT(forecast_ms), COALESCE(SUM(CASE WHEN ended_at_ms - created_at_ms <= eta_p90_ms THEN 1 ELSE 0 END), 0) FROM \
         (SELECT forecast_ms, eta_p90_ms, created_at_ms, ended_at_ms, batch_id FROM jobs WHERE state = 'succeeded' AND ended_at_ms > $1 \
         ORDER BY ended_at_ms DESC LIMIT {COVERAGE_READ_MAX}) AS looked_at WHERE batch_id IS NULL"
    );
    let statement = Statement::from_sql_and_values(store.db.get_database_backend(), sql, [after.ms().into()]);
    let Some(row) = store.db.query_one_raw(statement).await? else { return Ok(EtaCoverage::default()) };
    let count = |place: usize| row.try_get_by_index::<i64>(place).map(|n| u64::try_from(n).unwrap_or_default());
    Ok(EtaCoverage { ended: count(0)?, told: count(1)?, covered: count(2)? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance;

    #[test]
    fn three_are_noted_by_the_statement_that_notes_four() {
        let told = || {
            let forecast = Forecast { lane: Lane::Interactive, basis: EtaBasis::Queue, ms: 1000, late_ms: None };
            ToldEta { job: JobId::from_uuid(chance::new_id()), forecast, told: Interval { p50_ms: 1000, p90_ms: 2000 } }
        };
        for backend in [DbBackend::Sqlite, DbBackend::Postgres] {
            let sql = |jobs: usize| {
                let told: Vec<_> = (0..jobs).map(|_| told()).collect();
                note_statement(backend, &told).unwrap().sql
            };
            assert_eq!(sql(3), sql(4));
            assert_ne!(sql(4), sql(5));
        }
    }
}
