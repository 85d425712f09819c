//! Reading tallies: of a range, told apart by what is asked for.

use super::{KeptNumbers, TABLE, TIMES, times_of};
use crate::{StoreError, entity::unsigned};
use domain::{
    TenantId, Timestamp,
    billing::Lane,
    metrics::{Count, Dimension, Range, Tally},
};
use sea_orm::{ConnectionTrait, QueryResult, Statement, Value};
use std::collections::BTreeMap;
use uuid::Uuid;

/// Rows that are read for one answer.
pub const ROWS_MAX: usize = 20_000;

/// Which tallies are wanted. `None`: all of them.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TallyQuery {
    pub range: Range,
    pub tenant: Option<TenantId>,
    pub model: Option<String>,
    pub lane: Option<Lane>,
    pub device: Option<String>,
    /// What is told apart.
    pub by: Option<Dimension>,
}

/// What was added up of a span and group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TallyRow {
    pub start: Timestamp,
    /// As it is stored; empty where nothing is told apart, and of devices that are not known.
    pub group: String,
    pub tally: Tally,
}

#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// More rows than [`ROWS_MAX`].
    #[error("this is too much to be told at once")]
    TooMuch,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl KeptNumbers<'_> {
    /// In the order of time, and of groups within a span. Spans in which nothing ended have no rows. Of a tally that cannot be read as a whole,
    /// as one of a newer version, the counts are told.
    ///
    /// # Errors
    /// [`ReadError::TooMuch`] where more rows would have to be read than [`ROWS_MAX`].
    pub async fn tallies(self, query: &TallyQuery) -> Result<Vec<TallyRow>, ReadError> {
        let (sql, values) = select(query);
        // A tenant's rows are read as that tenant: nobody else's are seen.
        let db = query.tenant.map_or_else(|| self.store.db.clone(), |tenant| self.store.of(tenant));
        let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, values);
        let rows = db.query_all_raw(statement).await.map_err(StoreError::from)?;
        if rows.len() > ROWS_MAX {
            return Err(ReadError::TooMuch);
        }
        let mut found: BTreeMap<(Timestamp, String), Tally> = BTreeMap::new();
        let mut damaged = 0_u64;
        for row in &rows {
            let Parsed { start, group, tally, is_whole } = parsed(row, query.by)?;
            damaged += u64::from(!is_whole);
            found.entry((start, group)).or_default().merge(&tally);
        }
        if damaged > 0 {
            tracing::warn!(
                rows = damaged,
                "{damaged} tallies cannot be read as a whole: they are told without what cannot be read of them"
            );
        }
        Ok(found.into_iter().map(|((start, group), tally)| TallyRow { start, group, tally }).collect())
    }
}

fn select(query: &TallyQuery) -> (String, Vec<Value>) {
    let Range { span, from, until } = query.range;
    let mut values: Vec<Value> = vec![span.as_str().into(), from.ms().into(), until.ms().into()];
    let mut wanted = "span = $1 AND start_ms >= $2 AND start_ms < $3".to_owned();
    let mut is = |column: &str, value: Value| {
        values.push(value);
        wanted += &format!(" AND {column} = ${}", values.len());
    };
    match query.tenant {
        Some(tenant) => is("tenant_id", tenant.uuid().into()),
        None if query.by != Some(Dimension::Tenant) => is("tenant_id", Uuid::nil().into()),
        None => {}
    }
    query.model.iter().for_each(|model| is("model", model.as_str().into()));
    query.lane.iter().for_each(|lane| is("lane", lane.as_str().into()));
    query.device.iter().for_each(|device| is("device", device.as_str().into()));
    if query.tenant.is_none() && query.by == Some(Dimension::Tenant) {
        values.push(Uuid::nil().into());
        wanted += &format!(" AND tenant_id <> ${}", values.len());
    }
    let counts = Count::ALL.map(Count::as_str).join(", ");
    let (times, limit) = (TIMES.join(", "), ROWS_MAX + 1);
    (
        format!(
            "SELECT tenant_id, start_ms, model, lane, device, {counts}, paid, failures, {times} FROM job_tallies WHERE {wanted} LIMIT {limit}"
        ),
        values,
    )
}

/// A row, as far as it can be read.
struct Parsed {
    start: Timestamp,
    group: String,
    tally: Tally,
    is_whole: bool,
}

fn parsed(row: &QueryResult, by: Option<Dimension>) -> Result<Parsed, StoreError> {
    let group = match by {
        None => String::new(),
        Some(Dimension::Model) => row.try_get("", "model")?,
        Some(Dimension::Lane) => row.try_get("", "lane")?,
        Some(Dimension::Device) => row.try_get("", "device")?,
        Some(Dimension::Tenant) => TenantId::from_uuid(row.try_get("", "tenant_id")?).to_string(),
    };
    let start: i64 = row.try_get("", "start_ms")?;
    let text = |column: &'static str| row.try_get::<String>("", column).ok();
    let paid = text("paid").and_then(|paid| serde_json::from_str(&paid).ok());
    let failures = text("failures").and_then(|failures| serde_json::from_str(&failures).ok());
    let times = times_of(row);
    let is_whole = paid.is_some() && failures.is_some() && times.is_some();
    let (paid, failures) = (paid.unwrap_or_default(), failures.unwrap_or_default());
    let mut tally = Tally { paid, failures, times: times.unwrap_or_default(), ..Tally::default() };
    for count in Count::ALL {
        tally.counts[count as usize] = unsigned(TABLE, count.as_str(), row.try_get::<i64>("", count.as_str())?)?;
    }
    Ok(Parsed { start: Timestamp::from_ms(start), group, tally, is_whole })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TempDatabase;
    use domain::metrics::Span;
    use sea_orm::DbBackend;

    #[tokio::test]
    async fn a_range_is_read_along_an_index_whatever_it_is_told_apart_by() {
        let database = TempDatabase::sqlite();
        let store = database.open().await.unwrap();
        let range = Range { span: Span::Hour, from: Timestamp::from_ms(0), until: Timestamp::from_ms(1) };
        let all = TallyQuery { range, tenant: None, model: None, lane: None, device: None, by: None };
        let one = TallyQuery { tenant: Some(TenantId::from_uuid(Uuid::nil())), by: Some(Dimension::Model), ..all.clone() };
        let narrow = TallyQuery { model: Some("m".into()), lane: Some(Lane::Batch), device: Some("d".into()), ..all.clone() };
        let by_tenant = TallyQuery { by: Some(Dimension::Tenant), ..all.clone() };
        for (query, index) in [
            (all, "(tenant_id=? AND span=? AND start_ms>? AND start_ms<?)"),
            (one, "(tenant_id=? AND span=? AND start_ms>? AND start_ms<?)"),
            (narrow, "(tenant_id=? AND span=? AND start_ms>? AND start_ms<?)"),
            (by_tenant, "job_tallies_by_time (span=? AND start_ms>? AND start_ms<?)"),
        ] {
            let (sql, values) = select(&query);
            let statement = Statement::from_sql_and_values(DbBackend::Sqlite, format!("EXPLAIN QUERY PLAN {sql}"), values);
            let plan = store.db.query_all_raw(statement).await.unwrap();
            let steps: Vec<String> = plan.iter().map(|row| row.try_get("", "detail").unwrap()).collect();
            assert!(steps.len() == 1 && steps[0].contains(index), "{steps:?}");
        }
    }
}
