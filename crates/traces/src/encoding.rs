//! Spans as the protobuf message `ExportTraceServiceRequest` of OpenTelemetry's protocol, version 1.
//!
//! The few messages that spans need are written by hand: field numbers as in `opentelemetry/proto/trace/v1/trace.proto`,
//! `common/v1/common.proto` and `resource/v1/resource.proto`, which may not change within the version.

use crate::{Span, Value};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

const VARINT: u8 = 0;
const FIXED_64: u8 = 1;
const BYTES: u8 = 2;
/// `STATUS_CODE_ERROR`.
const ERROR: u64 = 2;
/// Who made the spans, as the scope that OpenTelemetry asks for.
const SCOPE: &str = "reelmill";

/// A message while it is written.
#[derive(Default)]
struct Message(Vec<u8>);

impl Message {
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    fn key(&mut self, field: u8, wire: u8) {
        self.varint(u64::from(field) << 3 | u64::from(wire));
    }

    fn number(&mut self, field: u8, value: u64) {
        self.key(field, VARINT);
        self.varint(value);
    }

    fn fixed(&mut self, field: u8, value: u64) {
        self.key(field, FIXED_64);
        self.0.extend(value.to_le_bytes());
    }

    fn bytes(&mut self, field: u8, bytes: &[u8]) {
        self.key(field, BYTES);
        self.varint(bytes.len() as u64);
        self.0.extend(bytes);
    }

    fn message(&mut self, field: u8, write: impl FnOnce(&mut Self)) {
        let mut inner = Self::default();
        write(&mut inner);
        self.bytes(field, &inner.0);
    }

    fn attribute(&mut self, field: u8, name: &str, value: &Value) {
        self.message(field, |pair| {
            pair.bytes(1, name.as_bytes());
            pair.message(2, |any| match value {
                Value::Text(text) => any.bytes(1, text.as_bytes()),
                Value::Whole(number) => any.number(3, number.cast_unsigned()),
            });
        });
    }

    fn span(&mut self, field: u8, span: &Span) {
        self.message(field, |message| {
            message.bytes(1, span.context.trace());
            message.bytes(2, &span.context.span());
            if let Some(parent) = span.parent {
                message.bytes(4, &parent);
            }
            message.bytes(5, span.name.as_bytes());
            message.number(6, span.kind as u64);
            message.fixed(7, unix_ns(span.begun, Duration::ZERO));
            message.fixed(8, unix_ns(span.begun, span.took));
            for (name, value) in &span.attributes {
                message.attribute(9, name, value);
            }
            if let Some(error) = &span.error {
                message.message(15, |status| {
                    status.bytes(2, error.as_bytes());
                    status.number(3, ERROR);
                });
            }
        });
    }
}

/// All of them as those of one process, which these attributes describe.
pub fn encoded(resource: &[(String, String)], spans: &[Span]) -> Vec<u8> {
    let mut request = Message::default();
    request.message(1, |of_process| {
        of_process.message(1, |described| {
            for (name, value) in resource {
                described.attribute(1, name, &Value::Text(value.clone()));
            }
        });
        of_process.message(2, |of_scope| {
            of_scope.message(1, |scope| scope.bytes(1, SCOPE.as_bytes()));
            for span in spans {
                of_scope.span(2, span);
            }
        });
    });
    request.0
}

fn unix_ns(begun: SystemTime, later: Duration) -> u64 {
    let since = begun.duration_since(UNIX_EPOCH).unwrap_or_default().saturating_add(later);
    u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Kind, TraceContext};

    /// As the official package for Python (`opentelemetry-proto` 1.x) writes the same message.
    const OFFICIAL: &str = concat!(
        "0ac4010a1a0a180a0c736572766963652e6e616d6512080a06766964656f7312a5010a0a0a087265656c6d696c6c1296010a10ababababababababab",
        "ababababababab12080707070707070707220801010101010101012a0f504f5354202f76312f766964656f7330023901002a36fe9c97174161e34036",
        "fe9c97174a1a0a0a687474702e726f757465120c0a0a2f76312f766964656f734a200a19687474702e726573706f6e73652e7374617475735f636f64",
        "65120318f7037a0b120774696d656f75741802",
    );

    #[test]
    fn a_message_has_the_bytes_that_the_official_one_has() {
        let span = Span {
            name: "POST /v1/videos".into(),
            kind: Kind::Server,
            context: TraceContext::root([0xab; 16], [7; 8], true),
            parent: Some([1; 8]),
            begun: UNIX_EPOCH + Duration::from_nanos(1_700_000_000_000_000_001),
            took: Duration::from_micros(1500),
            attributes: vec![("http.route", "/v1/videos".into()), ("http.response.status_code", 503_u16.into())],
            error: Some("timeout".into()),
        };
        let bytes = encoded(&[("service.name".into(), "videos".into())], &[span]);
        assert_eq!(bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>(), OFFICIAL);
    }
}
