//! What is asked of the request: where it came from, where it goes, what it brought along.

use axum::{
    extract::ConnectInfo,
    http::{header, request::Parts},
};
use cookie::Cookie;
use leptos::prelude::use_context;
use percent_encoding::percent_decode_str;
use service::deadline::{Arrival, Instant};
use std::{net::SocketAddr, sync::Arc};

/// The network address the request came from.
pub fn visitor_address() -> String {
    let parts = use_context::<Parts>();
    let connection = parts.and_then(|parts| parts.extensions.get::<ConnectInfo<SocketAddr>>().copied());
    connection.map(|ConnectInfo(address)| address.ip().to_string()).unwrap_or_default()
}

/// What the browser calls itself, or as much of it as is worth keeping.
pub fn user_agent() -> String {
    let parts = use_context::<Parts>();
    let named = parts.and_then(|parts| parts.headers.get(header::USER_AGENT)?.to_str().map(ToOwned::to_owned).ok());
    named.unwrap_or_default().chars().take(300).collect()
}

/// When the answer to this request is due.
pub fn due() -> Option<Instant> {
    let arrival = use_context::<Parts>().and_then(|parts| parts.extensions.get::<Arc<Arrival>>().cloned());
    arrival.map(|arrival| arrival.due())
}

/// Path and query of this request, as a place to come back to.
pub fn here() -> String {
    let uri = use_context::<Parts>().map(|parts| parts.uri);
    uri.and_then(|uri| uri.path_and_query().map(ToString::to_string)).unwrap_or_else(|| "/".into())
}

/// What the query of a request says.
pub struct Query(String);

/// The query of this request. By the router's own words, which it decodes twice, `%2525` would be `%`.
pub fn query() -> Query {
    let uri = use_context::<Parts>().map(|parts| parts.uri);
    Query(uri.and_then(|uri| uri.query().map(ToOwned::to_owned)).unwrap_or_default())
}

impl Query {
    pub fn get(&self, name: &str) -> Option<String> {
        let (_, value) = self.0.split('&').map(|pair| pair.split_once('=').unwrap_or((pair, ""))).rfind(|(key, _)| *key == name)?;
        Some(percent_decode_str(&value.replace('+', " ")).decode_utf8_lossy().into_owned())
    }
}

/// The address that the operator has named for browsers and programs, such as `https://video.example.com`.
#[derive(Clone)]
pub struct PublicOrigin(pub String);

/// Where this server is reached, for examples to copy: as the operator says, else as this request came.
pub fn origin() -> String {
    if let Some(PublicOrigin(origin)) = use_context() {
        return origin;
    }
    let Some(parts) = use_context::<Parts>() else { return "http://localhost:3000".into() };
    let header = |name: &str| parts.headers.get(name).and_then(|value| value.to_str().ok()).map(ToOwned::to_owned);
    let host = header("host").filter(|host| host.bytes().all(|b| b.is_ascii_alphanumeric() || b".-:[]".contains(&b)));
    let scheme = header("x-forwarded-proto").filter(|scheme| scheme == "https").unwrap_or_else(|| "http".into());
    format!("{scheme}://{}", host.unwrap_or_else(|| "localhost:3000".into()))
}

pub fn cookie(name: &str) -> Option<String> {
    let parts = use_context::<Parts>()?;
    let lines = parts.headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    let mut cookies = lines.flat_map(Cookie::split_parse).filter_map(Result::ok);
    cookies.find(|cookie| cookie.name() == name).map(|cookie| cookie.value().to_owned())
}

/// Whether a browser posts this without a script, and shows what it gets.
pub fn is_plain_form() -> bool {
    let accepts = use_context::<Parts>().and_then(|parts| parts.headers.get(header::ACCEPT).cloned());
    accepts.is_some_and(|accepts| accepts.to_str().is_ok_and(|accepts| accepts.contains("text/html")))
}

/// `path` if it is a place on this server, else the start of work: nobody is sent elsewhere by a crafted link.
pub fn local_path(path: &str) -> &str {
    let plain = path.bytes().all(|b| b.is_ascii_graphic() && b != b'\\');
    if plain && path.starts_with('/') && !path.starts_with("//") { path } else { "/create" }
}

#[cfg(test)]
mod tests {
    use super::{Query, local_path};

    #[test]
    fn a_query_is_decoded_once() {
        let query = Query("next=/create%3Fprompt%3Da%2520cat&prompt=100%2525+cotton%20%E2%98%82&richer&seed=1&seed=2".into());
        assert_eq!(query.get("next").unwrap(), "/create?prompt=a%20cat");
        assert_eq!(query.get("prompt").unwrap(), "100%25 cotton ☂");
        assert_eq!((query.get("richer").unwrap().as_str(), query.get("seed").unwrap().as_str(), query.get("see")), ("", "2", None));
    }

    #[test]
    fn a_path_on_this_server_is_followed() {
        assert_eq!(local_path("/videos/job_1?tab=code#top"), "/videos/job_1?tab=code#top");
    }

    #[test]
    fn a_way_to_another_server_is_not() {
        for elsewhere in ["https://evil.example", "//evil.example", "/\\evil.example", "/a\nb", "javascript:alert(1)", ""] {
            assert_eq!(local_path(elsewhere), "/create", "{elsewhere:?}");
        }
    }
}
