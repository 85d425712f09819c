//! Drafts belong to an account: they go when it signs out, and when another is found to be signed in.

use crate::islands::create::draft;
use leptos::prelude::*;

pub fn guard() {
    draft::catch_up();
    let header = document().query_selector("[data-account]").ok().flatten();
    if let Some(account) = header.and_then(|header| header.get_attribute("data-account")) {
        draft::forget_all_but(&account);
    }
    window_event_listener_untyped("storage", |_| draft::catch_up());
}
