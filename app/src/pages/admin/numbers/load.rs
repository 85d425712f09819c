//! What waits and who works, over time, as it was looked at.

use crate::{
    components::{
        chart::{Lines, Series, Unit},
        numbers::Asked,
    },
    pages::admin::section::empty,
};
use domain::scheduling::fleet::ScalingLimits;
use leptos::prelude::*;
use service::numbers::{Gauge, GaugeRow, Range, mean_by_span};
use std::collections::BTreeMap;

const PERCENT: Unit = Unit { name: "percent", step_min: 1.0 };
const VIDEO_MINUTES: Unit = Unit { name: "video-minutes", step_min: 0.0 };
/// Lines that can be told apart, but for one.
const LINES_MAX: usize = 4;

/// How much of what workers can take at once they had, for sampling and for decoding, by kind of device, against the knee.
#[component]
pub fn Utilisation(range: Range, gauges: Vec<GaugeRow>, asked: Asked) -> impl IntoView {
    let is_wanted = |row: &GaugeRow| asked.device.as_ref().is_none_or(|device| row.device == *device);
    let of = |gauge: Gauge| mean_by_span(range, &gauges, |row| row.gauge == gauge && is_wanted(row));
    let parts =
        |busy: Gauge, slots: Gauge| of(busy).into_iter().zip(of(slots)).map(|(busy, slots)| percent(busy, slots)).collect::<Vec<_>>();
    let (sampling, decoding) = (parts(Gauge::Busy, Gauge::Slots), parts(Gauge::DecodingBusy, Gauge::DecodingSlots));
    if sampling.iter().chain(&decoding).all(Option::is_none) {
        return empty("No worker was there when it was looked at.");
    }
    let knee = ScalingLimits::default().knee_permille as f64 / 10.0;
    let summary = format!("{}; {}.", told("Sampling", &sampling, knee), told("decoding", &decoding, knee));
    let knees = sampling.iter().map(|_| Some(knee)).collect();
    let series = vec![
        Series { name: "Sampling".into(), values: sampling },
        Series { name: "Decoding".into(), values: decoding },
        Series { name: format!("Knee, {knee:.0} %").into(), values: knees },
    ];
    let labels = range.starts().map(|start| asked.label(start)).collect();
    view! { <Lines id="utilisation" title="Utilisation" summary unit=PERCENT axis=asked.axis() labels series /> }.into_any()
}

/// `None`: there was nothing to fill, or nobody looked.
fn percent(busy: Option<f64>, slots: Option<f64>) -> Option<f64> {
    let slots = slots.filter(|slots| *slots > 0.0)?;
    Some(busy.unwrap_or_default() * 100.0 / slots)
}

/// How full a stage was, in a part of a sentence.
fn told(stage: &str, values: &[Option<f64>], knee: f64) -> String {
    let known: Vec<_> = values.iter().flatten().copied().collect();
    if known.is_empty() {
        return format!("{stage} not seen");
    }
    let above = known.iter().filter(|percent| **percent > knee).count();
    let mean = known.iter().sum::<f64>() / known.len() as f64;
    format!("{stage} {mean:.0} % on average, above the knee in {above} of {} places", known.len())
}

/// What waited, by model and kind of device.
#[component]
pub fn Depth(range: Range, gauges: Vec<GaugeRow>, asked: Asked) -> impl IntoView {
    let is_wanted = |row: &GaugeRow| {
        row.gauge == Gauge::WaitingMs
            && asked.model.as_ref().is_none_or(|model| row.model == *model)
            && asked.lane.is_none_or(|lane| row.lane == lane.as_str())
            && asked.device.as_ref().is_none_or(|device| row.device == *device)
    };
    let mut totals: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    for row in gauges.iter().filter(|row| is_wanted(row)) {
        *totals.entry((row.model.as_str(), row.device.as_str())).or_default() += row.total;
    }
    let mut deepest: Vec<_> = totals.into_iter().collect();
    deepest.sort_by_key(|(_, total)| std::cmp::Reverse(*total));
    let left_out = deepest.len().saturating_sub(LINES_MAX);
    deepest.truncate(LINES_MAX);
    if deepest.is_empty() {
        return empty("Nothing waited when it was looked at.");
    }
    let series = deepest.iter().map(|((model, device), _)| {
        let mean = mean_by_span(range, &gauges, |row| is_wanted(row) && row.model == *model && row.device == *device);
        let device = if device.is_empty() { "while no device had it" } else { *device };
        Series { name: format!("{model}, {device}").into(), values: mean.into_iter().map(|ms| ms.map(|ms| ms / 60_000.0)).collect() }
    });
    let series: Vec<_> = series.collect();
    let highest = gauges.iter().filter(|row| is_wanted(row)).map(|row| row.highest).max().unwrap_or_default();
    let more = if left_out > 0 { format!(" {left_out} more with less are left out.") } else { String::new() };
    let summary = format!(
        "Means of what was seen; the most at once of one model and lane was {:.1} video-minutes. What several kinds of devices can make stands with each.{more}",
        highest as f64 / 60_000.0
    );
    let labels = range.starts().map(|start| asked.label(start)).collect();
    view! { <Lines id="depth" title="What waited" summary unit=VIDEO_MINUTES axis=asked.axis() labels series /> }.into_any()
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::Timestamp;
    use service::numbers::Span;

    #[test]
    fn how_full_decoders_are_stands_beside_how_full_samplers_are() {
        let (from, until) = (Timestamp::from_ms(0), Timestamp::from_ms(180_000));
        let range = Range { span: Span::Minute, from, until };
        let row = |minute: i64, gauge, device: &str, total| GaugeRow {
            start: Timestamp::from_ms(minute * 60_000),
            gauge,
            model: String::new(),
            lane: String::new(),
            device: device.to_owned(),
            total,
            highest: total,
        };
        let shown = |seen: &[GaugeRow]| {
            let asked = Asked::read(|_| None, Timestamp::from_ms(1_795_278_605_000));
            view! { <Utilisation range gauges=seen.to_vec() asked /> }.to_html()
        };
        let looks = [row(0, Gauge::Looks, "", 3), row(1, Gauge::Looks, "", 3)];
        let sampling = [row(0, Gauge::Slots, "cpu", 12), row(1, Gauge::Slots, "cpu", 12), row(1, Gauge::Busy, "cpu", 6)];
        let decoding = [row(1, Gauge::DecodingSlots, "cpu", 3), row(1, Gauge::DecodingBusy, "cpu", 3)];
        let old = shown(&[&looks[..], &sampling].concat());
        assert!(old.contains("Sampling 25 % on average, above the knee in 0 of 2 places; decoding not seen."), "{old}");
        let new = shown(&[&looks[..], &sampling, &decoding].concat());
        assert!(new.contains("decoding 100 % on average, above the knee in 1 of 1 places."), "{new}");
        assert!(shown(&looks).contains("No worker was there when it was looked at."));
    }
}
