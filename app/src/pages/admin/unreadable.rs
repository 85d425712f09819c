//! Rows of the database that no process could make sense of.

use super::section::{Section, empty, shown};
use crate::components::{moment::Ago, table::Table};
use domain::Timestamp;
use leptos::prelude::*;
use service::{UnreadableRow, operator::Part};

#[component]
pub fn UnreadableSection(rows: Part<Vec<UnreadableRow>>, now: Timestamp) -> impl IntoView {
    let content = shown(rows, |rows| {
        if rows.is_empty() {
            return empty("None: whatever was read in the database could be understood.");
        }
        let rows = rows.into_iter().map(move |row| view! { <Row row now /> });
        view! {
            <p>"They are passed over, and everything else goes on. A newer version may have written them, or a hand."</p>
            <Table label="List of rows that cannot be read" heads=&["Table", "Row", "Column", "It holds", "First seen", "Last seen"]>{rows.collect_view()}</Table>
        }
        .into_any()
    });
    view! { <Section id="unreadable" title="Rows that cannot be read">{content}</Section> }
}

#[component]
fn Row(row: UnreadableRow, now: Timestamp) -> impl IntoView {
    view! {
        <tr>
            <th scope="row">{row.table}</th>
            <td data-head="Row" class="mono">{row.row}</td>
            <td data-head="Column" class="mono">{row.column}</td>
            <td data-head="It holds" class="mono">{row.reason}</td>
            <td data-head="First seen" class="number"><Ago at=row.first_seen now /></td>
            <td data-head="Last seen" class="number"><Ago at=row.last_seen now /></td>
        </tr>
    }
}
