//! How well the times held that jobs were told, and what they are made of: what each stage takes of a device.

use super::section::{Section, empty, shown};
use crate::{components::table::Table, words};
use domain::{grouped, scheduling::ErrorSize};
use leptos::prelude::*;
use service::{
    EtaCoverage, StageTime,
    operator::{HOURS, Part},
};

const HEADS: [&str; 7] =
    ["Model", "Stage", "Device", "Measured", "For a second of video", "Half are off by less than", "19 of 20 by less than"];
const NONE: &str = "No stage has been measured yet.";

#[component]
pub fn TimesSection(coverage: Part<EtaCoverage>, stage_times: Vec<StageTime>) -> impl IntoView {
    let coverage = shown(coverage, |coverage| view! { <Coverage coverage /> }.into_any());
    let stages = if stage_times.is_empty() {
        empty(NONE)
    } else {
        let rows = stage_times.into_iter().map(|time| view! { <Row time /> });
        view! { <Table label="What stages take" heads=&HEADS>{rows.collect_view()}</Table> }.into_any()
    };
    view! { <Section id="times" title="Expected times">{coverage}{stages}</Section> }
}

#[component]
fn Coverage(coverage: EtaCoverage) -> impl IntoView {
    let EtaCoverage { ended, told, .. } = coverage;
    if ended == 0 {
        return empty("No job that was asked for by itself has been finished within the last 24 hours.");
    }
    view! {
        <dl class="facts">
            <div><dt>"Ended within the longest time told"</dt><dd>{in_time(coverage)}</dd></div>
            <div><dt>"Told a time when submitted"</dt><dd>{part_of(told, ended)}</dd></div>
            <div><dt>{format!("Jobs of the last {HOURS} hours, without batches")}</dt><dd>{grouped(ended)}</dd></div>
        </dl>
    }
    .into_any()
}

#[component]
fn Row(time: StageTime) -> impl IntoView {
    let StageTime { model, device, stage, measurements, ms_per_video_second, error } = time;
    let error = |size: fn(&ErrorSize) -> f32| error.as_ref().map_or_else(unknown, |error| format!("{:.0} %", size(error) * 100.0));
    view! {
        <tr>
            <th scope="row"><code>{model}</code></th>
            <td data-head="Stage">{words::sentence(stage.as_str())}</td>
            <td data-head="Device">{if device.is_empty() { unknown() } else { device }}</td>
            <td data-head="Measured" class="number">{grouped(measurements)}</td>
            <td data-head="For a second of video" class="number">{ms_per_video_second.map_or_else(unknown, milliseconds)}</td>
            <td data-head="Half are off by less than" class="number">{error(|error| error.median)}</td>
            <td data-head="19 of 20 by less than" class="number">{error(|error| error.p95)}</td>
        </tr>
    }
}

fn in_time(coverage: EtaCoverage) -> String {
    match coverage.kept() {
        Some(part) => format!("{:.1} %, of 90 % meant", part * 100.0),
        None => "too few to tell".to_owned(),
    }
}

fn unknown() -> String {
    "unknown".to_owned()
}

fn milliseconds(ms: f64) -> String {
    if ms < 1000.0 { format!("{ms:.0} ms") } else { format!("{:.1} s", ms / 1000.0) }
}

fn part_of(part: u64, whole: u64) -> String {
    if whole == 0 { "none".to_owned() } else { format!("{:.1} %", part as f64 * 100.0 / whole as f64) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_and_times_are_told_in_their_units() {
        assert_eq!([part_of(0, 0), part_of(9, 10), part_of(1, 3)], ["none", "90.0 %", "33.3 %"]);
        let coverage = EtaCoverage { ended: 50, told: 40, covered: 35 };
        assert_eq!(in_time(coverage), "87.5 %, of 90 % meant");
        assert_eq!(in_time(EtaCoverage { told: 2, covered: 0, ..coverage }), "too few to tell");
        assert_eq!([milliseconds(7.4), milliseconds(1250.0)], ["7 ms", "1.2 s"]);
    }
}
