//! Short words for people who hear the page: what happened, when nothing else says it.

use leptos::prelude::*;
use std::time::Duration;

/// Cleared before, so that the same words are heard a second time.
pub fn say(words: &'static str) {
    let Some(place) = document().get_element_by_id("spoken") else { return };
    place.set_text_content(None);
    set_timeout(move || place.set_text_content(Some(words)), Duration::from_millis(50));
}
