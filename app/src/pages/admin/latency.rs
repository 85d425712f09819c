//! How long jobs took, the queue included and the queue alone.

use super::section::{Section, empty, shown};
use crate::{
    components::{
        chart::{Distribution, Unit},
        table::Table,
    },
    words,
};
use domain::grouped;
use leptos::prelude::*;
use service::{ENDED_READ_MAX, LATENCY_BOUNDS_MS, Latency, Percentiles, operator::Part};

const JOBS: Unit = Unit { name: "jobs", step_min: 1.0 };

#[component]
pub fn LatencySection(latency: Part<Option<Latency>>) -> impl IntoView {
    let content = shown(latency, |latency| match latency {
        Some(latency) => view! { <Times latency /> }.into_any(),
        None => empty("No job has been finished within the last 24 hours."),
    });
    view! { <Section id="latency" title="Latency">{content}</Section> }
}

#[component]
fn Times(latency: Latency) -> impl IntoView {
    let Latency { jobs, total, waiting, by_total } = latency;
    let of = if jobs < ENDED_READ_MAX { words::jobs(jobs) } else { format!("the newest {} jobs", grouped(ENDED_READ_MAX)) };
    let summary =
        format!("Half of them took at most {}, 99 of 100 at most {}.", words::duration(total.p50_ms), words::duration(total.p99_ms));
    let bounds = LATENCY_BOUNDS_MS.map(words::about).to_vec();
    let values = by_total.into_iter().map(|jobs| jobs as f64).collect();
    view! {
        <p>{format!("Of {of} finished within the last 24 hours. ")}<a href="/admin/latency">"By phase, over any time"</a></p>
        <Table label="Percentiles of latency" heads=&["Time", "P50", "P90", "P99", "P99.9"]>
            <Row name="From submitting to done" times=total />
            <Row name="Of that, waiting for a worker" times=waiting />
        </Table>
        <Distribution
            id="latency-classes"
            title="From submitting to done"
            summary
            unit=JOBS
            axis="Time from submitting to done"
            bounds
            values
        />
    }
}

#[component]
fn Row(name: &'static str, times: Percentiles) -> impl IntoView {
    view! {
        <tr>
            <th scope="row">{name}</th>
            <td data-head="P50" class="number">{words::duration(times.p50_ms)}</td>
            <td data-head="P90" class="number">{words::duration(times.p90_ms)}</td>
            <td data-head="P99" class="number">{words::duration(times.p99_ms)}</td>
            <td data-head="P99.9" class="number">{words::duration(times.p999_ms)}</td>
        </tr>
    }
}
