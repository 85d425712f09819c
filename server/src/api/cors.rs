//! What scripts of other sites may do here: use the API with a client token, by methods that read and create. A cookie never counts for
//! them, and what a key is answered they do not get to read: a key in a browser would be everybody's.

use axum::{
    extract::Request,
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};

const ANYONE: HeaderValue = HeaderValue::from_static("*");
const METHODS: HeaderValue = HeaderValue::from_static("GET, HEAD, POST");
/// For how long browsers remember it, in seconds.
const REMEMBERED: HeaderValue = HeaderValue::from_static("7200");
const EXPOSED: HeaderValue = HeaderValue::from_static(
    "content-disposition, content-range, idempotent-replayed, openai-poll-after-ms, ratelimit, ratelimit-policy, retry-after, \
     retry-after-ms, www-authenticate, x-ratelimit-limit-requests, x-ratelimit-limit-video-seconds, x-ratelimit-remaining-requests, \
     x-ratelimit-remaining-video-seconds, x-ratelimit-reset-requests, x-request-id, x-should-retry",
);
/// Names of headers that a script wants to send.
const NAMES_BYTES_MAX: usize = 1000;

/// Marks an answer to a request that brought a key.
#[derive(Debug, Clone, Copy)]
pub struct ByKey;

pub async fn allow(request: Request, next: Next) -> Response {
    let path = request.uri().path();
    // Caches keep these for everybody: what they answer is the same whoever asks.
    let is_public = path == "/.well-known/jwks.json";
    let is_by_script = request.headers().contains_key(header::ORIGIN);
    if !(is_public || is_by_script && path.starts_with("/v1/")) {
        return next.run(request).await;
    }
    if is_by_script && *request.method() == Method::OPTIONS && request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD) {
        return preflight(request.headers());
    }
    let mut response = next.run(request).await;
    if response.extensions().get::<ByKey>().is_none() {
        let headers = response.headers_mut();
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, ANYONE);
        headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
    }
    response
}

/// A browser asks before it sends. Any header may be sent: clients say much of themselves, and a cookie is not one of them.
fn preflight(asked: &HeaderMap) -> Response {
    let names = asked.get(header::ACCESS_CONTROL_REQUEST_HEADERS).filter(|names| names.len() <= NAMES_BYTES_MAX);
    let names = names.cloned().unwrap_or(HeaderValue::from_static("authorization, content-type"));
    let headers = [
        (header::ACCESS_CONTROL_ALLOW_ORIGIN, ANYONE),
        (header::ACCESS_CONTROL_ALLOW_METHODS, METHODS),
        (header::ACCESS_CONTROL_ALLOW_HEADERS, names),
        (header::ACCESS_CONTROL_MAX_AGE, REMEMBERED),
        (header::VARY, HeaderValue::from_static("access-control-request-headers")),
    ];
    (StatusCode::NO_CONTENT, headers).into_response()
}
