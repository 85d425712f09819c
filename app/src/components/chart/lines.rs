//! Several lines over one axis, with moments marked on it: waits over the utilisation, costs over hours.

use super::{Label, MOMENTS_SHOWN, Unit, height, middle, number, ticks, top, value};
use leptos::prelude::*;

/// Half of the width of a value that is marked, in hundredths of the plot.
const HALF_MARK: f64 = 1.6;
/// What tells lines apart, beside their colour; more are drawn as the last.
const LINES: [&str; 4] = ["chart-line", "chart-line second", "chart-line third", "chart-line fourth"];

/// One line. A place without a value is left out.
#[derive(Debug, Clone)]
pub struct Series {
    pub name: &'static str,
    pub values: Vec<Option<f64>>,
}

/// Something to see on the axis, and values there that are no line's.
#[derive(Debug, Clone)]
pub struct Marked {
    pub name: String,
    /// Between the labels, from 0 on: 1.5 is half-way from the second to the third.
    pub at: f64,
    pub values: Vec<f64>,
}

/// Lines over places that are equally far from each other. `top_max`: what is higher is cut off.
#[component]
pub fn Lines(
    id: &'static str,
    title: &'static str,
    summary: String,
    unit: Unit,
    axis: &'static str,
    labels: Vec<String>,
    series: Vec<Series>,
    #[prop(default = Vec::new())] marked: Vec<Marked>,
    #[prop(default = f64::INFINITY)] top_max: f64,
) -> impl IntoView {
    let places = labels.len();
    let all = series.iter().flat_map(|line| line.values.iter().flatten()).chain(marked.iter().flat_map(|mark| &mark.values));
    let highest = all.copied().filter(|value| value.is_finite()).fold(0.0, f64::max);
    let ticks = ticks(highest.min(top_max), unit.step_min);
    let (top, step) = (top(&ticks), ticks.get(1).copied().unwrap_or(1.0));
    let lines = series.iter().enumerate().map(|(at, line)| view! { <path class=class_of(at) d=path(&line.values, top) /> });
    let lines = lines.collect_view();
    let marks = marked.iter().enumerate().map(|(at, mark)| {
        let x = middle_of(mark.at, places);
        let values: String =
            mark.values.iter().map(|value| format!("M{:.2} {:.2}H{:.2}", x - HALF_MARK, height(*value, top), x + HALF_MARK)).collect();
        view! {
            <path class=mark_class(at) d=format!("M{x:.2} 0V100") />
            <path class="chart-marked" d=values />
        }
    });
    let marks = marks.collect_view();
    let legend = legend(&series, &marked);
    let table = table(axis, unit, &labels, &series);
    let every = places.div_ceil(MOMENTS_SHOWN).max(1);
    let shown = labels.into_iter().enumerate().step_by(every);
    let labels = shown.map(|(at, text)| Label { at: middle(at, places), text, is_minor: !at.is_multiple_of(2 * every) });
    let labels = labels.map(|label| {
        let class = if label.is_minor { "chart-label minor" } else { "chart-label" };
        view! { <text class=class x=format!("{:.2}%", label.at) y="50%">{label.text}</text> }
    });
    let labels = labels.collect_view();
    let grid: String = ticks.iter().map(|tick| format!("M0 {:.2}H100", height(*tick, top))).collect();
    let numbers = ticks.iter().map(|tick| view! { <text x="100%" y=format!("{:.2}%", height(*tick, top))>{number(*tick, step)}</text> });
    let numbers = numbers.collect_view();
    let (title_id, summary_id) = (format!("{id}-title"), format!("{id}-summary"));
    view! {
        <figure class="chart">
            <figcaption>
                <span class="chart-title" id=title_id.clone()>{title}</span>
                <span class="hint" id=summary_id.clone()>{summary}</span>
            </figcaption>
            {legend}
            <div class="chart-body">
                <span class="chart-unit" aria-hidden="true">{unit.name}</span>
                <svg class="chart-ticks" aria-hidden="true">{numbers}</svg>
                <svg class="chart-plot clipped" viewBox="0 0 100 100" preserveAspectRatio="none" role="img" aria-labelledby=format!("{title_id} {summary_id}")>
                    <path class="chart-grid" d=grid />
                    {marks}
                    {lines}
                </svg>
                <svg class="chart-labels" aria-hidden="true">{labels}</svg>
                <span class="chart-axis" aria-hidden="true">{axis}</span>
            </div>
            <details class="fold">
                <summary>"As a table"<span class="unseen">{format!(": {title}")}</span></summary>
                {table}
            </details>
        </figure>
    }
}

