//! A table of rows that are read, not typed into.

use leptos::prelude::*;

/// A table that is scrolled by itself where it has no room, and a list of its rows on a phone. It is a landmark, so `label`
/// is not the heading of its section.
#[component]
pub fn Table(label: &'static str, heads: &'static [&'static str], children: Children) -> impl IntoView {
    let heads = heads.iter().map(|head| view! { <th scope="col">{*head}</th> });
    view! {
        <div class="table-scroll" role="region" aria-label=label tabindex="0">
            <table>
                <thead><tr>{heads.collect_view()}</tr></thead>
                <tbody>{children()}</tbody>
            </table>
        </div>
    }
}
