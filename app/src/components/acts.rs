//! What was done, by whom and from where: a part of the audit log.

use super::{
    moment::Ago,
    table::{Table, filled},
};
use domain::{Act, Timestamp};
use leptos::prelude::*;
use service::AuditEntry;

/// `with_names`: several people may have done it.
#[component]
pub fn Acts(label: &'static str, acts: Vec<AuditEntry>, now: Timestamp, with_names: bool) -> impl IntoView {
    if acts.is_empty() {
        return view! { <p class="empty small">"Nothing yet."</p> }.into_any();
    }
    let rows = acts.into_iter().map(move |entry| {
        let AuditEntry { user, act, subject, address, at, .. } = entry;
        let who = user.unwrap_or_else(|| "Somebody who is not here any more".into());
        let subject = if matches!(act, Act::QueuePaused | Act::QueueResumed) { crate::words::pause_scope(&subject) } else { subject };
        let what = format!("{} {subject}", act.words());
        let said = if with_names { format!("{who} {what}") } else { crate::words::sentence(&what) };
        view! {
            <tr>
                <th scope="row" class="act" dir="auto">{said}</th>
                <td data-head="From">{filled(address)}</td>
                <td data-head="When"><Ago at now /></td>
            </tr>
        }
    });
    view! { <Table label heads=&["What", "From", "When"]>{rows.collect_view()}</Table> }.into_any()
}
