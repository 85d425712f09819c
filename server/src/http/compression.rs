//! Which answers are worth compressing: texts that are there as a whole. Media are compressed already, and
//! what is written bit by bit must not wait.
//!
//! By gzip only, and nothing large: a compressor lives as long as the answer it works on, and one of brotli
//! takes megabytes. The files of the site come compressed by brotli beforehand.

use axum::http::{Response, header};
use http_body::Body;
use tower_http::{
    CompressionLevel,
    compression::{
        CompressionLayer,
        predicate::{And, Predicate, SizeAbove},
    },
};

const BYTES_MIN: u16 = 256;
const BYTES_MAX: u64 = 256 * 1024;
const PAGE: &str = "text/html";
const TEXTS: [&str; 6] = [PAGE, "text/css", "text/javascript", "application/json", "image/svg+xml", "text/plain"];

pub fn layer() -> CompressionLayer<And<SizeAbove, IsWholeText>> {
    let worth_it = SizeAbove::new(BYTES_MIN).and(IsWholeText);
    CompressionLayer::new().no_br().quality(CompressionLevel::Fastest).compress_when(worth_it)
}

#[derive(Clone, Copy)]
pub struct IsWholeText;

impl Predicate for IsWholeText {
    fn should_compress<B: Body>(&self, response: &Response<B>) -> bool {
        let header = |name| response.headers().get(name).and_then(|value| value.to_str().ok());
        let is = |kind: &str| header(header::CONTENT_TYPE).is_some_and(|value| value.starts_with(kind));
        let length = header(header::CONTENT_LENGTH).and_then(|length| length.parse().ok());
        let bytes = response.body().size_hint().exact().or(length);
        // A page is made as a whole, but does not say how long it is.
        TEXTS.into_iter().any(is) && bytes.map_or_else(|| is(PAGE), |bytes| bytes <= BYTES_MAX)
    }
}
