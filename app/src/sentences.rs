//! Sentences as programs are told them, on pages.

use leptos::prelude::*;

/// With what stands between backticks as code.
pub fn with_code(text: &str) -> AnyView {
    let parts: Vec<_> = text.split('`').map(str::to_owned).collect();
    // One that has no second is part of the words.
    if parts.len().is_multiple_of(2) {
        return text.to_owned().into_any();
    }
    let shown = parts.into_iter().enumerate().filter(|(_, part)| !part.is_empty());
    let shown = shown.map(|(at, part)| if at % 2 == 1 { view! { <code>{part}</code> }.into_any() } else { part.into_any() });
    shown.collect_view().into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_between_backticks_is_code() {
        let shown = |text: &str| view! { <p>{with_code(text)}</p> }.to_html().replace("<!>", "");
        assert_eq!(shown("`seed` is no field of `a-1`."), "<p><code>seed</code> is no field of <code>a-1</code>.</p>");
        assert_eq!(shown("There is no `seed."), "<p>There is no `seed.</p>");
    }
}
