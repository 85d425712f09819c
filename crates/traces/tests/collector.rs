//! Spans on their way to a collector that takes them, refuses them, is away, or never answers.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "tests say what they expect by panicking")]

use std::{
    collections::BTreeMap,
    env,
    process::Command,
    time::{Duration, UNIX_EPOCH},
};
use traces::{
    Kind, Span, TraceContext, TraceOptions, Traces,
    testing::{Answering, Receiver},
};

const PATIENCE: Duration = Duration::from_secs(60);
const CONTEXT: TraceContext = TraceContext::root([0xab; 16], [7; 8], true);

fn options(endpoint: &str) -> TraceOptions {
    let variables = BTreeMap::from([
        ("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint),
        ("OTEL_EXPORTER_OTLP_HEADERS", "authorization=Bearer%20open"),
        ("OTEL_EXPORTER_OTLP_TIMEOUT", "200"),
    ]);
    TraceOptions::read(|name| variables.get(name).map(|value| (*value).to_owned()), "videos").unwrap().unwrap()
}

fn span(name: &str) -> Span {
    Span {
        name: name.to_owned(),
        kind: Kind::Server,
        context: CONTEXT,
        parent: Some([1; 8]),
        begun: UNIX_EPOCH + Duration::from_nanos(1_700_000_000_000_000_001),
        took: Duration::from_micros(1500),
        attributes: vec![("http.route", "/v1/videos".into()), ("http.response.status_code", 503_u16.into())],
        error: Some("timeout".to_owned()),
    }
}

#[tokio::test]
async fn a_collector_reads_what_was_told() {
    let receiver = Receiver::start(Answering::With(200)).await;
    let traces = Traces::start(&options(&receiver.endpoint())).unwrap();
    traces.tell(&CONTEXT, || span("POST /v1/videos"));
    traces.tell(&TraceContext::root([1; 16], [2; 8], false), || panic!("nobody is to hear of it"));
    traces.flush(PATIENCE).await;
    let spans = receiver.spans();
    let [received] = spans.as_slice() else { panic!("{spans:?}") };
    assert_eq!(
        (received.trace.as_str(), received.span.as_str(), received.parent.as_str()),
        (&*"ab".repeat(16), &*"07".repeat(8), &*"01".repeat(8))
    );
    assert_eq!((received.name.as_str(), received.kind, received.error.as_deref()), ("POST /v1/videos", 2, Some("timeout")));
    assert_eq!((received.begun_ns, received.ended_ns - received.begun_ns), (1_700_000_000_000_000_001, 1_500_000));
    assert_eq!([&received.attributes["http.route"], &received.attributes["http.response.status_code"]], ["/v1/videos", "503"]);
    assert_eq!(received.resource["service.name"], "videos");
    let heads = receiver.heads();
    assert!(heads[0].starts_with("post /v1/traces http/1.1\r\n") && heads[0].contains("authorization: bearer open"), "{heads:?}");
    assert!(heads[0].contains("content-type: application/x-protobuf"), "{heads:?}");
}

/// More than there is room for is told at once, and neither waited for nor kept.
#[tokio::test]
async fn a_collector_that_is_away_or_silent_costs_a_bounded_number_of_spans() {
    let silent = Receiver::start(Answering::Never).await;
    for endpoint in ["http://127.0.0.1:9".to_owned(), silent.endpoint()] {
        let traces = Traces::start(&options(&endpoint)).unwrap();
        for _ in 0..10_000 {
            traces.tell(&CONTEXT, || span("one of many"));
        }
        assert!(traces.dropped() >= 10_000 - 2048, "{} of 10,000", traces.dropped());
    }
}

#[tokio::test]
async fn what_a_collector_refuses_is_dropped_and_the_next_is_sent() {
    let receiver = Receiver::start(Answering::With(400)).await;
    let traces = Traces::start(&options(&receiver.endpoint())).unwrap();
    for dropped in 1..=2 {
        traces.tell(&CONTEXT, || span("refused"));
        traces.flush(PATIENCE).await;
        assert_eq!((traces.dropped(), receiver.heads().len() as u64), (dropped, dropped), "refused once is refused for good");
    }
}

#[tokio::test]
async fn one_that_cannot_take_them_now_is_asked_again() {
    let receiver = Receiver::start(Answering::With(503)).await;
    let traces = Traces::start(&options(&receiver.endpoint())).unwrap();
    traces.tell(&CONTEXT, || span("later"));
    traces.flush(PATIENCE).await;
    assert_eq!((traces.dropped(), receiver.heads().len()), (1, 4));
}

#[test]
fn without_a_collector_nothing_is_made() {
    let traces = Traces::default();
    traces.tell(&CONTEXT, || panic!("nobody is to hear of it"));
    assert!(!traces.is_on() && !traces.samples(&[0; 16]));
}

#[tokio::test]
async fn whoever_calls_decides_unless_the_sampler_asks_nobody() {
    for (sampler, is_told) in [("parentbased_always_off", true), ("always_off", false), ("always_on", true)] {
        let variables = BTreeMap::from([("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1"), ("OTEL_TRACES_SAMPLER", sampler)]);
        let options = TraceOptions::read(|name| variables.get(name).map(|value| (*value).to_owned()), "videos").unwrap().unwrap();
        let judged = Traces::start(&options).unwrap().judged(CONTEXT);
        assert_eq!((judged.is_sampled(), judged.trace_text(), judged.span()), (is_told, CONTEXT.trace_text(), CONTEXT.span()), "{sampler}");
    }
    assert!(Traces::default().judged(CONTEXT).is_sampled());
}

#[tokio::test]
async fn a_machine_without_certificates_can_tell_a_collector_over_plain_http() {
    const NOTHING: &str = "/dev/null";
    // In a process of its own: the environment says where certificates lie.
    if env::var_os("SSL_CERT_FILE").is_none_or(|file| file != NOTHING) {
        let mut own = Command::new(env::current_exe().unwrap());
        own.args(["--exact", "a_machine_without_certificates_can_tell_a_collector_over_plain_http"]);
        let done = own.env("SSL_CERT_FILE", NOTHING).env("SSL_CERT_DIR", "/nowhere").output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stdout));
        return;
    }
    assert!(Traces::start(&options("http://127.0.0.1:1")).is_ok());
    assert!(Traces::start(&options("https://127.0.0.1:1")).is_err(), "nobody could be trusted");
}
