//! One id for each request: in its log span, in its answer, in the rows of the jobs that it makes, and in what we ask
//! people to quote. How long each took is measured here, for the log and for the operator.

use axum::{
    extract::{MatchedPath, Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode},
    middleware::Next,
    response::Response,
};
use service::{
    operator::{AnsweredRequest, SlowRequests},
    telemetry::trace,
};
use std::{sync::Arc, time::Duration};
use store::chance;
use store::clock::Instant;
use tracing::Instrument;

const HEADER: HeaderName = HeaderName::from_static("x-request-id");
const CHARS_MAX: usize = 64;
/// Of a file of the site, or of a page that there is not.
const NO_ROUTE: &str = "files and unknown pages";

/// The id of the request being answered.
pub fn current() -> String {
    trace::current().unwrap_or_else(|| "unknown".to_owned())
}

/// Gives the request an id, or keeps the one it came with when that is a plain token.
pub async fn identify(State(slow_requests): State<Arc<SlowRequests>>, request: Request, next: Next) -> Response {
    let id = given(request.headers()).unwrap_or_else(|| format!("req_{}", chance::new_id().simple()));
    let (method, route) = (request.method().clone(), request.extensions().get::<MatchedPath>().cloned());
    // Of the highest level, so that whatever is logged says which request it was.
    let span = tracing::error_span!("http.request", request.id = id, http.method = %method, http.path = request.uri().path());
    let answered = async {
        let started = Instant::now();
        let response = next.run(request).await;
        let (status, duration) = (response.status(), started.elapsed());
        note(&method, status, duration);
        let route = route.as_ref().map_or(NO_ROUTE, MatchedPath::as_str);
        slow_requests.record(&AnsweredRequest { method: method.as_str(), route, status: status.as_u16(), duration, id: &id });
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
fn note(method: &Method, status: StatusCode, duration: Duration) {
    let (status, ms) = (status.as_u16(), duration.as_millis());
    if method.is_safe() {
        tracing::debug!(http.status = status, duration_ms = ms, "answered with {status} after {ms} ms");
    } else {
        tracing::info!(http.status = status, duration_ms = ms, "answered with {status} after {ms} ms");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::{Router, body::Body, middleware::from_fn_with_state, routing::get};
    use domain::Timestamp;
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
        let failing = get(|| async { tracing::error!("a defect") });
        let router = Router::new().route("/", failing).layer(from_fn_with_state(Arc::<SlowRequests>::default(), identify));
        let request = Request::get("/").header(HEADER, "req_of_a_client").body(Body::empty()).unwrap();
        router.oneshot(request).await.unwrap();
        let said = fs::read_to_string(log.path()).unwrap();
        assert!(said.contains("a defect") && said.contains("req_of_a_client"), "{said}");
    }

    #[tokio::test]
    async fn a_request_is_measured_under_its_route_and_never_under_its_path() {
        let slow_requests = Arc::new(SlowRequests::default());
        let router = Router::new().route("/{what}", get(|| async {})).layer(from_fn_with_state(Arc::clone(&slow_requests), identify));
        for path in ["/private", "/not/there"] {
            let request = Request::get(path).header(HEADER, "req_of_a_client").body(Body::empty()).unwrap();
            router.clone().oneshot(request).await.unwrap();
        }
        let measured = slow_requests.slowest(Timestamp::from_ms(0));
        let mut told: Vec<_> = measured.iter().map(|request| (&*request.route, request.status, &*request.id)).collect();
        told.sort_unstable();
        assert_eq!(told, [("/{what}", 200, "req_of_a_client"), (NO_ROUTE, 404, "req_of_a_client")]);
    }

    #[test]
    fn only_a_plain_token_is_taken_from_outside() {
        assert!(kept("4bf92f35-77b3.4da6_a3ce"));
        for bad in ["", "short", "has a space", "<script>alert(1)</script>", "line\tbreak-here", &"x".repeat(65)] {
            assert!(!kept(Box::leak(bad.to_owned().into_boxed_str())), "{bad}");
        }
    }
}
