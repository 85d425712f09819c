//! Light or dark, against what the system says. Kept in a cookie, so the server draws the right one at once.

use super::browser;
use leptos::prelude::*;

#[island]
pub fn ThemeToggle() -> impl IntoView {
    let toggle = move |_| {
        let Some(root) = document().document_element() else { return };
        let chosen = root.get_attribute("data-theme");
        let dark = chosen.map_or_else(|| browser::matches("(prefers-color-scheme: dark)"), |theme| theme == "dark");
        let next = if dark { "light" } else { "dark" };
        let _ = root.set_attribute("data-theme", next);
        browser::set_cookie(&format!("theme={next}; Path=/; Max-Age=31536000; SameSite=Lax"));
    };
    view! {
        <button type="button" class="theme needs-script" aria-label="Switch between light and dark" on:click=toggle>
            <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
                <circle cx="12" cy="12" r="8" />
                <path class="theme-half" d="M12 4a8 8 0 0 1 0 16z" />
            </svg>
        </button>
    }
}
