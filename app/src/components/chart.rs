//! Charts that are drawn on the server, without a script: a time series, a distribution, several lines over one axis, and a line without one.
//!
//! All have one frame: what is around the shapes is in `frame`, and where values lie in `scale`.

mod frame;
mod lines;
mod scale;
mod spark;

pub use lines::{Lines, Marked, Series};
pub use scale::Missing;
pub use spark::Spark;

use frame::{Label, Row, Table, Words, frame, labels};
use leptos::prelude::*;
use scale::{height, largest, middle, ticks, top, value};

/// Labels under a distribution that have room beside each other; half as many have on a phone.
const BOUNDS_SHOWN: usize = 12;
/// How much of its place a bar fills.
const BAR: f64 = 0.72;
const BAR_OF_CLASS: f64 = 0.96;

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

/// Values at equal spans of time, the oldest first. `id` is the chart's own within its page, `summary` says in a sentence
/// what there is to see, `axis` what the points stand for.
#[component]
pub fn TimeSeries(
    id: &'static str,
    #[prop(into)] title: String,
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
    let labels = labels(points.iter().map(|point| point.label.clone()));
    let rows = points.into_iter().map(|Point { label, value }| row(label, value)).collect();
    let table = Table { heads: vec![unit.name.to_owned()], rows };
    frame(Words { id, title, summary, axis, unit, ticks, labels, legend: None, table, csv: None, is_clipped: false }, shapes)
}

/// How many values fall into each of some classes. `bounds` says where each class ends and the next begins, so there is one
/// value more than there are bounds; the others are those of a [`TimeSeries`].
#[component]
pub fn Distribution(
    id: &'static str,
    #[prop(into)] title: String,
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
    let rows = values.iter().enumerate().map(|(class, value)| row(class_name(class, &bounds), *value)).collect();
    let table = Table { heads: vec![unit.name.to_owned()], rows };
    frame(Words { id, title, summary, axis, unit, ticks, labels, legend: None, table, csv: None, is_clipped: false }, shapes)
}

fn row(name: String, of: f64) -> Row {
    Row { name, link: None, cells: vec![value(of)] }
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
    fn shapes_stand_on_the_ground_and_nothing_is_drawn_of_nothing() {
        assert_eq!(bars(&[0.0, 5.0], 10.0, 1.0), "M50.00 100V50.00H100.00V100z");
        assert_eq!(line(&[0.0, 10.0], 10.0), "M25.00 100.00L75.00 0.00");
        assert_eq!(area(&[10.0], 10.0), "M50.00 0.00L50.00 100L50.00 100z");
        assert_eq!((bars(&[], 1.0, 1.0), line(&[], 1.0), area(&[], 1.0)), (String::new(), String::new(), String::new()));
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