fn class_of(line: usize) -> &'static str {
    LINES[line.min(LINES.len() - 1)]
}

const fn mark_class(mark: usize) -> &'static str {
    if mark == 0 { "chart-mark" } else { "chart-mark second" }
}

/// What each line and each mark is, beside a piece of it.
fn legend(series: &[Series], marked: &[Marked]) -> impl IntoView + use<> {
    let lines = series.iter().enumerate().map(|(at, line)| (class_of(at), "M0 5H32", line.name.to_owned()));
    let marks = marked.iter().enumerate().map(|(at, mark)| (mark_class(at), "M16 0V10", mark.name.clone()));
    let entries = lines.chain(marks).map(|(class, d, name)| {
        view! { <li><svg class="chart-piece" viewBox="0 0 32 10" aria-hidden="true"><path class=class d=d /></svg>{name}</li> }
    });
    view! { <ul class="chart-legend">{entries.collect_view()}</ul> }
}

fn table(axis: &'static str, unit: Unit, labels: &[String], series: &[Series]) -> impl IntoView + use<> {
    let heads = series.iter().map(|line| view! { <th scope="col" class="number">{format!("{}, {}", line.name, unit.name)}</th> });
    let heads = heads.collect_view();
    let rows = labels.iter().enumerate().map(|(at, label)| {
        let cells = series.iter().map(|line| {
            let text = line.values.get(at).copied().flatten().map_or_else(|| "—".to_owned(), value);
            view! { <td class="number" data-head=line.name>{text}</td> }
        });
        view! { <tr><th scope="row">{label.clone()}</th>{cells.collect_view()}</tr> }
    });
    let rows = rows.collect_view();
    view! {
        <table class="chart-table">
            <thead><tr><th scope="col">{axis}</th>{heads}</tr></thead>
            <tbody>{rows}</tbody>
        </table>
    }
}

/// As [`middle`], also between places.
fn middle_of(at: f64, places: usize) -> f64 {
    (at + 0.5) * 100.0 / places.max(1) as f64
}

/// Through the places that have a value. What is above the plot is drawn there, and cut off.
fn path(values: &[Option<f64>], top: f64) -> String {
    let corners = values.iter().enumerate().filter_map(|(at, value)| {
        let value = value.filter(|value| value.is_finite())?;
        Some(format!("{:.2} {:.2}", middle(at, values.len()), 100.0 - (value / top).clamp(0.0, 10.0) * 100.0))
    });
    let corners: Vec<_> = corners.collect();
    if corners.is_empty() { String::new() } else { format!("M{}", corners.join("L")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_goes_through_the_places_that_have_a_value() {
        assert_eq!(path(&[Some(0.0), None, Some(10.0), Some(20.0)], 10.0), "M12.50 100.00L62.50 0.00L87.50 -100.00");
        assert_eq!(path(&[None, Some(f64::NAN)], 1.0), "");
        assert_eq!((middle_of(0.0, 4), middle_of(1.5, 4), middle_of(0.0, 0)), (12.5, 50.0, 50.0));
    }

    #[test]
    fn every_line_and_mark_has_a_name_and_every_value_a_cell() {
        let unit = Unit { name: "seconds", step_min: 0.1 };
        let series = ["P50", "P95"].map(|name| Series { name, values: vec![Some(1.0), None, Some(3.0)] }).to_vec();
        let marked = vec![Marked { name: "now, 43 %".to_owned(), at: 0.5, values: vec![2.0] }];
        let labels = ["10 %", "20 %", "30 %"].map(str::to_owned).to_vec();
        let html =
            view! { <Lines id="w" title="Waits" summary="Short.".to_owned() unit axis="Utilisation" labels series marked /> }.to_html();
        assert!(html.contains("aria-labelledby=\"w-title w-summary\"") && html.contains("now, 43 %"), "{html}");
        assert_eq!((html.matches("<th scope=\"row\">").count(), html.matches("data-head=").count()), (3, 6), "{html}");
        assert_eq!((html.matches("—").count(), html.matches("chart-piece").count()), (2, 3), "{html}");
    }
}
