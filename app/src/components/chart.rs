//! Charts that are drawn on the server, without a script: a time series, a distribution, and several lines over one axis.
//!
//! Shapes are drawn in a box of 100 by 100 that is stretched to its place. Words are set beside it in their own size, so that
//! they are as large on a phone as on a desk. All that a chart shows stands in a table, too.

mod lines;

pub use lines::{Lines, Marked, Series};

use domain::grouped;
use leptos::prelude::*;

/// Steps between the ticks of an axis.
const STEPS_MAX: f64 = 5.0;
/// Labels under a time series that have room beside each other; half as many have on a phone.
const MOMENTS_SHOWN: usize = 8;
/// The same under a distribution, whose labels are shorter.
const BOUNDS_SHOWN: usize = 12;
/// How much of its place a bar fills.
const BAR: f64 = 0.72;
const BAR_OF_CLASS: f64 = 0.96;
/// Less than this is the inexactness of a division.
const INEXACT: f64 = 1e-9;

/// How the values of a time series are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// For sums, of which each belongs to its own span of time.
    Bars,
    /// For what goes up and down.
    Line,
}

/// What values are counted in.
#[derive(Debug, Clone, Copy)]
pub struct Unit {
    /// In the plural.
    pub name: &'static str,
    /// Ticks are not closer than this: 1 where there are no halves.
    pub step_min: f64,
}

/// One value of a time series.
#[derive(Debug, Clone)]
pub struct Point {
    pub label: String,
    pub value: f64,
}

/// A word under the plot.
struct Label {
    /// From the left, of 100.
    at: f64,
    text: String,
    /// There is no room for it on a phone.
    is_minor: bool,
}

/// What the caption, the axes and the table say.
struct Words {
    id: &'static str,
    title: &'static str,
    summary: String,
    axis: &'static str,
    unit: Unit,
    labels: Vec<Label>,
    rows: Vec<Point>,
}

/// Values at equal spans of time, the oldest first. `id` is the chart's own within its page, `summary` says in a sentence
/// what there is to see, `axis` what the points stand for.
#[component]
pub fn TimeSeries(
    id: &'static str,
    title: &'static str,
    summary: String,
    mark: Mark,
    unit: Unit,
    axis: &'static str,
    points: Vec<Point>,
) -> impl IntoView {
    let values: Vec<_> = points.iter().map(|point| point.value).collect();
    let ticks = ticks(largest(&values), unit.step_min);
    let shapes = match mark {
        Mark::Bars => view! { <path class="chart-bars" d=bars(&values, top(&ticks), BAR) /> }.into_any(),
        Mark::Line => view! {
            <path class="chart-area" d=area(&values, top(&ticks)) />
            <path class="chart-line" d=line(&values, top(&ticks)) />
        }
        .into_any(),
    };
    let every = points.len().div_ceil(MOMENTS_SHOWN).max(1);
    let shown = points.iter().enumerate().step_by(every);
    let labels =
        shown.map(|(at, point)| Label { at: middle(at, points.len()), text: point.label.clone(), is_minor: !at.is_multiple_of(2 * every) });
    let labels = labels.collect();
    figure(Words { id, title, summary, axis, unit, labels, rows: points }, &ticks, shapes)
}

/// How many values fall into each of some classes. `bounds` says where each class ends and the next begins, so there is one
/// value more than there are bounds; the others are those of a [`TimeSeries`].
#[component]
pub fn Distribution(
    id: &'static str,
    title: &'static str,
    summary: String,
    unit: Unit,
    axis: &'static str,
    bounds: Vec<String>,
    values: Vec<f64>,
) -> impl IntoView {
    let ticks = ticks(largest(&values), unit.step_min);
    let shapes = view! { <path class="chart-bars" d=bars(&values, top(&ticks), BAR_OF_CLASS) /> }.into_any();
    let every = bounds.len().div_ceil(BOUNDS_SHOWN).max(1);
    let shown = bounds.iter().enumerate().step_by(every);
    let labels = shown.map(|(at, bound)| Label {
        at: (at + 1) as f64 * 100.0 / values.len() as f64,
        text: bound.clone(),
        is_minor: !at.is_multiple_of(2 * every),
    });
    let labels = labels.collect();
    let rows = values.iter().enumerate().map(|(class, value)| Point { label: class_name(class, &bounds), value: *value }).collect();
    figure(Words { id, title, summary, axis, unit, labels, rows }, &ticks, shapes)
}

