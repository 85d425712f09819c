//! The workers: whether they are alive, how they fare, and what they hold.

use super::section::{Section, empty, shown};
use crate::components::{moment::Ago, table::Table};
use domain::Timestamp;
use leptos::prelude::*;
use service::{ALIVE_MS, FLEET_WORKERS_MAX, WorkerSeen, operator::Part};

/// Of an id: enough to tell a few workers apart, and to find one in the log.
const SHORT: usize = 8;
/// One that ends by itself, as after it was drained, is not told any more; one that falls silent is, for a day.
pub(super) const NO_WORKER: &str = "No worker is there: none runs, and none fell silent within a day. Start one to make videos.";

#[component]
pub fn WorkersSection(workers: Part<Vec<WorkerSeen>>, now: Timestamp) -> impl IntoView {
    let content = shown(workers, |workers| {
        if workers.is_empty() {
            return empty(NO_WORKER);
        }
        let hint = only_listed(workers.len() as u64).map(|hint| view! { <p class="hint">{hint}</p> });
        let rows = workers.into_iter().map(move |worker| view! { <Worker worker now /> });
        view! {
            <Table label="List of workers" heads=&["Worker", "Role", "Device", "Condition", "Last seen", "Started", "Holds"]>{rows.collect_view()}</Table>
            {hint}
        }
        .into_any()
    });
    view! {
        <Section id="workers" title="Workers">
            {content}
            <p class="row">
                <a class="button quiet" href="/admin/fleet">"Fleet: jobs, slots and scaling"</a>
                <a class="button quiet" href="/admin/capacity">"Capacity planner"</a>
            </p>
        </Section>
    }
}

#[component]
fn Worker(worker: WorkerSeen, now: Timestamp) -> impl IntoView {
    let is_alive = now.ms_since(worker.seen_at) <= ALIVE_MS.unsigned_abs();
    let (condition, class) = match condition(&worker.condition, worker.sampling + worker.decoding, is_alive) {
        (condition, true) => (condition.to_owned(), ""),
        (condition, false) => (condition.to_owned(), "bad"),
    };
    let id = worker.id.to_string();
    view! {
        <tr>
            <th scope="row" class="mono"><span title=id.clone()>{short(&id)}</span></th>
            <td data-head="Role">{worker.role}</td>
            <td data-head="Device">{worker.device}</td>
            <td data-head="Condition" class=class>{condition}</td>
            <td data-head="Last seen" class="number"><Ago at=worker.seen_at now /></td>
            <td data-head="Started" class="number"><Ago at=worker.started_at now /></td>
            <td data-head="Holds">{held(worker.sampling, worker.decoding)}</td>
        </tr>
    }
}

/// What is said below a list of so many workers, where there may be more.
pub(super) fn only_listed(workers: u64) -> Option<String> {
    (workers >= FLEET_WORKERS_MAX).then(|| format!("Only the {FLEET_WORKERS_MAX} workers that were seen last are listed."))
}

/// How a worker of this stored condition fares that holds so many jobs, and whether that is well.
pub(super) fn condition(stored: &str, jobs: u64, is_alive: bool) -> (&str, bool) {
    match stored {
        _ if !is_alive => ("silent", false),
        "working" if jobs == 0 => ("ready", true),
        "working" => ("busy", true),
        other => (other, false),
    }
}

/// The end of an id, which is random; its beginning is the time, and the same for workers that start together.
pub(super) fn short(id: &str) -> String {
    let end: Vec<_> = id.chars().rev().take(SHORT).collect();
    format!("…{}", end.into_iter().rev().collect::<String>())
}

fn held(sampling: u64, decoding: u64) -> String {
    match (sampling, decoding) {
        (0, 0) => "nothing".to_owned(),
        (sampling, 0) => format!("{sampling} sampling"),
        (0, decoding) => format!("{decoding} decoding"),
        (sampling, decoding) => format!("{sampling} sampling, {decoding} decoding"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_that_may_be_cut_says_so() {
        assert_eq!(only_listed(FLEET_WORKERS_MAX - 1), None);
        assert_eq!(only_listed(FLEET_WORKERS_MAX).as_deref(), Some("Only the 200 workers that were seen last are listed."));
    }

    #[test]
    fn a_worker_that_takes_jobs_is_busy_only_while_it_has_one() {
        assert_eq!([0, 2].map(|jobs| condition("working", jobs, true)), [("ready", true), ("busy", true)]);
        assert_eq!([true, false].map(|is_alive| condition("stalled", 2, is_alive)), [("stalled", false), ("silent", false)]);
        assert_eq!(condition("working", 2, false), ("silent", false));
    }

    #[test]
    fn a_short_id_is_its_end() {
        assert_eq!(short("worker_0190aaaabbbb7ccc8dddeeeeffff0001"), "…ffff0001");
    }

    #[test]
    fn what_a_worker_holds_is_told_by_stage() {
        assert_eq!([held(0, 0), held(2, 0), held(0, 1), held(2, 1)], ["nothing", "2 sampling", "1 decoding", "2 sampling, 1 decoding"]);
    }
}
