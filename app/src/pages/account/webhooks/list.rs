//! The endpoints that there are.

use super::PAGE;
use crate::components::{moment::Moment, table::Table};
use leptos::prelude::*;
use service::WebhookEndpoint;

#[component]
pub fn Endpoints(endpoints: Vec<WebhookEndpoint>) -> impl IntoView {
    if endpoints.is_empty() {
        return view! { <p class="empty small">"No webhook endpoints yet. Create one above, and it is told from then on."</p> }.into_any();
    }
    let rows = endpoints.into_iter().map(|endpoint| {
        let state = state(&endpoint);
        let events: Vec<_> = endpoint.events.iter().map(|event| event.as_str()).collect();
        view! {
            <tr class:revoked=endpoint.disabled.is_some()>
                <th scope="row" class="wraps" dir="auto"><a href=format!("{PAGE}?endpoint={}", endpoint.id)>{endpoint.name}</a></th>
                <td data-head="Address" class="wraps"><span class="mono">{endpoint.url}</span></td>
                <td data-head="Told of" class="wraps">{events.join(", ")}</td>
                <td data-head="State">{state}</td>
                <td data-head="Waiting">{domain::grouped(endpoint.pending)}</td>
                <td data-head="Created"><Moment at=endpoint.created_at /></td>
            </tr>
        }
    });
    let rows = rows.collect_view();
    view! { <Table label="Your webhook endpoints" heads=&["Name", "Address", "Told of", "State", "Waiting", "Created"]>{rows}</Table> }
        .into_any()
}

/// How an endpoint does, in a word.
pub fn state(endpoint: &WebhookEndpoint) -> impl IntoView + use<> {
    let text = match (endpoint.disabled, endpoint.failing_since) {
        (Some(_), _) => "Disabled",
        (None, Some(_)) => "Failing",
        (None, None) => "Enabled",
    };
    view! { <span class="badge">{text}</span> }
}
