//! What is around every chart: its name, axes, legend, table and file.
//!
//! Shapes are drawn in a box of 100 by 100 that is stretched to its place. Words are set beside it in their own size, so that
//! they are as large on a phone as on a desk. All that a chart shows stands in a table, too.

use super::{
    Unit,
    scale::{height, middle, number, top},
};
use crate::components::csv::quoted;
use leptos::prelude::*;
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

/// Labels under the plot that have room beside each other; half as many have on a phone.
const SHOWN: usize = 8;

/// A label that lies behind this, of 100 from the left, ends there: half of it has no room beside the plot of a phone.
const NEAR_END: f64 = 95.0;

/// A word under the plot.
pub struct Label {
    /// From the left, of 100.
    pub at: f64,
    pub text: String,
    /// There is no room for it on a phone.
    pub is_minor: bool,
}

/// How the first hour of a day is called, behind the day.
const MIDNIGHT: &str = ", 00:00";

/// Labels in the middles of places, as many as there is room for. A day is said once for the hours that follow it; of several days only these are named.
pub fn labels(texts: impl ExactSizeIterator<Item = String>) -> Vec<Label> {
    let (places, texts) = (texts.len(), texts.collect::<Vec<_>>());
    let days: Vec<_> = texts.iter().enumerate().filter_map(|(at, text)| Some((at, text.strip_suffix(MIDNIGHT)?.to_owned()))).collect();
    let named: Vec<_> = if days.len() > 2 { days } else { texts.into_iter().enumerate().collect() };
    let every = named.len().div_ceil(SHOWN).max(1);
    let shown: Vec<_> = named.into_iter().step_by(every).collect();
    let label = |(number, (at, text)): (usize, &(usize, String))| {
        let is_minor = !number.is_multiple_of(2);
        // The last one that is shown wherever this one is.
        let before = number.checked_sub(if is_minor { 1 } else { 2 }).map(|number| shown[number].1.as_str());
        Label { at: middle(*at, places), text: without_day(text, before), is_minor }
    };
    shown.iter().enumerate().map(label).collect()
}

/// `15:00` of `21 Nov, 15:00`, if the label before is of the same day.
fn without_day(text: &str, before: Option<&str>) -> String {
    let day = before.and_then(|before| before.split_once(", ")).map(|(day, _)| day);
    match text.split_once(", ") {
        Some((same, rest)) if Some(same) == day => rest.to_owned(),
        _ => text.to_owned(),
    }
}

fn label_class(label: &Label) -> &'static str {
    match (label.is_minor, label.at > NEAR_END) {
        (false, false) => "chart-label",
        (true, false) => "chart-label minor",
        (false, true) => "chart-label end",
        (true, true) => "chart-label minor end",
    }
}

/// What the caption, the axes and the table say.
pub struct Words {
    pub id: &'static str,
    pub title: String,
    pub summary: String,
    pub axis: &'static str,
    pub unit: Unit,
    pub ticks: Vec<f64>,
    pub labels: Vec<Label>,
    /// Above the plot.
    pub legend: Option<AnyView>,
    pub table: Table,
    /// Where more than the table is to be had as a file.
    pub csv: Option<String>,
    /// What lies above the highest tick is cut off.
    pub is_clipped: bool,
}

/// All values: a head for each column, and rows that begin with what they are of.
pub struct Table {
    pub heads: Vec<String>,
    pub rows: Vec<Row>,
}

pub struct Row {
    pub name: String,
    /// Where the jobs behind it are listed.
    pub link: Option<String>,
    pub cells: Vec<String>,
}

