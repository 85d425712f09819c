//! One id for each request: in its log span, in its answer, in the rows of the jobs that it makes, and in what we ask
//! people to quote.

use axum::{
    extract::Request,
    http::{HeaderMap, HeaderName, HeaderValue, Method},
    middleware::Next,
    response::Response,
};
use service::telemetry::trace;
use std::time::Instant;
use store::chance;
use tracing::Instrument;

const HEADER: HeaderName = HeaderName::from_static("x-request-id");
const CHARS_MAX: usize = 64;

/// The id of the request being answered.
pub fn current() -> String {
    trace::current().unwrap_or_else(|| "unknown".to_owned())
}

/// Gives the request an id, or keeps the one it came with when that is a plain token.
pub async fn identify(request: Request, next: Next) -> Response {
    let id = given(request.headers()).unwrap_or_else(|| format!("req_{}", chance::new_id().simple()));
    let method = request.method().clone();
    // Of the highest level, so that whatever is logged says which request it was.
    let span = tracing::error_span!("http.request", request.id = id, http.method = %method, http.path = request.uri().path());
    let answered = async {
        let started = Instant::now();
        let response = next.run(request).await;
        note(&method, &response, started);
        response
    };
    let mut response = trace::scope(id.clone(), answered.instrument(span)).await;
    if let Ok(id) = HeaderValue::try_from(id) {
        response.headers_mut().insert(HEADER, id);
    }
    response
}

fn given(headers: &HeaderMap) -> Option<String> {
    let text = headers.get(HEADER)?.to_str().ok()?;
    let sane = (8..=CHARS_MAX).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'));
    sane.then(|| text.to_owned())
}

/// Requests that change something are part of the story; those that only look are detail.
fn note(method: &Method, response: &Response, started: Instant) {
    let (status, ms) = (response.status().as_u16(), started.elapsed().as_millis());
    if method.is_safe() {
        tracing::debug!(http.status = status, duration_ms = ms, "answered with {status} after {ms} ms");
    } else {
        tracing::info!(http.status = status, duration_ms = ms, "answered with {status} after {ms} ms");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::{Router, body::Body, middleware::from_fn, routing::get};
    use std::{fs, sync::Mutex};
    use tempfile::NamedTempFile;
    use tower::ServiceExt;
    use tracing::Level;

    fn kept(value: &'static str) -> bool {
        given(&HeaderMap::from_iter([(HEADER, HeaderValue::from_static(value))])).is_some()
    }

    #[tokio::test]
    async fn what_is_logged_says_which_request_it_was_whatever_is_left_out_of_the_log() {
        let log = NamedTempFile::new().unwrap();
        let subscriber = tracing_subscriber::fmt().with_max_level(Level::ERROR).with_writer(Mutex::new(log.reopen().unwrap()));
        let _logged = tracing::subscriber::set_default(subscriber.finish());
        let router = Router::new().route("/", get(|| async { tracing::error!("a defect") })).layer(from_fn(identify));
        let request = Request::get("/").header(HEADER, "req_of_a_client").body(Body::empty()).unwrap();
        router.oneshot(request).await.unwrap();
        let said = fs::read_to_string(log.path()).unwrap();
        assert!(said.contains("a defect") && said.contains("req_of_a_client"), "{said}");
    }

    #[test]
    fn only_a_plain_token_is_taken_from_outside() {
        assert!(kept("4bf92f35-77b3.4da6_a3ce"));
        for bad in ["", "short", "has a space", "<script>alert(1)</script>", "line\tbreak-here", &"x".repeat(65)] {
            assert!(!kept(Box::leak(bad.to_owned().into_boxed_str())), "{bad}");
        }
    }
}
