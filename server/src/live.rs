//! Live events: one stream for the pages and for the public APIs, which differ only in what they say of an update.
//!
//! `id:` is the job's revision, so a client that lost its connection says what it has seen. Whoever watches is
//! looked at again while the stream is open: it ends soon after their key was revoked, their session ended or they left the tenant.

use crate::{context::Context, error::ApiError, http::sessions::SignedIn, video_id::VideoId};
use axum::{
    extract::{FromRequestParts, State},
    http::{HeaderName, HeaderValue, StatusCode, request::Parts},
    response::{
        IntoResponse, Response,
        sse::{Event, KeepAlive, Sse},
    },
};
use domain::{Actor, JobId, JobUpdate, Membership, Status};
use futures::{StreamExt, future::select, stream};
use serde_json::json;
use service::{Opened, Services};
use std::{convert::Infallible, error::Error, io, time::Duration};
use store::clock::Instant;
use store::{SESSION_USER, SESSION_VIEWING, StoreError};
use tokio::time::{sleep, sleep_until, timeout_at};
use tower_sessions::{Session, SessionStore, session::Id};

/// For programs: a comment, so that proxies keep the line open.
const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// For pages: an event that scripts hear, so that they notice a line on which nothing comes any more.
const BEAT: Duration = Duration::from_secs(4);
/// How long a stream may outlive the right to it, less the time of one look. Streams of one key look together, so they can do it often: a
/// key that is revoked or expires ends them within a second.
const LOOK_AT_SESSION_EVERY: Duration = Duration::from_secs(3);
const LOOK_AT_KEY_EVERY: Duration = Duration::from_millis(200);
/// A right that cannot be looked at for so long has ended.
const PATIENCE: Duration = Duration::from_secs(10);
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

/// On whose behalf a stream is open.
#[derive(Debug, Clone, Copy)]
pub enum Watcher {
    Key(Opened),
    Session { id: Id, membership: Membership, actor: Actor },
}

impl Watcher {
    pub const fn actor(self) -> Actor {
        match self {
            Self::Key(opened) => Actor::Key(opened.owner),
            Self::Session { actor, .. } => actor,
        }
    }

    const fn membership(self) -> Membership {
        match self {
            Self::Key(opened) => opened.owner.membership,
            Self::Session { membership, .. } => membership,
        }
    }

    const fn looked_at_every(self) -> Duration {
        match self {
            Self::Key(_) => LOOK_AT_KEY_EVERY,
            Self::Session { .. } => LOOK_AT_SESSION_EVERY,
        }
    }

    async fn may_watch(self, services: &Services) -> Result<bool, Box<dyn Error + Send + Sync>> {
        Ok(match self {
            Self::Key(opened) => services.is_open(opened.owner).await?,
            Self::Session { id, membership, .. } => {
                let Some(record) = services.store.sessions().load(&id).await? else { return Ok(false) };
                let viewing = record.data.get(SESSION_VIEWING).map(|viewing| serde_json::from_value(viewing.clone())).transpose()?;
                let found = services.user_of_session(membership.user, Some(membership.tenant), viewing).await?;
                record.data.get(SESSION_USER) == Some(&json!(membership.user)) && found.is_some_and(|user| user.tenant == membership.tenant)
            }
        })
    }

    /// When the right to watch ends by itself, if it does. Asked once: it does not change.
    async fn ends(self, services: &Services) -> Result<Option<Instant>, StoreError> {
        match self {
            Self::Key(opened) => services.token_ends(opened).await,
            Self::Session { .. } => Ok(None),
        }
    }

    /// For what is sent some at a time: an error once the right to it has ended, so that what is cut off does not look whole.
    pub async fn go_on(self, services: &Services) -> io::Result<()> {
        let ends = self.ends(services).await.map_err(io::Error::other)?;
        let has_ended = ends.is_some_and(|end| end <= Instant::now()) || !self.may_watch(services).await.map_err(io::Error::other)?;
        if has_ended { Err(io::Error::other("the right to read this has ended")) } else { Ok(()) }
    }

