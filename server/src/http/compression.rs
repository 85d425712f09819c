//! Which answers are worth compressing: texts. Media are compressed already and events must not wait.

use axum::http::header;
use tower_http::{
    CompressionLevel,
    compression::{
        CompressionLayer,
        predicate::{And, Predicate, SizeAbove},
    },
};

const BYTES_MIN: u16 = 256;
const TEXTS: [&str; 6] = ["text/html", "text/css", "text/javascript", "application/json", "image/svg+xml", "text/plain"];

pub fn layer() -> CompressionLayer<And<SizeAbove, IsText>> {
    CompressionLayer::new().quality(CompressionLevel::Fastest).compress_when(SizeAbove::new(BYTES_MIN).and(IsText))
}

#[derive(Clone, Copy)]
pub struct IsText;

impl Predicate for IsText {
    fn should_compress<B: http_body::Body>(&self, response: &axum::http::Response<B>) -> bool {
        let content_type = response.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        content_type.is_some_and(|value| TEXTS.iter().any(|text| value.starts_with(text)))
    }
}
