//! How much room a text has left, shown when it gets scarce.

use super::Form;
use domain::{
    catalog::{Field, PROMPT_CHARS_MAX, TEXT_BYTES_MAX},
    grouped,
};
use leptos::prelude::*;

/// The share of a limit from which on it is shown.
const NEAR: f64 = 0.9;

#[component]
pub fn Room(form: Form, field: Field) -> impl IntoView {
    let text = Memo::new(move |_| form.request.with(|request| used(request.get(field).unwrap_or_default())));
    view! { <p class="hint" id=format!("{}-count", field.name()) aria-live="polite">{move || text.get()}</p> }
}

/// What is used of the limit that is nearer; nothing while both are far.
fn used(text: &str) -> Option<String> {
    let (chars, bytes) = (text.chars().count(), text.len());
    let (of_chars, of_bytes) = (chars as f64 / PROMPT_CHARS_MAX as f64, bytes as f64 / TEXT_BYTES_MAX as f64);
    if of_chars.max(of_bytes) < NEAR {
        None
    } else if of_chars >= of_bytes {
        Some(format!("{} of {} characters", grouped(chars as u64), grouped(PROMPT_CHARS_MAX as u64)))
    } else {
        Some(format!("{:.1} of {} KiB", bytes as f64 / 1024.0, TEXT_BYTES_MAX / 1024))
    }
}

#[cfg(test)]
mod tests {
    use super::used;

    #[test]
    fn only_a_limit_that_is_near_is_named() {
        assert_eq!(used("a sea"), None);
        assert_eq!(used(&"a".repeat(31_000)).unwrap(), "31,000 of 32,000 characters");
        assert_eq!(used(&"海".repeat(21_000)).unwrap(), "61.5 of 64 KiB");
    }
}
