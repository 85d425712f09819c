//! One id for each request: in its log span, in its answer, in the rows of the jobs that it makes, and in what we ask
//! people to quote. How long each took is measured here, for the log and for the operator.

use axum::{
    extract::{MatchedPath, Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode},
    middleware::Next,
    response::Response,
};
use service::{
    Services,
    operator::{AnsweredRequest, SlowRequests},
    telemetry::{Kind, Span, Traces, trace},
};
use std::{sync::Arc, time::Duration};
use store::chance;
use store::clock::{self, Instant};
use tracing::Instrument;

const HEADER: HeaderName = HeaderName::from_static("x-request-id");
/// Of W3C Trace Context: the span of whoever asks.
const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");
const CHARS_MAX: usize = 64;
/// Asked again and again by machines: no spans are made of them.
const PROBES: [&str; 4] = ["/healthz", "/livez", "/readyz", "/metrics"];
/// Of a file of the site, or of a page that there is not.
const NO_ROUTE: &str = "files and unknown pages";

/// Who is told of requests.
#[derive(Clone, Default)]
pub struct Listeners {
    slow_requests: Arc<SlowRequests>,
    traces: Traces,
}

impl Listeners {
    pub fn of(services: &Services) -> Self {
        Self { slow_requests: Arc::clone(&services.slow_requests), traces: services.traces.clone() }
    }
}

/// The id of the request being answered.
pub fn current() -> String {
    trace::current().unwrap_or_else(|| "unknown".to_owned())
}

/// Gives the request an id, or keeps the one it came with when that is a plain token.
pub async fn identify(State(listeners): State<Listeners>, request: Request, next: Next) -> Response {
    let Listeners { slow_requests, traces } = listeners;
    let id = given(request.headers()).unwrap_or_else(|| format!("req_{}", chance::new_id().simple()));
    let (method, route) = (request.method().clone(), request.extensions().get::<MatchedPath>().cloned());
    let (context, parent) = trace::continued(traceparent(request.headers()), &traces);
    // Of the highest level, so that whatever is logged says which request it was.
    let span = tracing::error_span!("http.request", request.id = id, trace.id = context.trace_text(), http.method = %method, http.path = request.uri().path());
    let answered = async {
        let (started, begun) = (Instant::now(), clock::system_time());
        let response = next.run(request).await;
        let (status, duration) = (response.status(), started.elapsed());
        note(&method, status, duration);
        if let Some(route) = route.as_ref().map(MatchedPath::as_str).filter(|route| !PROBES.contains(route)) {
            traces.tell(&context, || {
                let name = format!("{method} {route}");
                let attributes = vec![
                    ("http.request.method", method.as_str().into()),
                    ("http.route", route.into()),
                    ("http.response.status_code", status.as_u16().into()),
                    ("request.id", id.as_str().into()),
                ];
                let error = status.is_server_error().then(|| status.as_u16().to_string());
                Span { name, kind: Kind::Server, context, parent, begun, took: duration, attributes, error }
            });
        }
        let route = route.as_ref().map_or(NO_ROUTE, MatchedPath::as_str);
        slow_requests.record(&AnsweredRequest { method: method.as_str(), route, status: status.as_u16(), duration, id: &id });
        response
    };
    let mut response = trace::scope(id.clone(), context, answered.instrument(span)).await;
    if let Ok(id) = HeaderValue::try_from(id) {
        response.headers_mut().insert(HEADER, id);
    }
    response
}

fn traceparent(headers: &HeaderMap) -> Option<&str> {
    headers.get(TRACEPARENT)?.to_str().ok()
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
        let router = Router::new().route("/", failing).layer(from_fn_with_state(Listeners::default(), identify));
        let request = Request::get("/").header(HEADER, "req_of_a_client").body(Body::empty()).unwrap();
        router.oneshot(request).await.unwrap();
        let said = fs::read_to_string(log.path()).unwrap();
        assert!(said.contains("a defect") && said.contains("req_of_a_client"), "{said}");
    }

    #[tokio::test]
    async fn a_request_is_measured_under_its_route_and_never_under_its_path() {
        let slow_requests = Arc::new(SlowRequests::default());
        let listeners = Listeners { slow_requests: Arc::clone(&slow_requests), ..Listeners::default() };
        let router = Router::new().route("/{what}", get(|| async {})).layer(from_fn_with_state(listeners, identify));
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
