//! Several lines over one axis, with moments marked on it: waits over the utilisation, costs over hours, percentiles over days.

use super::{
    Unit,
    frame::{Row, Table, Words, frame, labels as labels_of},
    scale::{Missing, height, line_and_dots, ticks, top, value},
};
use leptos::prelude::*;
use std::borrow::Cow;

/// Half of the width of a value that is marked, in hundredths of the plot.
const HALF_MARK: f64 = 1.6;
/// The colours and strokes of lines, by which they are told apart; more are drawn as the last.
const LINES: [&str; 4] = ["chart-line", "chart-line second", "chart-line third", "chart-line fourth"];

/// One line. A place may have no value.
#[derive(Debug, Clone)]
pub struct Series {
    pub name: Cow<'static, str>,
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

/// Lines over places that are equally far from each other. `top_max`: what is higher is cut off. `missing`: what is drawn between places
/// that have a value. `links`: where the jobs behind each place are listed; `csv`: where the same is to be had as a file.
#[component]
pub fn Lines(
    id: &'static str,
    #[prop(into)] title: String,
    summary: String,
    unit: Unit,
    axis: &'static str,
    labels: Vec<String>,
    series: Vec<Series>,
    #[prop(default = Vec::new())] marked: Vec<Marked>,
    #[prop(default = f64::INFINITY)] top_max: f64,
    #[prop(default = Missing::Gap)] missing: Missing,
    #[prop(default = Vec::new())] links: Vec<Option<String>>,
    #[prop(default = None)] csv: Option<String>,
) -> impl IntoView {
    let places = labels.len();
    let all = series.iter().flat_map(|line| line.values.iter().flatten()).chain(marked.iter().flat_map(|mark| &mark.values));
    let highest = all.copied().filter(|value| value.is_finite()).fold(0.0, f64::max);
    let ticks = ticks(highest.min(top_max), unit.step_min);
    let top = top(&ticks);
    let lines = series.iter().enumerate().map(|(at, line)| {
        let (class, (line, dots)) = (class_of(at), line_and_dots(&line.values, missing, |value| uncut_height(value, top)));
        view! { <path class=class d=line /><path class=format!("{class} dot") d=dots /> }
    });
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
    let shapes = view! { {marks.collect_view()}{lines} }.into_any();
    let legend = Some(legend(&series, &marked).into_any());
    let table = table(unit, &labels, &series, links);
    let labels = labels_of(labels.into_iter());
    frame(Words { id, title, summary, axis, unit, ticks, labels, legend, table, csv, is_clipped: true }, shapes)
}

fn class_of(line: usize) -> &'static str {
    LINES[line.min(LINES.len() - 1)]
}

const fn mark_class(mark: usize) -> &'static str {
    if mark == 0 { "chart-mark" } else { "chart-mark second" }
}

/// What each line and each mark is, beside a piece of it.
fn legend(series: &[Series], marked: &[Marked]) -> impl IntoView + use<> {
    let lines = series.iter().enumerate().map(|(at, line)| (class_of(at), "M0 5H32", line.name.to_string()));
    let marks = marked.iter().enumerate().map(|(at, mark)| (mark_class(at), "M16 0V10", mark.name.clone()));
    let entries = lines.chain(marks).map(|(class, d, name)| {
        view! { <li><svg class="chart-piece" viewBox="0 0 32 10" aria-hidden="true"><path class=class d=d /></svg>{name}</li> }
    });
    view! { <ul class="chart-legend">{entries.collect_view()}</ul> }
}

fn table(unit: Unit, labels: &[String], series: &[Series], links: Vec<Option<String>>) -> Table {
    let heads = series.iter().map(|line| format!("{}, {}", line.name, unit.name)).collect();
    let mut links = links.into_iter();
    let row = |(at, label): (usize, &String)| Row {
        name: label.clone(),
        link: links.next().flatten(),
        cells: series.iter().map(|line| line.values.get(at).copied().flatten().map_or_else(|| "—".to_owned(), value)).collect(),
    };
    Table { heads, rows: labels.iter().enumerate().map(row).collect() }
}

/// As [`middle`](super::scale::middle), also between places.
fn middle_of(at: f64, places: usize) -> f64 {
    (at + 0.5) * 100.0 / places.max(1) as f64
}

/// Where a value lies from above: what is above the plot is drawn there, and cut off.
fn uncut_height(value: f64, top: f64) -> f64 {
    100.0 - (value / top).clamp(0.0, 10.0) * 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_goes_through_the_places_that_have_a_value() {
        let paths = |values: &[Option<f64>]| line_and_dots(values, Missing::Gap, |value| uncut_height(value, 10.0));
        let of = |line: &str, dots: &str| (line.to_owned(), dots.to_owned());
        assert_eq!(paths(&[Some(0.0), None, Some(10.0), Some(20.0)]), of("M62.50 0.00L87.50 -100.00", "M12.50 100.00H12.51"));
        assert_eq!(paths(&[None, Some(f64::NAN)]), of("", ""));
        assert_eq!(paths(&[None, Some(5.0)]), of("", "M75.00 50.00H75.01"), "a single value is seen, too");
        assert_eq!((middle_of(0.0, 4), middle_of(1.5, 4), middle_of(0.0, 0)), (12.5, 50.0, 50.0));
    }

    #[test]
    fn no_two_lines_have_the_same_colour_or_the_same_strokes() {
        let style = include_str!("../../../../public/admin.css");
        let drawn = LINES.map(|classes| {
            let rule = format!(".{} {{ ", classes.replace(' ', "."));
            let (_, rest) = style.split_once(&rule).expect(classes);
            let declared = rest.split('}').next().unwrap_or_default();
            let value = |name: &str| declared.split("; ").find_map(|one: &str| one.trim().strip_prefix(name)).map(str::to_owned);
            [value("stroke: "), value("stroke-dasharray: ")]
        });
        for (at, [colour, strokes]) in drawn.iter().enumerate() {
            assert!(colour.is_some(), "{}", LINES[at]);
            assert!(drawn[..at].iter().all(|[other, others]| other != colour && others != strokes), "{}", LINES[at]);
        }
    }

    #[test]
    fn every_line_and_mark_has_a_name_and_every_value_a_cell() {
        let unit = Unit { name: "seconds", step_min: 0.1 };
        let series = ["P50", "P95"].map(|name| Series { name: name.into(), values: vec![Some(1.0), None, Some(3.0)] }).to_vec();
        let marked = vec![Marked { name: "now, 43 %".to_owned(), at: 0.5, values: vec![2.0] }];
        let labels = ["10 %", "20 %", "30 %"].map(str::to_owned).to_vec();
        let html =
            view! { <Lines id="w" title="Waits" summary="Short.".to_owned() unit axis="Utilisation" labels series marked /> }.to_html();
        assert!(html.contains("aria-labelledby=\"w-title w-summary\"") && html.contains("now, 43 %"), "{html}");
        assert_eq!((html.matches("<th scope=\"row\">").count(), html.matches("data-head=").count()), (3, 6), "{html}");
        assert_eq!((html.matches("—<!></td>").count(), html.matches("chart-piece").count()), (2, 3), "{html}");
        assert!(html.contains(">20 % (seconds): P50 —; P95 —<"), "{html}");
    }
}
