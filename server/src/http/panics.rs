//! A defect in one handler costs one request: its panic becomes a 500 with an incident id.
//!
//! What was said and where is logged by the hook that [`log_panics`] sets, once and inside the request's span.

use super::Audience;
use crate::api::ApiError;
use axum::{extract::Request, middleware::Next, response::Response};
use futures::FutureExt;
use std::panic::{AssertUnwindSafe, set_hook};

pub async fn catch(request: Request, next: Next) -> Response {
    let audience = Audience::of(&request);
    match AssertUnwindSafe(next.run(request)).catch_unwind().await {
        Ok(response) => response,
        Err(_) => audience.refuse(ApiError::Panicked),
    }
}

/// Sends panics to the log instead of bare standard error.
pub fn log_panics() {
    set_hook(Box::new(|panic| {
        let said = panic.payload_as_str().unwrap_or("no message");
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        tracing::error!(panic.message = said, panic.place = place, request.id = super::request_id::current(), "a defect: {said}");
    }));
}
