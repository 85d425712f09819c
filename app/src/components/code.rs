//! Code to copy, with its own copy button.

use leptos::prelude::*;

#[component]
pub fn Code(#[prop(into)] text: String, #[prop(into)] label: String) -> impl IntoView {
    view! {
        <figure class="code">
            <figcaption>
                <span>{label.clone()}</span>
                <Copy what=label />
            </figcaption>
            <pre tabindex="0"><code>{text}</code></pre>
        </figure>
    }
}

/// Copies `text`, or without one the code of its figure; useless without a script and hidden then.
#[component]
pub fn Copy(#[prop(optional, into)] text: String, #[prop(into)] what: String) -> impl IntoView {
    view! {
        <button type="button" class="copy needs-script" data-copy=text aria-label=format!("Copy {what}")>
            <span class="copy-before">"Copy"</span>
            <span class="copy-after" aria-hidden="true">"Copied"</span>
        </button>
    }
}
