//! The requests that took longest to answer.

use super::section::{Section, empty};
use crate::components::{moment::Ago, table::Table};
use domain::{Timestamp, grouped};
use leptos::prelude::*;
use service::operator::SlowRequest;

#[component]
pub fn RequestsSection(requests: Vec<SlowRequest>, now: Timestamp) -> impl IntoView {
    let content = if requests.is_empty() {
        empty("No request has been answered within the last hour.")
    } else {
        let rows = requests.into_iter().map(move |request| view! { <Request request now /> });
        view! {
            <p>"The slowest within the last hour, of this server process alone; each until its answer began."</p>
            <Table label="The slowest requests" heads=&["Request", "Took", "Status", "Answered", "Request id"]>{rows.collect_view()}</Table>
        }
        .into_any()
    };
    view! { <Section id="requests" title="Slow requests">{content}</Section> }
}

#[component]
fn Request(request: SlowRequest, now: Timestamp) -> impl IntoView {
    let class = if request.status >= 500 { "number bad" } else { "number" };
    view! {
        <tr>
            <th scope="row" class="mono">{format!("{} {}", request.method, request.route)}</th>
            <td data-head="Took" class="number">{format!("{} ms", grouped(request.duration_ms))}</td>
            <td data-head="Status" class=class>{request.status.to_string()}</td>
            <td data-head="Answered" class="number"><Ago at=request.answered_at now /></td>
            <td data-head="Request id" class="mono">{request.id}</td>
        </tr>
    }
}
