//! Live events: one stream and one framing for the pages and for the public API, which differ in the data only.
//!
//! `id:` is the job's revision, so a client that lost its connection says what it has seen.

use crate::{
    Context,
    api::{ApiError, VideoId},
    http::sessions::SignedIn,
};
use axum::{
    extract::{FromRequestParts, State},
    http::{HeaderName, HeaderValue, StatusCode, request::Parts},
    response::{
        IntoResponse, Response,
        sse::{Event, KeepAlive, Sse},
    },
};
use domain::{JobId, JobView, Status, TenantId};
use futures::StreamExt;
use std::{convert::Infallible, error::Error, time::Duration};
use store::StoreError;

/// For programs: a comment, so that proxies keep the line open.
const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// For pages: an event that scripts hear, so that they notice a line on which nothing comes any more.
const BEAT: Duration = Duration::from_secs(4);
/// Asks proxies not to hold events back.
const NO_BUFFERING: (HeaderName, HeaderValue) = (HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"));

/// The revision a client saw last; nonsense counts as none.
#[derive(Debug, Clone, Copy, Default)]
pub struct Resume(Option<u64>);

impl<S: Send + Sync> FromRequestParts<S> for Resume {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let given = parts.headers.get("last-event-id").and_then(|value| value.to_str().ok());
        Ok(Self(given.and_then(|text| text.trim().parse().ok())))
    }
}

/// How the API's streams are kept open.
pub fn comments() -> KeepAlive {
    KeepAlive::new().interval(KEEP_ALIVE)
}

/// A stream of the job's views that ends with the job, or when the server stops.
pub async fn events(
    context: &Context,
    tenant: TenantId,
    id: JobId,
    Resume(after): Resume,
    alive: KeepAlive,
    data: fn(&JobView, Event) -> Result<Event, axum::Error>,
) -> Result<Response, ApiError> {
    let now = context.services.job(tenant, id).await?.ok_or(ApiError::VideoUnknown)?;
    if now.status.is_final() && after == Some(now.revision) {
        // Tells a browser's EventSource that there is nothing to come back for.
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    let views = context.services.watch(tenant, id, after);
    let events =
        views.scan((), move |(), view| std::future::ready(framed(view, data))).take_until(context.stopping.clone().cancelled_owned());
    let mut response = Sse::new(events).keep_alive(alive).into_response();
    response.headers_mut().extend([NO_BUFFERING]);
    Ok(response)
}

/// A stream that cannot go on ends; the client comes back and learns why.
fn framed(view: Result<JobView, StoreError>, data: fn(&JobView, Event) -> Result<Event, axum::Error>) -> Option<Result<Event, Infallible>> {
    let view = view.inspect_err(|error| tracing::warn!(error = error as &dyn Error, "live events end early")).ok()?;
    let event = Event::default().event(name(view.status)).id(view.revision.to_string());
    data(&view, event).ok().map(Ok)
}

const fn name(status: Status) -> &'static str {
    match status {
        Status::Queued | Status::InProgress => "video.updated",
        Status::Completed => "video.completed",
        Status::Failed => "video.failed",
        Status::Cancelled => "video.cancelled",
    }
}

/// `GET /live/videos/{id}/events`: the data is a `domain::JobView`, which the pages read.
pub async fn events_for_pages(
    State(context): State<Context>,
    SignedIn(user): SignedIn,
    VideoId(id): VideoId,
    resume: Resume,
) -> Result<Response, ApiError> {
    let beat = KeepAlive::new().interval(BEAT).event(Event::default().event("beat").data("-"));
    events(&context, user.tenant, id, resume, beat, |view, event| event.json_data(view)).await
}
