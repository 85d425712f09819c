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

/// How much of what workers can take at once they had, by kind of device, against the knee.
#[component]
pub fn Utilisation(range: Range, gauges: Vec<GaugeRow>, asked: Asked) -> impl IntoView {
    let is_wanted = |row: &GaugeRow| asked.device.as_ref().is_none_or(|device| row.device == *device);
    let of = |gauge: Gauge| mean_by_span(range, &gauges, |row| row.gauge == gauge && is_wanted(row));
    let (busy, slots) = (of(Gauge::Busy), of(Gauge::Slots));
    if !slots.iter().flatten().any(|slots| *slots > 0.0) {
        return empty("No worker was there when it was looked at.");
    }
    let share = |(busy, slots): (&Option<f64>, &Option<f64>)| {
        let slots = slots.filter(|slots| *slots > 0.0)?;
        Some(busy.unwrap_or_default() * 100.0 / slots)
    };
    let values: Vec<_> = busy.iter().zip(&slots).map(share).collect();
    let knee = ScalingLimits::default().knee_permille as f64 / 10.0;
    let known: Vec<_> = values.iter().flatten().copied().collect();
    let above = known.iter().filter(|share| **share > knee).count();
    let mean = known.iter().sum::<f64>() / known.len().max(1) as f64;
    let summary = format!("{mean:.0} % on average; above the knee of {knee:.0} % in {above} of {} places.", known.len());
    let series = vec![
        Series { name: "Utilisation".into(), values },
        Series { name: format!("Knee, {knee:.0} %").into(), values: slots.iter().map(|_| Some(knee)).collect() },
    ];
    let labels = range.starts().map(|start| asked.label(start)).collect();
    view! { <Lines id="utilisation" title="Utilisation of sampling" summary unit=PERCENT axis=asked.axis() labels series /> }.into_any()
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
