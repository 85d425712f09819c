//! Pages and videos that nobody reads, limited: what was made at once stays in memory until the client has taken it.
//!
//! Its bytes are counted for each site, whoever its visitors are signed in as. A site that leaves too much unread is
//! refused until it reads, and its answers are made a few at a time, so that none is refused too late.

use super::Audience;
use crate::{
    api::ApiError,
    shares::{AnswerRoom, Shares},
};
use axum::{
    body::{Body, Bytes},
    extract::{ConnectInfo, Request, State},
    http::{Method, header::CONTENT_LENGTH},
    middleware::Next,
    response::Response,
};
use http_body::{Body as HttpBody, Frame, SizeHint};
use std::{
    net::SocketAddr,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

/// Small ones wait in the buffers of their connection anyway, as do the pieces of a file.
const COUNTED_BYTES: usize = 64 * 1024;
/// What one byte of a text may take in an answer, as `\u0001` does.
const CHARACTER_BYTES_MAX: usize = 6;
/// Of one video: its two texts, which have 32,000 characters each, and the rest of it.
const ANSWER_BYTES_MAX: usize = 400 * 1024;

pub async fn bound(State(shares): State<Arc<Shares>>, request: Request, next: Next) -> Response {
    let address = request.extensions().get::<ConnectInfo<SocketAddr>>().copied();
    let Some(ConnectInfo(address)) = address.filter(|_| !is_sent_in_pieces(&request)) else { return next.run(request).await };
    let (audience, address) = (Audience::of(&request), address.ip());
    // Whoever still sends takes no turn, but room for the answer beforehand.
    let admitted = match most_bytes(&request) {
        None => shares.answering(address).await.map(Some).zip(shares.answer(address)),
        Some(bytes) => shares.answer_of(address, bytes).await.map(|room| (None, room)),
    };
    let Some((turn, room)) = admitted else { return audience.refuse(ApiError::TooMuchAtOnce) };
    let response = next.run(request).await;
    drop(turn);
    response.map(|body| Body::new(Counted { body, room }))
}

/// As files and streams are.
fn is_sent_in_pieces(request: &Request) -> bool {
    let path = request.uri().path();
    path.ends_with("/content") || path.ends_with("/events")
}

/// How large the answer to a request may be whose body may be long in coming. `None`: it has none to wait for.
fn most_bytes(request: &Request) -> Option<usize> {
    let path = request.uri().path();
    if request.method() != Method::POST || path.ends_with("/cancel") {
        return None;
    }
    let is_of_videos = path.starts_with("/v1/videos");
    let asked = || request.headers().get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok();
    let most = match asked().filter(|_| !path.ends_with("/remix")) {
        _ if !is_of_videos => 0,
        Some(bytes) => ANSWER_BYTES_MAX.min(CHARACTER_BYTES_MAX.saturating_mul(bytes)),
        None => ANSWER_BYTES_MAX,
    };
    Some(if most > COUNTED_BYTES { most } else { 0 })
}

struct Counted {
    body: Body,
    room: AnswerRoom,
}

impl HttpBody for Counted {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let Self { body, room } = &mut *self;
        let polled = Pin::new(body).poll_frame(context);
        polled.map_ok(|frame| frame.map_data(|bytes| counted(room, bytes)))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

fn counted(room: &mut AnswerRoom, bytes: Bytes) -> Bytes {
    if bytes.len() <= COUNTED_BYTES { bytes } else { Bytes::from_owner(Unread { _held: room.take(bytes.len()), bytes }) }
}

/// Dropped when it was written.
struct Unread<H> {
    bytes: Bytes,
    _held: H,
}

impl<H> AsRef<[u8]> for Unread<H> {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}
