//! The lines of the log.

use crate::{
    components::{moment::Moment, table::Table},
    words,
};
use domain::{TenantId, Timestamp};
use leptos::prelude::*;
use service::{RequestRow, RequestStatus};
use std::collections::HashMap;

const HEADS: [&str; 8] = ["Came", "What", "Status", "Model", "Lane", "Waited", "Took", "Charged"];
const HEADS_OF_ALL: [&str; 8] = ["Came", "Tenant", "Status", "Model", "Lane", "Waited", "Took", "Charged"];

/// `page`: where one request is looked at. `names`: of tenants, in the log of all; else what was asked for is shown.
#[component]
pub fn Rows(rows: Vec<RequestRow>, page: &'static str, #[prop(optional)] names: Option<HashMap<TenantId, String>>) -> impl IntoView {
    let heads = if names.is_some() { &HEADS_OF_ALL } else { &HEADS };
    let rows = rows.into_iter().map(move |row| {
        let href = format!("{page}?id={}", row.id);
        let what = match &names {
            Some(names) => names.get(&row.tenant).cloned().unwrap_or_else(|| "gone".to_owned()),
            None => words::shortened(&row.prompt, 80),
        };
        let since_created = |until: Option<Timestamp>| until.map(|until| until.ms_since(row.created_at));
        let told = |ms: Option<u64>| ms.map_or_else(|| "—".to_owned(), words::duration);
        let waited = told(waited_ms(since_created(row.started_at.or(row.ended_at)), row.decoder_wait_ms));
        let took = told(since_created(row.ended_at));
        let status = status(&row.state);
        let failure = row.failure.map(|code| view! { " "<code>{code}</code> });
        view! {
            <tr>
                <th scope="row"><a href=href><Moment at=row.created_at /></a></th>
                <td data-head=heads[1] class="wraps" dir="auto">{what}</td>
                <td data-head=HEADS[2]>{status}{failure}</td>
                <td data-head=HEADS[3]><code>{row.model}</code></td>
                <td data-head=HEADS[4]>{row.lane.as_str()}</td>
                <td data-head=HEADS[5] class="number">{waited}</td>
                <td data-head=HEADS[6] class="number">{took}</td>
                <td data-head=HEADS[7] class="number">{row.charged.map_or_else(|| "—".to_owned(), words::video_seconds)}</td>
            </tr>
        }
    });
    view! { <Table label="Log of requests" heads>{rows.collect_view()}</Table> }
}

/// Until it was begun, and until a decoder had it; of what ended before, until then.
fn waited_ms(for_worker_ms: Option<u64>, for_decoder_ms: Option<u64>) -> Option<u64> {
    for_worker_ms.map(|ms| ms.saturating_add(for_decoder_ms.unwrap_or_default()))
}

/// What is chosen among, in the words of the log.
pub const fn status_chosen(status: RequestStatus) -> &'static str {
    match status {
        RequestStatus::Open => "waiting or being made",
        RequestStatus::Succeeded => "made",
        RequestStatus::Failed => "failed",
        RequestStatus::Cancelled => "cancelled",
    }
}

/// A state as it is stored, in a word.
pub fn status(state: &str) -> &'static str {
    match state {
        "succeeded" => "made",
        "failed" => "failed",
        "cancelled" => "cancelled",
        "sampling" | "decoding" => "being made",
        "sampled" => "waiting for a decoder",
        "throttled" => "not in the queue yet",
        "retry_sampling" | "retry_decoding" => "to be tried again",
        _ => "waiting",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_counts_the_wait_for_a_decoder_as_waited() {
        let told = [(Some(12_000), Some(166_000)), (Some(12_000), None), (None, None)].map(|(worker, decoder)| waited_ms(worker, decoder));
        assert_eq!(told, [Some(178_000), Some(12_000), None]);
    }

    #[test]
    fn what_has_ended_is_chosen_by_the_word_that_the_log_has_for_it() {
        for of in RequestStatus::ALL.into_iter().filter(|of| *of != RequestStatus::Open) {
            assert_eq!(status_chosen(of), status(of.as_str()));
        }
        assert_eq!(status("sampled"), "waiting for a decoder", "as elsewhere");
        assert_eq!(["ready", "sampling"].map(|state| status_chosen(RequestStatus::Open).contains(status(state))), [true; 2]);
    }
}
