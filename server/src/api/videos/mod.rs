//! Videos: one file for each thing a client does with them.

pub mod change;
pub mod characters;
pub mod content;
pub mod create;
pub mod derived;
pub mod events;
pub mod layout;
pub mod list;
pub mod queue;
pub mod read;

use super::{ApiError, wire::Video};
use crate::{http::answers::COUNTED_BYTES, pace::Room, shares::AnswerRoom};
use axum::{
    Extension, Json,
    http::{HeaderName, HeaderValue},
    response::{IntoResponse, Response},
};
use domain::{JobView, catalog::PROMPT_CHARS_MAX, scheduling::WorkRoom};

const POLL_AFTER: HeaderName = HeaderName::from_static("openai-poll-after-ms");
const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");
const POLL_DEFAULT_MS: u64 = 1000;

/// What one byte of a text may take in an answer, as `\u0001` does, and all but its texts.
const BYTES_OF_ONE: usize = 6;
const BYTES_BESIDE: usize = 8 * 1024;
/// Of the largest answer, whose two texts are of such characters. A prompt to which something was added is short.
const BYTES_MAX: usize = 2 * BYTES_OF_ONE * PROMPT_CHARS_MAX + BYTES_BESIDE;

/// A video, with the time after which looking again may be worth while.
fn answer(view: &JobView) -> Response {
    let mut response = Json(Video::from(view)).into_response();
    if !view.status.is_final() {
        response.headers_mut().insert(POLL_AFTER, HeaderValue::from(poll_after_ms(view)));
    }
    response
}

/// Says of a submission what its tenant has open with it, and whether it was there already.
pub fn mark(response: &mut Response, room: Option<WorkRoom>, replayed: bool) {
    if let Some(room) = room {
        response.extensions_mut().insert(Room(room));
    }
    if replayed {
        response.headers_mut().insert(REPLAYED, HeaderValue::from_static("true"));
    }
}

fn poll_after_ms(view: &JobView) -> u64 {
    view.eta.map_or(POLL_DEFAULT_MS, |eta| (eta.p50_ms / 3).clamp(250, 5000))
}

/// Keeps room for an answer that repeats texts of so many bytes. Once the video is stored it is too late to refuse.
pub async fn keep(room: Option<Extension<AnswerRoom>>, text_bytes: usize) -> Result<(), ApiError> {
    let Some(Extension(room)) = room else { return Ok(()) };
    let bytes = text_bytes.saturating_mul(BYTES_OF_ONE).saturating_add(BYTES_BESIDE).min(BYTES_MAX);
    if room.keep(if bytes > COUNTED_BYTES { bytes } else { 0 }).await { Ok(()) } else { Err(ApiError::TooMuchAtOnce) }
}
