//! What server and worker let an operator see of themselves: a log, counts and durations for Prometheus, and the id under
//! which both write about one request.

mod gauges;
mod labels;
mod log;
mod metrics;
mod queue;
#[cfg(test)]
mod tests;
mod token;
pub mod trace;

pub use gauges::{ModelGauges, WorkerGauges};
pub use log::start_log;
pub(crate) use metrics::Delivered;
pub use metrics::{CONTENT_TYPE, Metrics};
pub use token::MetricsToken;
pub use trace::TracesError;
pub use traces::{Kind, Span, SpanId, TraceContext, Traces, Value};
