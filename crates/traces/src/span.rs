//! One piece of work: when it began, how long it took, and what it was about.

use crate::{SpanId, TraceContext};
use std::time::{Duration, SystemTime};

/// What a span is to the spans around it, as OpenTelemetry numbers it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Internal = 1,
    /// Answers a request.
    Server = 2,
    /// Works on what another process has left.
    Consumer = 5,
}

/// Of an attribute. Nothing of what a customer wrote belongs here.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Text(String),
    Whole(i64),
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Self {
        Self::Whole(number.into())
    }
}

impl From<u16> for Value {
    fn from(number: u16) -> Self {
        Self::Whole(number.into())
    }
}

/// A piece of work that is over.
#[derive(Debug, Clone, PartialEq)]
pub struct Span {
    pub name: String,
    pub kind: Kind,
    pub context: TraceContext,
    /// `None`: the trace begins with it.
    pub parent: Option<SpanId>,
    pub begun: SystemTime,
    pub took: Duration,
    pub attributes: Vec<(&'static str, Value)>,
    /// In a word, such as a class of failure.
    pub error: Option<String>,
}
