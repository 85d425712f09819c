//! How much waits: by line and device, by tenant beside its share, and outside of the queue.

use super::{super::section::empty, forms::ActButton};
use crate::{
    components::{moment::Ago, table::Table},
    words,
};
use domain::Timestamp;
use leptos::prelude::*;
use service::{
    COUNTED_MAX, ThrottledWork,
    operator::{LineDepth, TenantOfQueue},
};

#[component]
pub fn Depths(lines: Vec<LineDepth>, jobs: u64, is_part: bool, now: Timestamp) -> impl IntoView {
    if lines.is_empty() {
        return empty("Nothing waits in the queue.");
    }
    let rows = lines.into_iter().map(move |line| {
        let device = match (line.device, line.workers) {
            (Some(device), 1) => format!("{device}, one worker"),
            (Some(device), workers) => format!("{device}, {workers} workers"),
            (None, _) => "no machine has this model".to_owned(),
        };
        view! {
            <tr>
                <th scope="row" class="mono">{line.model}</th>
                <td data-head="Device">{device}</td>
                <td data-head="Lane">{line.lane.to_string()}</td>
                <td data-head="Waiting" class="number">{words::video_seconds(line.billed)}</td>
                <td data-head="Jobs" class="number">{counted_or_more(line.jobs, line.is_part)}</td>
                <td data-head="Oldest" class="number"><Ago at=line.since now /></td>
            </tr>
        }
    });
    let all = format!("{} in the queue. What several kinds of devices can make stands with each of them.", jobs_of(jobs, is_part));
    view! {
        <p class="small">{all}</p>
        <Table label="Depth by model, device and lane" heads=&["Model", "Device", "Lane", "Waiting", "Jobs", "Oldest"]>{rows.collect_view()}</Table>
    }
    .into_any()
}

#[component]
pub fn Tenants(tenants: Vec<TenantOfQueue>, now: Timestamp) -> impl IntoView {
    if tenants.is_empty() {
        return empty("Nobody waits, and nothing was made within the hour.");
    }
    let rows = tenants.into_iter().map(move |tenant| {
        let id = tenant.id.to_string();
        let oldest = tenant.since.map(|since| view! { <Ago at=since now /> });
        let wanted = tenant.share.wanted_permille.map_or_else(|| "waits for nothing".to_owned(), percent);
        let name = tenant.name.clone();
        view! {
            <tr>
                <th scope="row" dir="auto"><span title=id.clone()>{name}</span></th>
                <td data-head="Weight" class="number">{tenant.weight}</td>
                <td data-head="Share by weight" class="number">{wanted}</td>
                <td data-head="Share had" class="number">{percent(tenant.share.had_permille)}</td>
                <td data-head="Waiting" class="number">{words::video_seconds(tenant.waiting)}</td>
                <td data-head="Oldest" class="number">{oldest}</td>
                <td><ActButton act="pause" subject=format!("tenant:{id}") label="Pause" about=tenant.name asks=true /></td>
            </tr>
        }
    });
    view! {
        <p class="small">"The share by weight is among those that wait now; the share had is of all that was made within the last hour or is being made."</p>
        <Table
            label="Shares by tenant"
            heads=&["Tenant", "Weight", "Share by weight", "Share had", "Waiting", "Oldest", "Pause"]
        >
            {rows.collect_view()}
        </Table>
    }
    .into_any()
}

#[component]
pub fn Throttled(works: Vec<(String, ThrottledWork)>, is_part: bool, now: Timestamp) -> impl IntoView {
    if works.is_empty() {
        return empty("No plan keeps a video outside of the queue.");
    }
    let rows = works.into_iter().map(move |(name, work)| {
        view! {
            <tr>
                <th scope="row" dir="auto"><span title=work.tenant.to_string()>{name}</span></th>
                <td data-head="Waiting" class="number">{words::video_seconds(work.billed)}</td>
                <td data-head="Jobs" class="number">{domain::grouped(work.jobs)}</td>
                <td data-head="Oldest" class="number"><Ago at=work.since now /></td>
            </tr>
        }
    });
    let rows = rows.collect_view();
    view! {
        {is_part.then(|| view! { <p class="small">{part()}</p> })}
        <Table label="Throttled by tenant" heads=&["Tenant", "Waiting", "Jobs", "Oldest"]>{rows}</Table>
    }
    .into_any()
}

fn part() -> String {
    format!("No more than {} jobs are counted: there are others, maybe of other tenants.", domain::grouped(COUNTED_MAX))
}

fn jobs_of(jobs: u64, is_part: bool) -> String {
    if is_part { format!("{} jobs", counted_or_more(jobs, true)) } else { words::jobs(jobs) }
}

/// `is_part`: no more were counted.
fn counted_or_more(jobs: u64, is_part: bool) -> String {
    if is_part { format!("{} or more", domain::grouped(jobs)) } else { domain::grouped(jobs) }
}

/// Of thousandths: `25 %`, `0.5 %`.
fn percent(permille: u32) -> String {
    if permille.is_multiple_of(10) { format!("{} %", permille / 10) } else { format!("{}.{} %", permille / 10, permille % 10) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_told_to_a_tenth_where_they_have_one() {
        assert_eq!([0, 5, 250, 333, 1000].map(percent), ["0 %", "0.5 %", "25 %", "33.3 %", "100 %"]);
    }
}
