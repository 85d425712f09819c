//! What waits and who works, over time, as it was looked at: for the operator alone.

use crate::{AccessError, Services};
use domain::{
    Actor, Permission, Timestamp,
    billing::Lane,
    metrics::{Gauge, Range},
};
use store::metrics::{GaugeQuery, GaugeRow, GaugeSum, ReadError, TallyQuery};

/// Means of what was seen within a span.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Load {
    /// Of slots for sampling, how many of one were taken. `None`: there were none.
    pub utilization: Option<f64>,
    pub workers: f64,
    /// Of video. What several kinds of device can make counts once.
    pub waiting_ms: f64,
}

impl Services {
    /// The load of each span of what is asked for. `None`: nobody looked.
    ///
    /// # Errors
    /// [`AccessError`] when `actor` may not see it, or the database does not answer.
    pub async fn installation_load(&self, actor: Actor, query: &TallyQuery) -> Result<Vec<Option<Load>>, AccessError> {
        actor.require(Permission::InspectInstallation)?;
        let gauges = [Gauge::Busy, Gauge::Slots, Gauge::Workers, Gauge::WaitingMs];
        let sums = self.store.kept_numbers().gauge_sums(&gauge_query(query, &gauges)).await?;
        Ok(load_by_span(query.range, &sums))
    }

    /// What waited and how many slots were taken, told apart by all that it was seen by. `None`: it is too much to be told at once.
    ///
    /// # Errors
    /// [`AccessError`] when `actor` may not see it, or the database does not answer.
    pub async fn installation_gauges(&self, actor: Actor, query: &TallyQuery) -> Result<Option<Vec<GaugeRow>>, AccessError> {
        actor.require(Permission::InspectInstallation)?;
        let gauges = [Gauge::Busy, Gauge::Slots, Gauge::DecodingBusy, Gauge::DecodingSlots, Gauge::WaitingMs];
        match self.store.kept_numbers().gauges(&gauge_query(query, &gauges)).await {
            Ok(rows) => Ok(Some(rows)),
            Err(ReadError::TooMuch) => Ok(None),
            Err(ReadError::Store(error)) => Err(error.into()),
        }
    }
}

/// Nobody is looked at by tenant.
fn gauge_query<'a>(query: &'a TallyQuery, gauges: &'a [Gauge]) -> GaugeQuery<'a> {
    let (model, lane, device) = (query.model.as_deref(), query.lane.map(Lane::as_str), query.device.as_deref());
    GaugeQuery { range: query.range, gauges, model, lane, device }
}

fn load_by_span(range: Range, sums: &[GaugeSum]) -> Vec<Option<Load>> {
    let mean = |gauge: Gauge| {
        let rows = sums.iter().map(|sum| (sum.start, sum.gauge, sum.total));
        means(range, rows.filter(move |(_, of, _)| *of == Gauge::Looks || *of == gauge))
    };
    let [busy, slots, workers, waiting] = [Gauge::Busy, Gauge::Slots, Gauge::Workers, Gauge::WaitingMs].map(mean);
    let load = |place: usize| {
        let (busy, slots) = (busy[place]?, slots[place]?);
        let utilization = (slots > 0.0).then(|| busy / slots);
        Some(Load { utilization, workers: workers[place]?, waiting_ms: waiting[place]? })
    };
    (0..busy.len()).map(load).collect()
}

/// Gauges of a range, as a mean of all looks of each span. Spans in which nobody looked have no value.
#[must_use]
pub fn mean_by_span(range: Range, gauges: &[GaugeRow], wanted: impl Fn(&GaugeRow) -> bool) -> Vec<Option<f64>> {
    let rows = gauges.iter().filter(|row| row.gauge == Gauge::Looks || wanted(row));
    means(range, rows.map(|row| (row.start, row.gauge, row.total)))
}

fn means(range: Range, seen: impl Iterator<Item = (Timestamp, Gauge, u64)>) -> Vec<Option<f64>> {
    let places = usize::try_from(range.places()).unwrap_or_default();
    let (mut sums, mut looks) = (vec![0_u64; places], vec![0_u64; places]);
    for (start, gauge, total) in seen {
        let Some(place) = range.place(start) else { continue };
        if gauge == Gauge::Looks {
            looks[place] += total;
        } else {
            sums[place] += total;
        }
    }
    sums.into_iter().zip(looks).map(|(sum, looks)| (looks > 0).then(|| sum as f64 / looks as f64)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::metrics::Span;

    fn at(minute: i64) -> Timestamp {
        Timestamp::from_ms(minute * 60_000)
    }

    fn range() -> Range {
        Range { span: Span::Minute, from: at(10), until: at(13) }
    }

    #[test]
    fn a_mean_is_that_of_all_looks_and_nothing_is_told_where_nobody_looked() {
        let row = |minute, gauge, device: &str, total| GaugeRow {
            start: at(minute),
            gauge,
            model: String::new(),
            lane: String::new(),
            device: device.to_owned(),
            total,
            highest: total,
        };
        let gauges =
            [row(10, Gauge::Looks, "", 3), row(10, Gauge::Busy, "a", 6), row(10, Gauge::Busy, "b", 3), row(12, Gauge::Looks, "", 2)];
        let busy = mean_by_span(range(), &gauges, |row| row.gauge == Gauge::Busy);
        assert_eq!(busy, [Some(3.0), None, Some(0.0)]);
        let of_a = mean_by_span(range(), &gauges, |row| row.gauge == Gauge::Busy && row.device == "a");
        assert_eq!(of_a[0], Some(2.0));
    }

    #[test]
    fn load_is_told_where_anybody_looked_also_without_workers() {
        let sum = |minute, gauge, total| GaugeSum { start: at(minute), gauge, total, highest: total };
        let sums = [
            sum(10, Gauge::Looks, 2),
            sum(10, Gauge::Busy, 4),
            sum(10, Gauge::Slots, 16),
            sum(10, Gauge::Workers, 6),
            sum(10, Gauge::WaitingMs, 7000),
            sum(12, Gauge::Looks, 1),
        ];
        let working = Load { utilization: Some(0.25), workers: 3.0, waiting_ms: 3500.0 };
        let idle = Load { utilization: None, workers: 0.0, waiting_ms: 0.0 };
        assert_eq!(load_by_span(range(), &sums), [Some(working), None, Some(idle)]);
    }
}
