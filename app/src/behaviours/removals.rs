//! Deleting a card without leaving its page: the card goes, and the focus moves to its neighbour.

use super::{fields, spoken, unanswered};
use crate::islands::browser;
use leptos::{ev, prelude::*, task::spawn_local};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlFormElement};

const LINK: &str = ".clip-link";

pub fn listen() {
    window_event_listener(ev::submit, |event| {
        let form = event.target().and_then(|target| target.dyn_into::<HtmlFormElement>().ok());
        let Some((form, card)) = form.and_then(|form| Some((form.clone(), card_of(&form)?))) else { return };
        event.prevent_default();
        spawn_local(async move {
            let Some(answer) = browser::post(&form.action(), &fields(&form)).await else { return unanswered::say_unreachable(&form) };
            match answer.ok().then(|| browser::destination(&answer)) {
                Some(Some(place)) if place.starts_with("/signin") => browser::go_to(&browser::sign_in_and_return()),
                Some(_) => remove(&card),
                // The browser's own way shows what is wrong.
                None => drop(form.submit()),
            }
        });
    });
}

fn card_of(form: &HtmlFormElement) -> Option<Element> {
    document().get_element_by_id(&form.get_attribute("data-removes")?)
}

fn remove(card: &Element) {
    let Some(neighbour) = card.next_element_sibling().or_else(|| card.previous_element_sibling()) else {
        // The page says best what an empty library looks like.
        return browser::reload();
    };
    card.remove();
    browser::focus(&neighbour, LINK);
    spoken::say("Deleted");
}
