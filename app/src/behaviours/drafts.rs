//! Drafts belong to an account: they go when it signs out, and when another is found to be signed in.

use crate::islands::create::draft;
use leptos::{ev, prelude::*};
use wasm_bindgen::JsCast;
use web_sys::Element;

pub fn guard() {
    draft::catch_up();
    let header = document().query_selector("[data-account]").ok().flatten();
    if let Some(account) = header.and_then(|header| header.get_attribute("data-account")) {
        draft::forget_all_but(&account);
    }
    window_event_listener(ev::submit, |event| {
        let form = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        if form.is_some_and(|form| form.has_attribute("data-signs-out")) {
            draft::forget_all();
        }
    });
}
