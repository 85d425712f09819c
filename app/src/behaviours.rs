//! Small manners of the whole document, found by their `data-` attributes: clips that play, text that is
//! copied, dialogs that open, moments in the reader's own time zone, cards that keep up with their video or go
//! with it, drafts that stay with their account.
//!
//! One listener for the document instead of one for each element: pages need no island for them.

mod cards;
mod clicks;
mod clips;
mod drafts;
mod moments;
mod removals;
mod spoken;
mod unanswered;

use wasm_bindgen::JsCast;
use web_sys::{FormData, HtmlFormElement};

pub fn start() {
    cards::keep_fresh();
    clicks::listen();
    clips::listen();
    drafts::guard();
    removals::listen();
    unanswered::listen();
    moments::localise();
}

/// What the form would send, but for the button that is pressed.
fn fields(form: &HtmlFormElement) -> Vec<(String, String)> {
    let Ok(data) = FormData::new_with_form(form) else { return Vec::new() };
    let entries = data.entries().into_iter().filter_map(|entry| entry.ok()?.dyn_into::<js_sys::Array>().ok());
    entries.filter_map(|entry| Some((entry.get(0).as_string()?, entry.get(1).as_string()?))).collect()
}