    /// Returns once this watcher may not watch any more, or that could not be told for too long.
    async fn until_refused(self, services: Services) {
        let mut unknown_since = Instant::now();
        loop {
            match timeout_at(unknown_since + PATIENCE, self.may_watch(&services)).await {
                Ok(Ok(true)) => {
                    sleep(self.looked_at_every()).await;
                    unknown_since = Instant::now();
                }
                Ok(Err(error)) if unknown_since.elapsed() < PATIENCE => {
                    tracing::debug!(error = &*error as &dyn Error, "it cannot be told whether a stream may go on");
                    sleep(self.looked_at_every()).await;
                }
                _ => return,
            }
        }
    }
}

/// How the API's streams are kept open.
pub fn comments() -> KeepAlive {
    KeepAlive::new().interval(KEEP_ALIVE)
}

/// A stream of the job's updates that ends with the job, with the right to watch it, or when the server stops.
pub async fn events(
    context: &Context,
    watcher: Watcher,
    id: JobId,
    Resume(after): Resume,
    alive: KeepAlive,
    said: impl Fn(&JobUpdate) -> Result<Vec<Event>, axum::Error> + Send + 'static,
) -> Result<Response, ApiError> {
    let actor = watcher.actor();
    let now = context.services.job_update(actor, id).await?.ok_or(ApiError::VideoUnknown)?;
    if now.status.is_final() && after == Some(now.revision) {
        // Tells a browser's EventSource that there is nothing to come back for.
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    let share = context.shares.stream(watcher.membership().tenant).ok_or(ApiError::TooManyStreams)?;
    let updates = context.services.watch(actor, id, after)?;
    let ends = watcher.ends(&context.services).await?;
    let refused = select(Box::pin(until(ends)), Box::pin(watcher.until_refused(context.services.clone())));
    let ended = select(Box::pin(context.stopping.clone().cancelled_owned()), refused);
    let events = updates.scan(share, move |_share, update| std::future::ready(framed(update, &said)));
    let events = events.flat_map(|events| stream::iter(events.into_iter().map(Ok::<_, Infallible>))).take_until(ended);
    let mut response = Sse::new(events).keep_alive(alive).into_response();
    response.headers_mut().extend([NO_BUFFERING]);
    Ok(response)
}

async fn until(moment: Option<Instant>) {
    match moment {
        Some(moment) => sleep_until(moment).await,
        None => std::future::pending().await,
    }
}

/// A stream that cannot go on ends; the client comes back and learns why.
fn framed(update: Result<JobUpdate, StoreError>, said: impl Fn(&JobUpdate) -> Result<Vec<Event>, axum::Error>) -> Option<Vec<Event>> {
    let update = update.inspect_err(|error| tracing::warn!(error = error as &dyn Error, "live events end early")).ok()?;
    let numbered = |event: Event| event.id(update.revision.to_string());
    Some(said(&update).ok()?.into_iter().map(numbered).collect())
}

/// An event under the name of what has become of the job.
pub fn named(update: &JobUpdate) -> Event {
    Event::default().event(name(update.status))
}

const fn name(status: Status) -> &'static str {
    match status {
        Status::Queued | Status::InProgress => "video.updated",
        Status::Completed => "video.completed",
        Status::Failed => "video.failed",
        Status::Cancelled => "video.cancelled",
    }
}

/// `GET /live/videos/{id}/events`: the data is a `domain::JobUpdate`, which the pages read.
pub async fn events_for_pages(
    State(context): State<Context>,
    SignedIn(user): SignedIn,
    session: Session,
    VideoId(id): VideoId,
    resume: Resume,
) -> Result<Response, ApiError> {
    let watcher = Watcher::Session { id: session.id().ok_or(ApiError::NotSignedIn)?, membership: user.membership(), actor: user.actor() };
    let beat = KeepAlive::new().interval(BEAT).event(Event::default().event("beat").data("-"));
    events(&context, watcher, id, resume, beat, |update| Ok(vec![named(update).json_data(update)?])).await
}
