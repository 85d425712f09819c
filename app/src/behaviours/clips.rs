//! Clips play while their card is pointed at or focused; where nothing can hover, while they are in sight.
//! Nothing is loaded before, and nothing moves for people who asked for less motion.

use crate::islands::browser;
use leptos::prelude::*;
use std::cell::OnceCell;
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{Element, Event, HtmlVideoElement, IntersectionObserver, IntersectionObserverEntry};

/// What counts as the card of a clip.
const CARD: &str = ".clip, [data-clip]";

thread_local! {
    /// On a touch screen.
    static IN_SIGHT: OnceCell<IntersectionObserver> = const { OnceCell::new() };
    static IGNORE: Closure<dyn FnMut(JsValue)> = Closure::new(|_| ());
}

pub fn listen() {
    if browser::matches("(prefers-reduced-motion: reduce)") {
        return;
    }
    for event in ["pointerover", "focusin"] {
        window_event_listener_untyped(event, |event| each(&event, play));
    }
    for event in ["pointerout", "focusout"] {
        window_event_listener_untyped(event, |event| each(&event, pause));
    }
    if browser::matches("(hover: none)") {
        play_in_sight();
    }
}

fn each(event: &Event, act: fn(&Element)) {
    let card = event.target().and_then(|target| target.dyn_into::<Element>().ok()?.closest(CARD).ok()?);
    if let Some(card) = card {
        act(&card);
    }
}

fn video(card: &Element) -> Option<HtmlVideoElement> {
    card.query_selector("video[data-src]").ok()??.dyn_into().ok()
}

fn play(card: &Element) {
    let Some(video) = video(card) else { return };
    if video.src().is_empty() {
        video.set_muted(true);
        video.set_src(&video.get_attribute("data-src").unwrap_or_default());
    }
    if let Ok(playing) = video.play() {
        // A pause before the first frame makes the promise fail, which is no one's trouble.
        IGNORE.with(|ignore| drop(playing.catch(ignore)));
    }
    let _ = video.class_list().add_1("plays");
}

fn pause(card: &Element) {
    if let Some(video) = video(card) {
        let _ = video.class_list().remove_1("plays");
        let _ = video.pause();
    }
}

fn play_in_sight() {
    let seen = Closure::<dyn Fn(js_sys::Array)>::new(|entries: js_sys::Array| {
        for entry in entries.iter().filter_map(|entry| entry.dyn_into::<IntersectionObserverEntry>().ok()) {
            let act = if entry.intersection_ratio() > 0.6 { play } else { pause };
            act(&entry.target());
        }
    });
    let options = web_sys::IntersectionObserverInit::new();
    options.set_threshold(&0.7.into());
    let observer = IntersectionObserver::new_with_options(seen.as_ref().unchecked_ref(), &options);
    seen.forget();
    if let Ok(observer) = observer {
        let _ = IN_SIGHT.with(|cell| cell.set(observer));
        watch();
    }
}

/// Clips that were not on the page before play in sight as well.
pub fn watch() {
    let Ok(cards) = document().query_selector_all("[data-clip]") else { return };
    for card in (0..cards.length()).filter_map(|index| cards.item(index)?.dyn_into::<Element>().ok()) {
        IN_SIGHT.with(|cell| cell.get().inspect(|observer| observer.observe(&card)).is_some());
    }
}
