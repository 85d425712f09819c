//! Single jobs of the queue: those that have waited longest, and those in quarantine. What was asked for is not shown.

use super::{super::section::empty, PAGE, forms::ActButton};
use crate::{
    components::{moment::Ago, table::Table},
    words,
};
use domain::Timestamp;
use leptos::prelude::*;
use service::{
    QUARANTINED_LISTED,
    operator::{LongestWaiting, NamedJob},
};

#[component]
pub fn Longest(longest: LongestWaiting, is_first: bool, now: Timestamp) -> impl IntoView {
    let LongestWaiting { jobs, next } = longest;
    if jobs.is_empty() {
        return empty(if is_first { "Nothing waits in the queue." } else { "Nothing else waits." });
    }
    let rows = jobs.into_iter().map(move |NamedJob { job, tenant_name }| {
        let id = job.id.to_string();
        view! {
            <tr>
                <th scope="row" class="mono"><a href=format!("/admin/requests?id={id}")>{id.clone()}</a></th>
                <td data-head="Tenant" dir="auto">{tenant_name}</td>
                <td data-head="Model" class="mono">{job.model}</td>
                <td data-head="Lane">{job.lane.to_string()}</td>
                <td data-head="State">{job.state.replace('_', " ")}</td>
                <td data-head="Price" class="number">{words::video_seconds(job.billed)}</td>
                <td data-head="Submitted" class="number"><Ago at=job.created_at now /></td>
                <td><ActButton act="expedite" subject=id.clone() label="To the front" about=id.clone() /></td>
                <td><ActButton act="quarantine" subject=id.clone() label="Quarantine" about=id asks=true /></td>
            </tr>
        }
    });
    let next = next.map(|last| view! { <a class="button quiet" rel="next" href=format!("{PAGE}?after={last}#waiting")>"More"</a> });
    let first = (!is_first).then(|| view! { <a class="button quiet" href=format!("{PAGE}#waiting")>"From the oldest"</a> });
    view! {
        <Table
            label="The jobs that have waited longest"
            heads=&["Job", "Tenant", "Model", "Lane", "State", "Price", "Submitted", "Move", "Quarantine"]
        >
            {rows.collect_view()}
        </Table>
        <p class="row">{first}{next}</p>
    }
    .into_any()
}

#[component]
pub fn Quarantined(jobs: Vec<NamedJob>, now: Timestamp) -> impl IntoView {
    if jobs.is_empty() {
        return empty("No video is in quarantine.");
    }
    let is_full = jobs.len() as u64 >= QUARANTINED_LISTED;
    let only =
        is_full.then(|| view! { <p class="hint">{format!("Only the {QUARANTINED_LISTED} that were put there last are shown.")}</p> });
    let rows = jobs.into_iter().map(move |NamedJob { job, tenant_name }| {
        let id = job.id.to_string();
        let (since, reason) = job.quarantine.unwrap_or((job.created_at, String::new()));
        view! {
            <tr>
                <th scope="row" class="mono"><a href=format!("/admin/requests?id={id}")>{id.clone()}</a></th>
                <td data-head="Tenant" dir="auto">{tenant_name}</td>
                <td data-head="State">{job.state.replace('_', " ")}</td>
                <td data-head="Since" class="number"><Ago at=since now /></td>
                <td data-head="Why" class="wraps" dir="auto">{reason}</td>
                <td><ActButton act="lift" subject=id.clone() label="Lift" about=id /></td>
            </tr>
        }
    });
    view! {
        {only}
        <Table label="Jobs in quarantine" heads=&["Job", "Tenant", "State", "Since", "Why", "Lift"]>{rows.collect_view()}</Table>
    }
    .into_any()
}
