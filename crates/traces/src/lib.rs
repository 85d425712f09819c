//! Spans for an OpenTelemetry collector, sent by OTLP over HTTP with protobuf: what a span is, who is whose parent, and a queue that is
//! emptied by somebody else than whoever has a span to tell.
//!
//! Nothing here waits for the collector but the task that sends. Without one, nothing is made.

mod context;
mod encoding;
mod exporter;
mod http;
mod options;
mod span;
#[cfg(feature = "testing")]
pub mod testing;

pub use context::{SpanId, TraceContext};
pub use exporter::Traces;
pub use http::SetupError;
pub use options::{OptionsError, TraceOptions};
pub use span::{Kind, Span, Value};
