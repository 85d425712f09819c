//! Pages and videos that nobody reads, limited: what was made at once stays in memory until the client has taken it.
//!
//! Its bytes are counted for each site, whoever its visitors are signed in as. A site that leaves too much unread is
//! refused until it reads, and its answers are made a few at a time, so that none is refused too late.

use super::Audience;
use crate::{
    error::ApiError,
    shares::{AnswerRoom, Shares},
};
use axum::{
    body::{Body, Bytes},
    extract::{ConnectInfo, Request, State},
    http::Method,
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
pub const COUNTED_BYTES: usize = 64 * 1024;

pub async fn bound(State(shares): State<Arc<Shares>>, mut request: Request, next: Next) -> Response {
    let address = request.extensions().get::<ConnectInfo<SocketAddr>>().copied();
    let Some(ConnectInfo(address)) = address.filter(|_| !is_sent_in_pieces(&request)) else { return next.run(request).await };
    let (audience, room) = (Audience::of(&request), shares.answer(address.ip()));
    let turn = if has_no_body(&request) {
        // Nobody waits for room in its turn, and much may have been made since there was some.
        let turn = if room.keep(0).await { shares.answering(address.ip()).await } else { None };
        if turn.is_none() || !room.has_some() {
            return audience.refuse(ApiError::TooMuchAtOnce);
        }
        turn
    } else {
        // It may be long in coming. Whoever has read it keeps room where the answer may be large.
        request.extensions_mut().insert(room.clone());
        None
    };
    let response = next.run(request).await;
    drop(turn);
    response.map(|body| Body::new(Counted { body, room }))
}

/// As files and streams are.
fn is_sent_in_pieces(request: &Request) -> bool {
    let path = request.uri().path();
    ["/content", "/events", "/results", "/stream"].iter().any(|end| path.ends_with(end))
}

fn has_no_body(request: &Request) -> bool {
    [Method::GET, Method::HEAD].contains(request.method())
}

struct Counted {
    body: Body,
    room: AnswerRoom,
}

impl HttpBody for Counted {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        polled.map_ok(|frame| frame.map_data(|bytes| counted(&self.room, bytes)))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

fn counted(room: &AnswerRoom, bytes: Bytes) -> Bytes {
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
