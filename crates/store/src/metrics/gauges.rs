//! What waits and who works, looked at again and again. The only place that writes `gauges`.
//!
//! Of each span the sum and the highest of what was seen are kept, and how often was looked: a mean is the sum by the looks, so that something that
//! was not there at a look counts as nothing.

use super::{KeptNumbers, read::ReadError};
use crate::{StoreError, entity::unsigned};
use domain::{
    Timestamp,
    metrics::{Gauge, Range, Span},
};
use sea_orm::{ConnectionTrait, DbBackend, FromQueryResult, Statement, Value};

/// What was seen at a look, of a model, lane and kind of device, as far as it is told apart by them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Look {
    pub gauge: Gauge,
    pub model: String,
    pub lane: String,
    pub device: String,
    pub value: u64,
}

/// What was seen of a gauge within a span, of all models, lanes and devices that were asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GaugeSum {
    pub start: Timestamp,
    pub gauge: Gauge,
    /// Of a line that several kinds of device can make, what was seen at one of them.
    pub total: u64,
    pub highest: u64,
}

/// Which gauges are wanted. Looks are told with them, whatever is asked for, and those of workers whatever the model and lane. `None`: all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GaugeQuery<'a> {
    pub range: Range,
    pub gauges: &'a [Gauge],
    pub model: Option<&'a str>,
    pub lane: Option<&'a str>,
    pub device: Option<&'a str>,
}

/// What was seen within a span.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GaugeRow {
    pub start: Timestamp,
    pub gauge: Gauge,
    pub model: String,
    pub lane: String,
    pub device: String,
    pub total: u64,
    pub highest: u64,
}

#[derive(FromQueryResult)]
struct SumRow {
    start_ms: i64,
    gauge: String,
    total: i64,
    highest: i64,
}

#[derive(FromQueryResult)]
struct Row {
    start_ms: i64,
    gauge: String,
    model: String,
    lane: String,
    device: String,
    total: i64,
    highest: i64,
}

const ADD: &str = "INSERT INTO gauges (span, start_ms, gauge, model, lane, device, total, highest) VALUES ($1, $2, $3, $4, $5, $6, $7, $7) \
     ON CONFLICT (span, start_ms, gauge, model, lane, device) DO UPDATE SET total = gauges.total + excluded.total, \
     highest = CASE WHEN gauges.highest > excluded.highest THEN gauges.highest ELSE excluded.highest END";
/// Rows that are read for one answer.
const ROWS_MAX: usize = 50_000;
const SERVES: &str = "INSERT INTO served_versions (version, first_at_ms) VALUES ($1, $2) ON CONFLICT (version) DO NOTHING";

impl KeptNumbers<'_> {
    /// Adds what was seen just now to each span.
    pub async fn note_look(self, seen: &[Look]) -> Result<(), StoreError> {
        let looked = Look { gauge: Gauge::Looks, model: String::new(), lane: String::new(), device: String::new(), value: 1 };
        let write = self.store.write().await?;
        for span in Span::ALL {
            let start_ms = span.start(write.now).ms();
            for Look { gauge, model, lane, device, value } in seen.iter().chain([&looked]) {
                let values = [
                    span.as_str().into(),
                    start_ms.into(),
                    gauge.as_str().into(),
                    model.as_str().into(),
                    lane.as_str().into(),
                    device.as_str().into(),
                    i64::try_from(*value).unwrap_or(i64::MAX).into(),
                ];
                write.tx.execute_raw(write.statement(ADD, values)).await?;
            }
        }
        write.commit().await
    }

    /// What was seen in a range, in the order of time. Of a gauge that this version does not know nothing is told.
    ///
    /// # Errors
    /// [`ReadError::TooMuch`] where more rows would have to be read than 50,000.
    pub async fn gauges(self, query: &GaugeQuery<'_>) -> Result<Vec<GaugeRow>, ReadError> {
        let statement = rows(self.store.shared.get_database_backend(), query);
        let rows = Row::find_by_statement(statement).all(&self.store.shared).await.map_err(StoreError::from)?;
        if rows.len() > ROWS_MAX {
            return Err(ReadError::TooMuch);
        }
        let count = |column, value: i64| unsigned("gauges", column, value);
        let mut found = Vec::with_capacity(rows.len());
        for Row { start_ms, gauge, model, lane, device, total, highest } in rows {
            let Some(gauge) = Gauge::named(&gauge) else { continue };
            let (start, total, highest) = (Timestamp::from_ms(start_ms), count("total", total)?, count("highest", highest)?);
            found.push(GaugeRow { start, gauge, model, lane, device, total, highest });
        }
        Ok(found)
    }

    /// What was seen in a range, added up by span, in the order of time.
    pub async fn gauge_sums(self, query: &GaugeQuery<'_>) -> Result<Vec<GaugeSum>, StoreError> {
        let rows = SumRow::find_by_statement(sums(self.store.shared.get_database_backend(), query)).all(&self.store.shared).await?;
        let count = |column, value: i64| unsigned("gauges", column, value);
        let mut found = Vec::with_capacity(rows.len());
        for SumRow { start_ms, gauge, total, highest } in rows {
            let Some(gauge) = Gauge::named(&gauge) else { continue };
            let (start, total, highest) = (Timestamp::from_ms(start_ms), count("total", total)?, count("highest", highest)?);
            found.push(GaugeSum { start, gauge, total, highest });
        }
        Ok(found)
    }

    /// A server of this version is there. The first time is kept.
    pub async fn note_version(self, version: &str) -> Result<(), StoreError> {
        let write = self.store.write().await?;
        write.tx.execute_raw(write.statement(SERVES, [version.into(), write.now.ms().into()])).await?;
        write.commit().await
    }
}

