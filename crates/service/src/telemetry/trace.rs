//! The request that is being answered: its id, which is in the log of the server, in the row of a job that the request made, and in the log
//! of the workers that work on it; and its span, whose trace goes on in them.
//!
//! It belongs to the task that answers. What is spawned from there does not know it.

use std::env;
use store::chance;
use traces::{OptionsError, SetupError, TraceContext, TraceOptions, Traces};

#[derive(Debug, Clone)]
struct Current {
    id: String,
    context: TraceContext,
}

tokio::task_local! {
    static CURRENT: Current;
}

/// Why spans cannot be sent where the environment says.
#[derive(Debug, thiserror::Error)]
pub enum TracesError {
    #[error(transparent)]
    Options(#[from] OptionsError),
    #[error(transparent)]
    Setup(#[from] SetupError),
}

/// Sends spans from now on to the collector that the environment names, if any, in a task of this runtime. `service`: what the process is.
///
/// # Errors
/// [`TracesError`] for what is named and cannot be used.
pub fn start(service: &str) -> Result<Traces, TracesError> {
    let Some(options) = TraceOptions::read(|name| env::var(name).ok(), service)? else { return Ok(Traces::default()) };
    let traces = Traces::start(&options)?;
    tracing::info!(collector = options.endpoint, "spans are sent to {}", options.endpoint);
    Ok(traces)
}

/// Does `work` for the request of this id, as this span.
pub async fn scope<F: Future>(id: String, context: TraceContext, work: F) -> F::Output {
    CURRENT.scope(Current { id, context }, work).await
}

/// The request's id. `None`: no request is being answered.
#[must_use]
pub fn current() -> Option<String> {
    CURRENT.try_with(|current| current.id.clone()).ok()
}

/// The request's span, as it is written down with a job. `None`, as above.
#[must_use]
pub fn current_traceparent() -> Option<String> {
    CURRENT.try_with(|current| current.context.to_string()).ok()
}

/// A span below the one that came with a request or a job, and the parent that it has: none, where nothing came, and it begins a trace.
#[must_use]
pub fn continued(given: Option<&str>, traces: &Traces) -> (TraceContext, Option<traces::SpanId>) {
    match given.and_then(|text| text.parse::<TraceContext>().ok()) {
        Some(parent) => (traces.judged(parent.child(new_span())), Some(parent.span())),
        None => {
            let trace = chance::new_name().into_bytes();
            (TraceContext::root(trace, new_span(), traces.samples(&trace)), None)
        }
    }
}

/// The id of another span.
#[must_use]
pub fn new_span() -> traces::SpanId {
    let mut id = traces::SpanId::default();
    id.copy_from_slice(&chance::new_name().into_bytes()[8..]);
    id
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_comes_with_a_request_goes_on_and_what_comes_with_none_begins() {
        let traces = Traces::default();
        let given = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        let (context, parent) = continued(Some(given), &traces);
        assert_eq!((context.trace_text().as_str(), context.is_sampled()), ("4bf92f3577b34da6a3ce929d0e0e4736", true));
        assert_eq!(parent, Some([0x00, 0xf0, 0x67, 0xaa, 0x0b, 0xa9, 0x02, 0xb7]));
        for nothing in [None, Some("00-nothing")] {
            let (begun, parent) = continued(nothing, &traces);
            assert!(parent.is_none() && !begun.is_sampled() && begun.trace_text() != context.trace_text());
        }
        scope("req_1".into(), context, async {
            assert_eq!((current().as_deref(), current_traceparent()), (Some("req_1"), Some(context.to_string())));
        })
        .await;
        assert_eq!((current(), current_traceparent()), (None, None));
    }
}