pub fn frame(words: Words, shapes: AnyView) -> impl IntoView + use<> {
    let Words { id, title, summary, axis, unit, ticks, labels, legend, table, csv, is_clipped } = words;
    let (top, step) = (top(&ticks), ticks.get(1).copied().unwrap_or(1.0));
    let grid: String = ticks.iter().map(|tick| format!("M0 {:.2}H100", height(*tick, top))).collect();
    let numbers = ticks.iter().map(|tick| view! { <text x="100%" y=format!("{:.2}%", height(*tick, top))>{number(*tick, step)}</text> });
    let numbers = numbers.collect_view();
    let labels = labels.into_iter().map(|label| {
        let class = label_class(&label);
        view! { <text class=class x=format!("{:.2}%", label.at) y="50%">{label.text}</text> }
    });
    let labels = labels.collect_view();
    let places = places(&table, unit);
    let (title_id, summary_id) = (format!("{id}-title"), format!("{id}-summary"));
    let plot = if is_clipped { "chart-plot clipped" } else { "chart-plot" };
    let file = csv.unwrap_or_else(|| file_of(axis, &table));
    let file = view! { <p class="row"><a class="button quiet small" href=file download=format!("{id}.csv")>"As a CSV file"<span class="unseen">{format!(": {title}")}</span></a></p> };
    view! {
        <figure class="chart">
            <figcaption>
                <span class="chart-title" id=title_id.clone()>{title.clone()}</span>
                <span class="hint" id=summary_id.clone()>{summary}</span>
            </figcaption>
            {legend}
            <div class="chart-body">
                <span class="chart-unit" aria-hidden="true">{unit.name}</span>
                <svg class="chart-ticks" aria-hidden="true">{numbers}</svg>
                <svg class=plot viewBox="0 0 100 100" preserveAspectRatio="none" role="img" aria-labelledby=format!("{title_id} {summary_id}")>
                    <path class="chart-grid" d=grid />
                    {shapes}
                </svg>
                {places}
                <svg class="chart-labels" aria-hidden="true">{labels}</svg>
                <span class="chart-axis" aria-hidden="true">{axis}</span>
            </div>
            <details class="fold">
                <summary>"As a table"<span class="unseen">{format!(": {title}")}</span></summary>
                {shown(axis, table)}
                {file}
            </details>
        </figure>
    }
}

/// For pointers and fingers: a place of the plot shows its row of the table while it is pointed at or tapped. A click leads where the row does; where
/// nothing can be pointed at, a tap must not lead away, and a link stands with the values. The keyboard reaches the table.
fn places(table: &Table, unit: Unit) -> impl IntoView + use<> {
    let count = table.rows.len();
    let places = table.rows.iter().enumerate().map(|(at, row)| {
        let class = if 2 * at < count { "chart-place" } else { "chart-place late" };
        let click = row.link.clone().map(|href| view! { <a class="chart-click" href=href tabindex="-1" aria-hidden="true"></a> });
        let link = row.link.clone().map(|href| view! { <a href=href>"See these requests"</a> });
        view! { <span class=class tabindex="-1">{click}<span class="chart-tip"><span>{tip(row, &table.heads, unit)}</span>{link}</span></span> }
    });
    view! { <div class="chart-places">{places.collect_view()}</div> }
}

/// `07:00 (jobs): Made 2; Failed 0`: each value with the name of its column, and their unit once. A column that has no other name needs none.
fn tip(row: &Row, heads: &[String], unit: Unit) -> String {
    let suffix = format!(", {}", unit.name);
    let cells = heads.iter().zip(&row.cells).map(|(head, cell)| match head.strip_suffix(&suffix) {
        Some(name) => format!("{name} {cell}"),
        None => cell.clone(),
    });
    format!("{} ({}): {}", row.name, unit.name, cells.collect::<Vec<_>>().join("; "))
}

/// What would end the address, or mean something else in it.
const NOT_IN_ADDRESS: &AsciiSet = &CONTROLS.add(b' ').add(b'"').add(b'#').add(b'%').add(b'<').add(b'>').add(b'&').add(b'+');

/// The table as a file, in its own address.
fn file_of(axis: &str, Table { heads, rows }: &Table) -> String {
    let head = std::iter::once(axis).chain(heads.iter().map(String::as_str)).map(quoted).collect::<Vec<_>>().join(",");
    let lines = rows.iter().map(|row| {
        let cells = row.cells.iter().map(|cell| plain(cell).unwrap_or_else(|| quoted(cell)));
        std::iter::once(quoted(&row.name)).chain(cells).collect::<Vec<_>>().join(",")
    });
    let text = std::iter::once(head).chain(lines).collect::<Vec<_>>().join("\n");
    format!("data:text/csv;charset=utf-8,{}", utf8_percent_encode(&text, NOT_IN_ADDRESS))
}

/// A number as programs read it. `None`: it is none.
fn plain(cell: &str) -> Option<String> {
    let number = cell.replace(',', "");
    number.parse::<f64>().is_ok_and(f64::is_finite).then_some(number)
}

