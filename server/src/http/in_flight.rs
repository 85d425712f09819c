//! Counts requests by whom they are for, until the last byte of their answer is written.
//!
//! An answer that nobody reads holds memory, so a share is held as long as the body. Event streams are
//! counted for themselves, as they last.

use super::{Audience, visitor::Forwarded};
use crate::{context::Context, error::ApiError, shares::Share};
use axum::{
    body::{Body, Bytes},
    extract::{Request, State},
    http::header,
    middleware::Next,
    response::Response,
};
use domain::{TenantId, UserId, Viewing};
use http_body::{Body as HttpBody, Frame, SizeHint};
use std::{
    pin::Pin,
    task::{self, Poll},
};
use store::{SESSION_TENANT, SESSION_USER, SESSION_VIEWING};
use tower_sessions::Session;

/// For visitors who come by a proxy of ours, which has as many connections as it likes.
pub async fn of_visitor(State(context): State<Context>, request: Request, next: Next) -> Response {
    let Some(Forwarded(address)) = request.extensions().get().copied() else { return next.run(request).await };
    let audience = Audience::of(&request);
    match context.shares.visitor(address) {
        Some(shares) => until_written(shares, next.run(request).await),
        None => audience.refuse(ApiError::TooManyRequests),
    }
}

/// For those who are signed in.
pub async fn of_session(State(context): State<Context>, session: Session, request: Request, next: Next) -> Response {
    let Some(tenant) = tenant(&context, &session).await else { return next.run(request).await };
    let audience = Audience::of(&request);
    match context.shares.request(tenant).await {
        Some(share) => unless_stream(share, next.run(request).await),
        None => audience.refuse(ApiError::TooManyRequests),
    }
}

/// Whoever cannot be found out is not counted here, and will hear of it from the handler.
async fn tenant(context: &Context, session: &Session) -> Option<TenantId> {
    let id = session.get::<UserId>(SESSION_USER).await.ok()??;
    let chosen = session.get::<TenantId>(SESSION_TENANT).await.ok()?;
    let viewing = session.get::<Viewing>(SESSION_VIEWING).await.ok()?;
    Some(context.services.user_of_session(id, chosen, viewing).await.ok()??.tenant)
}

/// Holds the share as long as the answer, unless that is an event stream.
pub fn unless_stream(share: Share, response: Response) -> Response {
    let content_type = response.headers().get(header::CONTENT_TYPE);
    if content_type.is_some_and(|value| value.as_bytes().starts_with(b"text/event-stream")) {
        return response;
    }
    until_written(share, response)
}

/// Holds the share until the last byte is written.
pub fn until_written<S: Send + Unpin + 'static>(share: S, response: Response) -> Response {
    // An answer without a body is written with its head.
    if response.body().is_end_stream() {
        return response;
    }
    response.map(|body| Body::new(Held { body, _share: share }))
}

struct Held<S> {
    body: Body,
    _share: S,
}

impl<S: Unpin> HttpBody for Held<S> {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut task::Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    /// Whoever hears that this was the last frame drops the body while that frame is only buffered. Asked for one
    /// more, it has room for that first.
    fn is_end_stream(&self) -> bool {
        false
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
