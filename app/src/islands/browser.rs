//! The few questions islands ask the browser itself. Called from event handlers only, never on the server.

use leptos::prelude::*;
use wasm_bindgen::{JsCast, closure::Closure};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortSignal, Headers, RequestInit, Response, Storage, UrlSearchParams};

/// Longer than any answer takes; a line that is dead ends then.
const PATIENCE_MS: u32 = 60_000;

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
    let (address, request) = (window().location().href().ok()?, RequestInit::new());
    request.set_signal(Some(&AbortSignal::timeout_with_u32(PATIENCE_MS)));
    JsFuture::from(window().fetch_with_str_and_init(&address, &request)).await.ok()?.dyn_into().ok()
}

/// Posts a form and waits for the answer, which is to be JSON; `None` when there is none.
pub async fn post(path: &str, fields: &[(String, String)]) -> Option<Response> {
    let (body, headers, request) = (UrlSearchParams::new().ok()?, Headers::new().ok()?, RequestInit::new());
    fields.iter().for_each(|(name, value)| body.append(name, value));
    headers.set("accept", "application/json").ok()?;
    request.set_method("POST");
    request.set_headers(&headers);
    request.set_body(&body);
    request.set_signal(Some(&AbortSignal::timeout_with_u32(PATIENCE_MS)));
    JsFuture::from(window().fetch_with_str_and_init(path, &request)).await.ok()?.dyn_into().ok()
}

/// Where the answer to a form leads, as a server function says it to a script.
pub fn destination(answer: &Response) -> Option<String> {
    answer.headers().get("location").ok()?
}

/// The address from which one comes back here after signing in.
pub fn sign_in_and_return() -> String {
    let place = window().location();
    let here = format!("{}{}", place.pathname().unwrap_or_default(), place.search().unwrap_or_default());
    format!("/signin?next={}", js_sys::encode_uri_component(&here))
}

/// What this browser keeps for this site; `None` where its owner does not want that.
pub fn storage() -> Option<Storage> {
    window().local_storage().ok()?
}

/// What this tab alone keeps for this site.
pub fn tab_storage() -> Option<Storage> {
    window().session_storage().ok()?
}

pub fn reload() {
    let _ = window().location().reload();
}

/// Loads a page, also the one that is shown.
pub fn go_to(path: &str) {
    let place = window().location();
    let here = format!("{}{}", place.pathname().unwrap_or_default(), place.search().unwrap_or_default());
    let _ = place.set_href(path);
    // To go to another part of the page that is shown loads nothing.
    if path.split_once('#').is_some_and(|(page, _)| page == here) {
        let _ = place.reload();
    }
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

/// Whether the focus went with the element that had it.
pub fn focus_is_lost() -> bool {
    document().active_element().is_none_or(|element| element.tag_name() == "BODY")
}

/// Calls back when a page comes back from the browser's history as it was left.
pub fn on_return(act: impl Fn() + 'static) {
    window_event_listener_untyped("pageshow", move |event| {
        if event.dyn_into::<web_sys::PageTransitionEvent>().is_ok_and(|event| event.persisted()) {
            act();
        }
    });
}

/// Calls back when the picture at `url` has been loaded and decoded; never when it cannot be.
pub fn once_loaded(url: &str, then: impl FnOnce() + 'static) {
    if let Ok(image) = web_sys::HtmlImageElement::new() {
        let loaded = Closure::once_into_js(then);
        image.set_onload(Some(loaded.unchecked_ref()));
        image.set_src(url);
    }
}
