//! Which trace a span belongs to and which span it is, as W3C Trace Context writes it: `00-TRACE-SPAN-FLAGS`.

use std::{fmt, str::FromStr};

const SAMPLED: u8 = 1;
/// Of version 00. Later versions may be longer.
const LENGTH: usize = 55;

pub type SpanId = [u8; 8];

/// A span of a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TraceContext {
    trace: [u8; 16],
    span: SpanId,
    is_sampled: bool,
}

/// Not a `traceparent` header.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a traceparent")]
pub struct ContextError;

impl TraceContext {
    /// The first span of a new trace.
    #[must_use]
    pub const fn root(trace: [u8; 16], span: SpanId, is_sampled: bool) -> Self {
        Self { trace, span, is_sampled }
    }

    /// Another span of the same trace.
    #[must_use]
    pub const fn child(self, span: SpanId) -> Self {
        Self { span, ..self }
    }

    #[must_use]
    pub const fn trace(&self) -> &[u8; 16] {
        &self.trace
    }

    #[must_use]
    pub const fn span(&self) -> SpanId {
        self.span
    }

    /// Whether spans of the trace are told to a collector.
    #[must_use]
    pub const fn is_sampled(&self) -> bool {
        self.is_sampled
    }

    /// The trace as logs name it: 32 digits.
    #[must_use]
    pub fn trace_text(&self) -> String {
        hex(&self.trace)
    }
}

impl fmt::Display for TraceContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "00-{}-{}-{:02x}", hex(&self.trace), hex(&self.span), u8::from(self.is_sampled))
    }
}

impl FromStr for TraceContext {
    type Err = ContextError;

    /// As the recommendation says, sections 3.2.2 and 3.2.3: lower case alone, no ids of zeros, and a later version's first part.
    fn from_str(text: &str) -> Result<Self, ContextError> {
        let (known, rest) = text.split_at_checked(LENGTH).ok_or(ContextError)?;
        let parts: Vec<&str> = known.split('-').collect();
        let [version, trace, span, flags] = <[&str; 4]>::try_from(parts).map_err(|_| ContextError)?;
        let [version] = digits(version)?;
        let is_of_version = match version {
            0 => rest.is_empty(),
            0xff => false,
            _ => rest.is_empty() || rest.starts_with('-'),
        };
        let ([flags], trace, span) = (digits(flags)?, digits::<16>(trace)?, digits::<8>(span)?);
        if !is_of_version || trace == [0; 16] || span == [0; 8] {
            return Err(ContextError);
        }
        Ok(Self { trace, span, is_sampled: flags & SAMPLED != 0 })
    }
}

fn digits<const N: usize>(text: &str) -> Result<[u8; N], ContextError> {
    let is_lower = text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
    if text.len() != 2 * N || !is_lower {
        return Err(ContextError);
    }
    let mut bytes = [0; N];
    for (n, byte) in bytes.iter_mut().enumerate() {
        *byte = text.get(2 * n..2 * n + 2).and_then(|pair| u8::from_str_radix(pair, 16).ok()).ok_or(ContextError)?;
    }
    Ok(bytes)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const GIVEN: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    #[test]
    fn a_traceparent_is_written_as_it_is_read() {
        let context: TraceContext = GIVEN.parse().unwrap();
        assert_eq!((context.to_string(), context.trace_text()), (GIVEN.to_owned(), "4bf92f3577b34da6a3ce929d0e0e4736".to_owned()));
        assert!(context.is_sampled() && context.child([1; 8]).is_sampled());
        assert!(!GIVEN.replace("-01", "-00").parse::<TraceContext>().unwrap().is_sampled());
        let later = format!("{}-what-comes", GIVEN.replacen("00-", "01-", 1));
        assert_eq!(later.parse::<TraceContext>().unwrap(), context);
    }

    #[test]
    fn what_is_no_traceparent_is_refused() {
        let zeros =
            [GIVEN.replace("4bf92f3577b34da6a3ce929d0e0e4736", &"0".repeat(32)), GIVEN.replace("00f067aa0ba902b7", &"0".repeat(16))];
        let others =
            [String::new(), GIVEN.to_uppercase(), format!("{GIVEN}-more"), GIVEN.replacen("00-", "ff-", 1), GIVEN[..54].to_owned()];
        let odd = ["é".repeat(28), GIVEN.replace('-', "_"), format!(" {}", &GIVEN[1..])];
        for text in zeros.into_iter().chain(others).chain(odd) {
            assert_eq!(text.parse::<TraceContext>(), Err(ContextError), "{text}");
        }
    }
}
