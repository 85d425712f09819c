//! What needs the operator's attention: rows that cannot be read, and the workers.

use crate::{
    components::{frame::Frame, moment::Moment, table::Table},
    pages::fault::page,
    session,
};
use leptos::prelude::*;
use service::{UnreadableRow, WorkerSeen};

#[component]
pub fn OverviewPage() -> impl IntoView {
    page(async move {
        let viewer = session::require_operator().await?;
        let attention = session::services().attention(viewer.installation_actor()).await?;
        Ok(view! {
            <Frame title="What needs attention" viewer=Some(viewer) class="page admin">
                <header class="page-head">
                    <h1>"What needs attention"</h1>
                    <p class="lead">"For the operator of this Reelmill alone."</p>
                </header>
                <section class="stack">
                    <h2>"Rows that cannot be read"</h2>
                    <UnreadableRows rows=attention.unreadable_rows />
                </section>
                <section class="stack">
                    <h2>"Workers"</h2>
                    <Workers workers=attention.workers />
                </section>
            </Frame>
        })
    })
}

#[component]
fn UnreadableRows(rows: Vec<UnreadableRow>) -> impl IntoView {
    if rows.is_empty() {
        return view! { <p class="empty small">"None: whatever was read in the database could be understood."</p> }.into_any();
    }
    let rows = rows.into_iter().map(|row| {
        view! {
            <tr>
                <th scope="row">{row.table}</th>
                <td data-head="Row" class="mono">{row.row}</td>
                <td data-head="Column" class="mono">{row.column}</td>
                <td data-head="It holds" class="mono">{row.reason}</td>
                <td data-head="First seen"><Moment at=row.first_seen /></td>
                <td data-head="Last seen"><Moment at=row.last_seen /></td>
            </tr>
        }
    });
    view! {
        <p>"They are passed over, and everything else goes on. A newer version may have written them, or a hand."</p>
        <Table label="Rows that cannot be read" heads=&["Table", "Row", "Column", "It holds", "First seen", "Last seen"]>{rows.collect_view()}</Table>
    }
    .into_any()
}

#[component]
fn Workers(workers: Vec<WorkerSeen>) -> impl IntoView {
    if workers.is_empty() {
        return view! { <p class="empty small">"No worker has been seen within a day. Start one to make videos."</p> }.into_any();
    }
    let rows = workers.into_iter().map(|worker| {
        view! {
            <tr>
                <th scope="row" class="mono">{worker.id.to_string()}</th>
                <td data-head="Role">{worker.role}</td>
                <td data-head="Device">{worker.device}</td>
                <td data-head="Condition">{worker.condition}</td>
                <td data-head="Started"><Moment at=worker.started_at /></td>
                <td data-head="Last seen"><Moment at=worker.seen_at /></td>
            </tr>
        }
    });
    view! { <Table label="Workers" heads=&["Worker", "Role", "Device", "Condition", "Started", "Last seen"]>{rows.collect_view()}</Table> }
        .into_any()
}
