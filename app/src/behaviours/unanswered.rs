//! Forms that stay where they are when the server does not answer: the browser's own page of an error has nothing of
//! what was typed.

use super::fields;
use crate::islands::{browser, create::draft};
use leptos::{ev, prelude::*, task::spawn_local};
use wasm_bindgen::JsCast;
use web_sys::HtmlFormElement;

const UNREACHABLE: &str = "The server cannot be reached. Check your connection, then try again.";
const UNAVAILABLE: &str = "The server cannot answer right now, which is not your fault. Try again in a moment.";
const TOO_LARGE: &str = "This is too much to be sent. Make it shorter, then try again.";
const BUSY: &str = "Too many requests at this moment. Wait a moment, then try again.";
const SENDING: &str = "data-sending";
/// The same for who hears the page.
const BUSY_FORM: &str = "aria-busy";
/// On the form that ends the session, and with it the drafts.
const SIGNS_OUT: &str = "data-signs-out";

/// Sends forms that carry `data-stays`, and goes where the answer leads.
pub fn listen() {
    window_event_listener(ev::submit, |event| {
        let form = event.target().and_then(|target| target.dyn_into::<HtmlFormElement>().ok());
        let Some(form) = form.filter(|form| form.has_attribute("data-stays")) else { return };
        event.prevent_default();
        if form.has_attribute(SENDING) {
            return;
        }
        let _ = form.set_attribute(SENDING, "");
        let _ = form.set_attribute(BUSY_FORM, "true");
        let mut sent = fields(&form);
        // Which of its buttons was pressed is no field of a form; the first one stands for the Enter key.
        sent.extend(event.submitter().and_then(|button| Some((button.get_attribute("name")?, button.get_attribute("value")?))));
        spawn_local(async move {
            let answer = browser::post(&form.action(), &sent).await;
            let _ = form.remove_attribute(SENDING);
            let _ = form.remove_attribute(BUSY_FORM);
            let Some(answer) = answer else { return say_unreachable(&form) };
            match (answer.ok().then(|| browser::destination(&answer)).flatten(), answer.status()) {
                (Some(place), _) => {
                    if form.has_attribute(SIGNS_OUT) {
                        draft::forget_all();
                    }
                    browser::go_to(&place);
                }
                (None, 413) => say(&form, TOO_LARGE),
                (None, 429) => say(&form, BUSY),
                (None, _) => say(&form, UNAVAILABLE),
            }
        });
    });
}

/// Says in the form that the server cannot be reached.
pub fn say_unreachable(form: &HtmlFormElement) {
    say(form, UNREACHABLE);
}

fn say(form: &HtmlFormElement, words: &str) {
    if let Ok(Some(before)) = form.query_selector(":scope > [role=alert]") {
        before.remove();
    }
    if let Ok(alert) = document().create_element("p") {
        alert.set_class_name("notice");
        let _ = alert.set_attribute("role", "alert");
        alert.set_text_content(Some(words));
        let _ = form.append_child(&alert);
    }
}
