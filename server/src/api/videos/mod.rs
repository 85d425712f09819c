//! Videos: one file for each thing a client does with them.

pub mod change;
pub mod content;
pub mod create;
pub mod events;
pub mod list;
pub mod read;

use super::wire::Video;
use axum::{
    Json,
    http::{HeaderName, HeaderValue},
    response::{IntoResponse, Response},
};
use domain::JobView;

const POLL_AFTER: HeaderName = HeaderName::from_static("openai-poll-after-ms");
const POLL_DEFAULT_MS: u64 = 1000;

/// A video, with the time after which looking again may be worth while.
fn answer(view: &JobView) -> Response {
    let mut response = Json(Video::from(view)).into_response();
    if !view.status.is_final() {
        response.headers_mut().insert(POLL_AFTER, HeaderValue::from(poll_after_ms(view)));
    }
    response
}

fn poll_after_ms(view: &JobView) -> u64 {
    view.eta.map_or(POLL_DEFAULT_MS, |eta| (eta.p50_ms / 3).clamp(250, 5000))
}
