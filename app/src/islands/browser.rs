//! The few questions islands ask the browser itself. Called from event handlers only, never on the server.

use leptos::prelude::*;
use wasm_bindgen::{JsCast, closure::Closure};
use wasm_bindgen_futures::JsFuture;
use web_sys::Response;

/// Whether a media query holds.
pub fn matches(query: &str) -> bool {
    window().match_media(query).ok().flatten().is_some_and(|list| list.matches())
}

/// Digits that nobody had before; not to be used where guessing them would do harm.
pub fn random() -> String {
    format!("{:x}{:x}", js_sys::Math::random().to_bits(), js_sys::Math::random().to_bits())
}

pub fn set_cookie(cookie: &str) {
    if let Ok(document) = document().dyn_into::<web_sys::HtmlDocument>() {
        let _ = document.set_cookie(cookie);
    }
}

/// What is typed in the field that `selector` finds; empty when there is none.
pub fn value_of(selector: &str) -> String {
    let element = document().query_selector(selector).ok().flatten();
    element.and_then(|element| value(&element)).unwrap_or_default()
}

/// What is typed or chosen in a field, whichever element it is.
pub fn value(element: &web_sys::Element) -> Option<String> {
    if let Some(input) = element.dyn_ref::<web_sys::HtmlInputElement>() {
        Some(input.value())
    } else if let Some(area) = element.dyn_ref::<web_sys::HtmlTextAreaElement>() {
        Some(area.value())
    } else {
        element.dyn_ref::<web_sys::HtmlSelectElement>().map(web_sys::HtmlSelectElement::value)
    }
}

/// What the server says of this page by now; `None` when there is no answer.
pub async fn this_page() -> Option<Response> {
    let address = window().location().href().ok()?;
    JsFuture::from(window().fetch_with_str(&address)).await.ok()?.dyn_into().ok()
}

pub fn reload() {
    let _ = window().location().reload();
}

pub fn go_to(path: &str) {
    let _ = window().location().set_href(path);
}

/// Opens a `<details>`.
pub fn open(selector: &str) {
    if let Ok(Some(details)) = document().query_selector(selector) {
        let _ = details.set_attribute("open", "");
    }
}

pub fn focus(within: &web_sys::Element, selector: &str) {
    let found = within.query_selector(selector).ok().flatten();
    if let Some(element) = found.and_then(|element| element.dyn_into::<web_sys::HtmlElement>().ok()) {
        let _ = element.focus();
    }
}

/// Calls back when the picture at `url` has been loaded and decoded; never when it cannot be.
pub fn once_loaded(url: &str, then: impl FnOnce() + 'static) {
    if let Ok(image) = web_sys::HtmlImageElement::new() {
        let loaded = Closure::once_into_js(then);
        image.set_onload(Some(loaded.unchecked_ref()));
        image.set_src(url);
    }
}