fn figure(words: Words, ticks: &[f64], shapes: AnyView) -> impl IntoView + use<> {
    let Words { id, title, summary, axis, unit, labels, rows } = words;
    let (top, step) = (top(ticks), ticks.get(1).copied().unwrap_or(1.0));
    let grid: String = ticks.iter().map(|tick| format!("M0 {:.2}H100", height(*tick, top))).collect();
    let numbers = ticks.iter().map(|tick| view! { <text x="100%" y=format!("{:.2}%", height(*tick, top))>{number(*tick, step)}</text> });
    let numbers = numbers.collect_view();
    let labels = labels.into_iter().map(|label| {
        let class = if label.is_minor { "chart-label minor" } else { "chart-label" };
        view! { <text class=class x=format!("{:.2}%", label.at) y="50%">{label.text}</text> }
    });
    let rows = rows.into_iter().map(|row| {
        view! { <tr><th scope="row">{row.label}</th><td class="number" data-head=unit.name>{value(row.value)}</td></tr> }
    });
    let (title_id, summary_id) = (format!("{id}-title"), format!("{id}-summary"));
    view! {
        <figure class="chart">
            <figcaption>
                <span class="chart-title" id=title_id.clone()>{title}</span>
                <span class="hint" id=summary_id.clone()>{summary}</span>
            </figcaption>
            <div class="chart-body">
                <span class="chart-unit" aria-hidden="true">{unit.name}</span>
                <svg class="chart-ticks" aria-hidden="true">{numbers}</svg>
                <svg class="chart-plot" viewBox="0 0 100 100" preserveAspectRatio="none" role="img" aria-labelledby=format!("{title_id} {summary_id}")>
                    <path class="chart-grid" d=grid />
                    {shapes}
                </svg>
                <svg class="chart-labels" aria-hidden="true">{labels.collect_view()}</svg>
                <span class="chart-axis" aria-hidden="true">{axis}</span>
            </div>
            <details class="fold">
                <summary>"As a table"<span class="unseen">{format!(": {title}")}</span></summary>
                <table class="chart-table">
                    <thead><tr><th scope="col">{axis}</th><th scope="col" class="number">{unit.name}</th></tr></thead>
                    <tbody>{rows.collect_view()}</tbody>
                </table>
            </details>
        </figure>
    }
}

/// Round numbers from nothing to `max` or a little more, at equal steps: 1, 2 or 5 times a power of ten, and not less than
/// `step_min`.
fn ticks(max: f64, step_min: f64) -> Vec<f64> {
    let wanted = Some((max / STEPS_MAX).max(step_min)).filter(|step| *step > 0.0).unwrap_or(1.0);
    let power = 10_f64.powi(wanted.log10().floor() as i32);
    let round = [1.0, 2.0, 5.0].map(|factor| factor * power).into_iter().find(|step| *step >= wanted * (1.0 - INEXACT));
    let step = round.unwrap_or(10.0 * power);
    let steps = (max / step - INEXACT).ceil().max(1.0) as u32;
    (0..=steps).map(|number| f64::from(number) * step).collect()
}

fn top(ticks: &[f64]) -> f64 {
    ticks.last().copied().unwrap_or(1.0)
}

/// Of those that are numbers; nothing is less than nothing.
fn largest(values: &[f64]) -> f64 {
    values.iter().copied().filter(|value| value.is_finite()).fold(0.0, f64::max)
}

/// Where a value lies, from above.
fn height(value: f64, top: f64) -> f64 {
    100.0 - (value / top).clamp(0.0, 1.0) * 100.0
}

/// Where the middle of a place lies, from the left.
fn middle(at: usize, places: usize) -> f64 {
    (at as f64 + 0.5) * 100.0 / places as f64
}

/// One bar for each value, as wide as this part of its place.
fn bars(values: &[f64], top: f64, part: f64) -> String {
    let half = part * 50.0 / values.len() as f64;
    let bar = |(at, value): (usize, &f64)| {
        let (middle, height) = (middle(at, values.len()), height(*value, top));
        format!("M{:.2} 100V{height:.2}H{:.2}V100z", middle - half, middle + half)
    };
    values.iter().enumerate().filter(|(_, value)| **value > 0.0).map(bar).collect()
}

fn line(values: &[f64], top: f64) -> String {
    let corners = values.iter().enumerate().map(|(at, value)| format!("{:.2} {:.2}", middle(at, values.len()), height(*value, top)));
    let corners: Vec<_> = corners.collect();
    if corners.is_empty() { String::new() } else { format!("M{}", corners.join("L")) }
}

/// What lies below the line.
fn area(values: &[f64], top: f64) -> String {
    if values.is_empty() {
        return String::new();
    }
    let (first, last) = (middle(0, values.len()), middle(values.len() - 1, values.len()));
    format!("{}L{last:.2} 100L{first:.2} 100z", line(values, top))
}