/// The condition of those that are wanted, and its values.
fn wanted(query: &GaugeQuery<'_>) -> (String, Vec<Value>) {
    let GaugeQuery { range, gauges, model, lane, device } = query;
    let mut values: Vec<Value> = vec![range.span.as_str().into(), range.from.ms().into(), range.until.ms().into()];
    let mut place = |value: &str| {
        values.push(value.into());
        format!("${}", values.len())
    };
    let named: Vec<String> = gauges.iter().map(|gauge| place(gauge.as_str())).collect();
    let mut wanted = if named.is_empty() { "FALSE".to_owned() } else { format!("gauge IN ({})", named.join(", ")) };
    for (column, value) in [("model", model), ("lane", lane)] {
        if let Some(value) = value {
            wanted += &format!(" AND {column} IN ('', {})", place(value));
        }
    }
    if let Some(device) = device {
        wanted += &format!(" AND device = {}", place(device));
    }
    let looks = place(Gauge::Looks.as_str());
    (format!("span = $1 AND start_ms >= $2 AND start_ms < $3 AND (gauge = {looks} OR ({wanted}))"), values)
}

fn rows(backend: DbBackend, query: &GaugeQuery<'_>) -> Statement {
    let (wanted, values) = wanted(query);
    let limit = ROWS_MAX + 1;
    let sql = format!(
        "SELECT start_ms, gauge, model, lane, device, total, highest FROM gauges WHERE {wanted} \
         ORDER BY start_ms, gauge, model, lane, device LIMIT {limit}"
    );
    Statement::from_sql_and_values(backend, sql, values)
}

/// A line stands with each kind of device that can make it, so of these the largest is taken. With none it stands at other looks, which are added.
fn sums(backend: DbBackend, query: &GaugeQuery<'_>) -> Statement {
    let (wanted, mut values) = wanted(query);
    values.push(Gauge::WaitingMs.as_str().into());
    let waiting = values.len();
    let sql = format!(
        "SELECT start_ms, gauge, CAST(SUM(total) AS BIGINT) AS total, MAX(highest) AS highest FROM \
         (SELECT start_ms, gauge, CASE WHEN gauge = ${waiting} THEN MAX(total) ELSE SUM(total) END AS total, MAX(highest) AS highest FROM gauges \
         WHERE {wanted} GROUP BY start_ms, gauge, model, lane, device = '') AS lines \
         GROUP BY start_ms, gauge ORDER BY start_ms, gauge"
    );
    Statement::from_sql_and_values(backend, sql, values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TempDatabase;

    #[tokio::test]
    async fn gauges_are_read_along_the_primary_key() {
        let database = TempDatabase::sqlite();
        let store = database.open().await.unwrap();
        let range = Range { span: Span::Minute, from: Timestamp::from_ms(0), until: Timestamp::from_ms(1) };
        let query = GaugeQuery { range, gauges: &[Gauge::Busy, Gauge::Slots], model: Some("m"), lane: Some("batch"), device: Some("d") };
        for read in [sums, rows] {
            let Statement { sql, values, .. } = read(DbBackend::Sqlite, &query);
            let explained = Statement { sql: format!("EXPLAIN QUERY PLAN {sql}"), values, db_backend: DbBackend::Sqlite };
            let plan = store.shared.query_all_raw(explained).await.unwrap();
            let steps: Vec<String> = plan.iter().map(|row| row.try_get("", "detail").unwrap()).collect();
            assert!(
                steps.iter().any(|step| step.contains("sqlite_autoindex_gauges_1 (span=? AND start_ms>? AND start_ms<?)")),
                "{steps:?}"
            );
            assert!(!steps.iter().any(|step| step.starts_with("SCAN gauges")), "{steps:?}");
        }
    }
}