fn shown(axis: &'static str, Table { heads, rows }: Table) -> impl IntoView {
    let names = heads.clone();
    let rows = rows.into_iter().map(move |Row { name, link, cells }| {
        let cells = cells.into_iter().zip(names.clone());
        let cells = cells.map(|(cell, head)| view! { <td class="number" data-head=head>{cell}</td> }).collect_view();
        let name = match link {
            Some(href) => view! { <a href=href>{name}</a> }.into_any(),
            None => name.into_any(),
        };
        view! { <tr><th scope="row">{name}</th>{cells}</tr> }
    });
    let rows = rows.collect_view();
    let heads = heads.into_iter().map(|head| view! { <th scope="col" class="number">{head}</th> });
    view! {
        <table class="chart-table">
            <thead><tr><th scope="col">{axis}</th>{heads.collect_view()}</tr></thead>
            <tbody>{rows}</tbody>
        </table>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_said_once_for_its_hours_also_on_a_phone() {
        let hours = (15..40).map(|hour| format!("{} Nov, {:02}:00", 27 + hour / 24, hour % 24)).collect::<Vec<_>>();
        let labels = labels(hours.into_iter());
        let shown = |is_on_phone: bool| {
            let shown = labels.iter().filter(|label| !(is_on_phone && label.is_minor));
            shown.map(|label| label.text.as_str()).collect::<Vec<_>>()
        };
        assert_eq!(shown(true), ["27 Nov, 15:00", "23:00", "28 Nov, 07:00", "15:00"]);
        assert_eq!(shown(false), ["27 Nov, 15:00", "19:00", "23:00", "28 Nov, 03:00", "28 Nov, 07:00", "11:00", "15:00"]);
        assert_eq!(labels.iter().map(label_class).filter(|class| class.ends_with(" end")).count(), 1);
    }

    #[test]
    fn of_several_days_their_beginnings_are_named() {
        let hours = (1..170).map(|hour| format!("{} Nov, {:02}:00", 20 + hour / 24, hour % 24)).collect::<Vec<_>>();
        let labels = labels(hours.into_iter());
        let on_phone: Vec<_> = labels.iter().filter(|label| !label.is_minor).map(|label| label.text.as_str()).collect();
        assert_eq!((labels.len(), on_phone), (7, vec!["21 Nov", "23 Nov", "25 Nov", "27 Nov"]));
        assert!((labels[0].at - middle(23, 169)).abs() < 1e-9, "each stands below its first hour");
    }

    #[test]
    fn the_tip_of_a_place_names_its_values() {
        let row = Row { name: "07:00".into(), link: None, cells: vec!["2".into(), "0".into()] };
        let heads = ["Made, jobs", "Failed, jobs"].map(str::to_owned);
        let unit = Unit { name: "jobs", step_min: 1.0 };
        assert_eq!(tip(&row, &heads, unit), "07:00 (jobs): Made 2; Failed 0");
        assert_eq!(tip(&row, &["jobs".to_owned()], unit), "07:00 (jobs): 2");
    }

    #[test]
    fn a_table_is_a_file_that_programs_read() {
        let cells = ["1,234.5", "—", "$2.00"].map(str::to_owned).into();
        let table =
            Table { heads: ["a", "b", "c, \"d\""].map(str::to_owned).into(), rows: vec![Row { name: "=1".into(), link: None, cells }] };
        let file = file_of("Hour", &table);
        let text = percent_encoding::percent_decode_str(file.strip_prefix("data:text/csv;charset=utf-8,").unwrap()).decode_utf8().unwrap();
        assert_eq!(text, "\"Hour\",\"a\",\"b\",\"c, \"\"d\"\"\"\n\"'=1\",1234.5,\"—\",\"$2.00\"");
    }

    #[test]
    fn a_place_leads_where_its_row_does_and_the_keyboard_takes_the_row() {
        let rows = ["a", "b"].map(|name| Row { name: name.into(), link: (name == "b").then(|| "/there".into()), cells: vec!["1".into()] });
        let table = Table { heads: vec!["jobs".into()], rows: rows.into() };
        let unit = Unit { name: "jobs", step_min: 1.0 };
        let words = Words {
            id: "x",
            title: "X".into(),
            summary: String::new(),
            axis: "Hour",
            unit,
            ticks: vec![0.0, 1.0],
            labels: labels(["a".to_owned(), "b".to_owned()].into_iter()),
            legend: None,
            table,
            csv: Some("/file.csv".into()),
            is_clipped: false,
        };
        let html = frame(words, ().into_any()).to_html();
        // Those of its row and its tip, and the one that takes clicks, which no key reaches, as no place is.
        assert_eq!((html.matches("href=\"/there\"").count(), html.matches("tabindex=\"-1\"").count()), (3, 3), "{html}");
        assert!(html.contains("href=\"/file.csv\"") && html.contains(">a (jobs): 1<") && html.contains(">b (jobs): 1<"), "{html}");
        assert!(html.matches("chart-place\"").count() == 1 && html.matches("chart-place late\"").count() == 1, "{html}");
    }
}
