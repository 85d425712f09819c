//! For the operator who has named a tenant: which one of several is meant, or that there is none.

use leptos::prelude::*;
use service::TenantFound;

/// Each of `found` with the address of the page that is about it alone.
#[component]
pub fn WhichTenant(found: Vec<(TenantFound, String)>) -> impl IntoView {
    if found.is_empty() {
        return view! { <p class="empty small">"No tenant has such a name, and no member of one such an address."</p> }.into_any();
    }
    let choices = found.into_iter().map(|(TenantFound { name, email, .. }, href)| {
        view! { <li><a href=href dir="auto">{name}</a>" "<span class="hint">{email}</span></li> }
    });
    view! { <p>"Which of these?"</p><ul>{choices.collect_view()}</ul> }.into_any()
}