/// A tick, with the decimals that its step has.
fn number(tick: f64, step: f64) -> String {
    if step >= 1.0 {
        return grouped(tick.round() as u64);
    }
    let decimals = (-step.log10()).ceil() as usize;
    format!("{tick:.decimals$}")
}

/// A value as the table has it: with one decimal, unless that says nothing.
fn value(value: f64) -> String {
    let tenths = (value * 10.0).round() as u64;
    if tenths.is_multiple_of(10) { grouped(tenths / 10) } else { format!("{}.{}", grouped(tenths / 10), tenths % 10) }
}

fn class_name(class: usize, bounds: &[String]) -> String {
    match (class.checked_sub(1).and_then(|before| bounds.get(before)), bounds.get(class)) {
        (None, Some(to)) => format!("up to {to}"),
        (Some(from), Some(to)) => format!("{from} to {to}"),
        (Some(from), None) => format!("more than {from}"),
        (None, None) => "all".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_reach_the_largest_value_in_at_most_five_steps() {
        for (max, step_min, expected) in [
            (0.0, 1.0, &[0.0, 1.0][..]),
            (1.0, 1.0, &[0.0, 1.0]),
            (3.0, 1.0, &[0.0, 1.0, 2.0, 3.0]),
            (7.0, 1.0, &[0.0, 2.0, 4.0, 6.0, 8.0]),
            (5.0, 1.0, &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]),
            (10.0, 1.0, &[0.0, 2.0, 4.0, 6.0, 8.0, 10.0]),
            (11.0, 1.0, &[0.0, 5.0, 10.0, 15.0]),
            (1234.0, 1.0, &[0.0, 500.0, 1000.0, 1500.0]),
            (0.5, 1.0, &[0.0, 1.0]),
            (0.0, 0.0, &[0.0, 1.0]),
        ] {
            assert_eq!(ticks(max, step_min), expected, "{max}");
        }
        for max in (1..2000).map(|tenths| f64::from(tenths) / 10.0) {
            let ticks = ticks(max, 0.001);
            let step = ticks[1];
            assert!(ticks.len() <= 6 && top(&ticks) >= max - INEXACT && top(&ticks) < max + step, "{max}: {ticks:?}");
        }
    }

    #[test]
    fn numbers_have_the_decimals_that_their_step_has() {
        assert_eq!([number(1500.0, 500.0), number(0.5, 0.5), number(0.05, 0.05), number(1.0, 0.2)], ["1,500", "0.5", "0.05", "1.0"]);
        assert_eq!([value(0.0), value(12.0), value(1234.56), value(0.04)], ["0", "12", "1,234.6", "0"]);
    }

    #[test]
    fn shapes_stand_on_the_ground_and_nothing_is_drawn_of_nothing() {
        assert_eq!(bars(&[0.0, 5.0], 10.0, 1.0), "M50.00 100V50.00H100.00V100z");
        assert_eq!(line(&[0.0, 10.0], 10.0), "M25.00 100.00L75.00 0.00");
        assert_eq!(area(&[10.0], 10.0), "M50.00 0.00L50.00 100L50.00 100z");
        assert_eq!((bars(&[], 1.0, 1.0), line(&[], 1.0), area(&[], 1.0)), (String::new(), String::new(), String::new()));
        assert_eq!(largest(&[f64::NAN, -1.0, 3.0, f64::INFINITY]), 3.0);
    }

    #[test]
    fn classes_are_named_by_their_bounds() {
        let bounds = ["1 s".to_owned(), "2 s".to_owned()];
        assert_eq!([0, 1, 2].map(|class| class_name(class, &bounds)), ["up to 1 s", "1 s to 2 s", "more than 2 s"]);
    }

    #[test]
    fn a_chart_has_a_name_and_a_table_of_all_its_values() {
        let points = (0..24).map(|hour| Point { label: format!("{hour:02}:00"), value: f64::from(hour) }).collect();
        let unit = Unit { name: "jobs", step_min: 1.0 };
        let html =
            view! { <TimeSeries id="c" title="Jobs by hour" summary="276 jobs.".to_owned() mark=Mark::Line unit axis="Hour" points /> }
                .to_html();
        assert!(html.contains("role=\"img\"") && html.contains("aria-labelledby=\"c-title c-summary\""), "{html}");
        assert_eq!((html.matches("<th scope=\"row\">").count(), html.matches("chart-label\"").count()), (24, 4), "{html}");
        assert_eq!(html.matches("chart-label minor").count(), 4, "{html}");
    }
}
