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

/// What a cell holds of `text`: nothing where that is empty, so that a phone shows no label without a value.
pub fn filled(text: String) -> Option<String> {
    Some(text).filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_without_a_text_holds_nothing_at_all() {
        let cell = |text: &str| view! { <td>{filled(text.to_owned())}</td> }.to_html();
        assert!(cell("out of memory").contains(">out of memory<"), "{}", cell("out of memory"));
        assert!(!cell("").contains("> "), "a space is something: {}", cell(""));
    }
}
