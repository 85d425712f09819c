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
use sea_orm::{ConnectionTrait, FromQueryResult, Statement};

/// What was seen at a look, of a model, lane and kind of device, as far as it is told apart by them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Look {
    pub gauge: Gauge,
    pub model: String,
    pub lane: String,
    pub device: String,
    pub value: u64,
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
const READ: &str = "SELECT start_ms, gauge, model, lane, device, total, highest FROM gauges \
     WHERE span = $1 AND start_ms >= $2 AND start_ms < $3 ORDER BY start_ms, gauge, model, lane, device LIMIT $4";
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
    pub async fn gauges(self, range: Range) -> Result<Vec<GaugeRow>, ReadError> {
        let limit = i64::try_from(ROWS_MAX + 1).unwrap_or(i64::MAX);
        let values = [range.span.as_str().into(), range.from.ms().into(), range.until.ms().into(), limit.into()];
        let statement = Statement::from_sql_and_values(self.store.shared.get_database_backend(), READ, values);
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

    /// A server of this version is there. The first time is kept.
    pub async fn note_version(self, version: &str) -> Result<(), StoreError> {
        let write = self.store.write().await?;
        write.tx.execute_raw(write.statement(SERVES, [version.into(), write.now.ms().into()])).await?;
        write.commit().await
    }
}
