//! What an answer says beside the page: its status, where it leads, cookies.

use super::{is_plain_form, origin};
use axum::http::{HeaderValue, StatusCode, header};
use cookie::{Cookie, SameSite, time::Duration};
use leptos::prelude::use_context;
use leptos_axum::ResponseOptions;

/// Answers with a way to another page, whatever the client says it accepts.
pub fn lead(to: &str) {
    if let (Ok(to), Some(response)) = (HeaderValue::from_str(to), use_context::<ResponseOptions>()) {
        response.set_status(StatusCode::FOUND);
        response.insert_header(header::LOCATION, to);
    }
}

/// Gives the answer of a server function this status; a plain form is led back to its page instead.
pub fn answer_with(status: StatusCode) {
    if !is_plain_form() {
        answer_in_place(status);
    }
}

/// Answers a plain form where it is, with this status: loaded again, it is sent again.
pub fn answer_in_place(status: StatusCode) {
    if let Some(response) = use_context::<ResponseOptions>() {
        response.set_status(status);
    }
}

/// A cookie that only the server reads, sent with requests below `path` that our own pages make.
pub fn set_cookie(name: &str, path: &str, value: &str, seconds: i64) {
    let cookie = own_cookie((name, value), path, seconds, origin().starts_with("https:"));
    if let (Some(cookie), Some(response)) = (cookie, use_context::<ResponseOptions>()) {
        response.append_header(header::SET_COOKIE, cookie);
    }
}

/// The same for an answer that no page makes. `None`: no header holds that.
pub fn own_cookie((name, value): (&str, &str), path: &str, seconds: i64, is_https: bool) -> Option<HeaderValue> {
    let cookie = Cookie::build((name, value)).path(path).max_age(Duration::seconds(seconds)).http_only(true);
    let cookie = cookie.same_site(SameSite::Strict).secure(is_https).build();
    HeaderValue::from_str(&cookie.to_string()).ok()
}
