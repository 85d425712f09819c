//! Request bodies, limited: in size, in the pause between two pieces, in time, and in the memory of all together.
//!
//! A body takes room piece by piece as it arrives, and keeps it until it is answered. Pieces are copied, because
//! one of a few bytes would keep the whole buffer of its connection.
//!
//! What a handler leaves unread is read and thrown away for a while after the answer was sent. Closing at
//! once would reset the connection, and a client that is still sending would never see why it was refused. That
//! happens only where too many are.

use super::{Audience, FAL_PATH, REPLICATE_PATH};
use crate::{
    error::ApiError,
    shares::{BodyRoom, Shares, UPLOAD_ROOM},
};
use axum::{
    body::Body,
    extract::{ConnectInfo, Request, State},
    middleware::Next,
    response::Response,
};
use bytes::Bytes;
use domain::batch::FILE_BYTES_MAX;
use http_body::{Body as HttpBody, Frame, SizeHint};
use http_body_util::BodyExt;
use service::deadline::{Arrival, within};
use std::{
    net::{IpAddr, SocketAddr},
    pin::Pin,
    sync::{Arc, Mutex, OnceLock, PoisonError},
    task::{Context, Poll, ready},
    time::Duration,
};
use store::clock::Instant;
use tokio::time::{Sleep, sleep_until, timeout};

/// Of a request for a video, whose texts may be long, of what a payment processor tells, and of any other.
const LONG_BYTES_MAX: u64 = 1024 * 1024;
const OTHER_BYTES_MAX: u64 = 16 * 1024;
/// Of a file, with the fields beside it. It is stored as it arrives, and takes as much room whatever its size.
const UPLOAD_BYTES_MAX: u64 = FILE_BYTES_MAX + 64 * 1024;
/// The form of the page of batches.
pub const BATCH_UPLOAD: &str = "/batches/upload";
const UPLOADS: [&str; 2] = ["/v1/files", BATCH_UPLOAD];
/// What storing it may take besides waiting for more of it.
const UPLOAD_DEADLINE: Duration = Duration::from_secs(600);
const PATIENCE: Patience = Patience { pause: Duration::from_secs(30), total: Duration::from_secs(120) };
const UPLOAD_PATIENCE: Patience = Patience { total: Duration::from_secs(60 * 60), ..PATIENCE };
/// A body that is always ready still lets others have their turn, and lets its reader look at what it has.
const BYTES_AT_ONCE: usize = 64 * 1024;
const DRAIN_PAUSE_MAX: Duration = Duration::from_secs(5);
const DRAIN_TIME_MAX: Duration = Duration::from_secs(30);

/// How long a body may take: between two pieces, and altogether.
#[derive(Debug, Clone, Copy)]
struct Patience {
    pause: Duration,
    total: Duration,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
enum Fault {
    #[error("the body is too large")]
    TooLarge,
    #[error("the body is too slow")]
    TooSlow,
    #[error("there is no room for the body")]
    NoRoom,
}

/// What a body and its guard tell each other.
struct Course {
    fault: OnceLock<Fault>,
    arrival: Arc<Arrival>,
    room: Mutex<BodyRoom>,
    is_upload: bool,
    shares: Arc<Shares>,
}

impl Course {
    fn new(shares: Arc<Shares>, sender: Option<IpAddr>, deadline: Duration, is_upload: bool) -> Self {
        let room = Mutex::new(if is_upload { shares.upload(sender) } else { shares.body(sender) });
        Self { fault: OnceLock::new(), arrival: Arc::new(Arrival::new(deadline)), room, is_upload, shares }
    }

    fn has_room_for(&self, bytes: usize) -> bool {
        let mut room = self.room.lock().unwrap_or_else(PoisonError::into_inner);
        if self.is_upload { room.keep(UPLOAD_ROOM) } else { room.take(bytes) }
    }
}

/// Limits the request's body and answers with 413, 408 or 503 when a limit was passed, whatever the handler made of
/// it, and with 503 when the handler had it all and made nothing of it by the deadline.
pub async fn guard(State((deadline, shares)): State<(Duration, Arc<Shares>)>, request: Request, next: Next) -> Response {
    let audience = Audience::of(&request);
    let bytes_max = bytes_max(request.uri().path());
    let address = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(address)| address.ip());
    let is_upload = UPLOADS.contains(&request.uri().path());
    let (deadline, patience) = if is_upload { (UPLOAD_DEADLINE.max(deadline), UPLOAD_PATIENCE) } else { (deadline, PATIENCE) };
    let course = Arc::new(Course::new(shares, address, deadline, is_upload));
    let guarded = |body| Body::new(Guarded::new(body, bytes_max, patience, Arc::clone(&course)));
    let mut request = request.map(|body| if body.is_end_stream() { body } else { guarded(body) });
    request.extensions_mut().insert(Arc::clone(&course.arrival));
    let answer = async {
        match gathered(request).await {
            Ok(request) => next.run(request).await,
            Err(_) => audience.refuse(ApiError::Invalid { param: None, message: "The body ended before it was complete.".to_owned() }),
        }
    };
    let response = within(&course.arrival, answer).await;
    match course.fault.get() {
        None => response.unwrap_or_else(|| audience.refuse(ApiError::Overdue(deadline))),
        Some(Fault::TooLarge) => audience.refuse(ApiError::BodyTooLarge { bytes_max }),
        Some(Fault::TooSlow) => audience.refuse(ApiError::BodyTooSlow),
        Some(Fault::NoRoom) => audience.refuse(ApiError::TooManyBodies),
    }
}

/// Server functions read all of a body before they look at anything, and cost more than a small body while they wait.
/// So theirs is read here; the others read their own when they know who asks.
async fn gathered(request: Request) -> Result<Request, axum::Error> {
    if !request.uri().path().starts_with("/api/") {
        return Ok(request);
    }
    let (parts, body) = request.into_parts();
    Ok(Request::from_parts(parts, Body::from(body.collect().await?.to_bytes())))
}

fn bytes_max(path: &str) -> u64 {
    if UPLOADS.contains(&path) {
        return UPLOAD_BYTES_MAX;
    }
    let is_remix = path.starts_with("/v1/videos/") && path.ends_with("/remix");
    let is_long = matches!(
        path,
        "/v1/videos"
            | "/v1/batches"
            | "/v1/videos/edits"
            | "/v1/videos/extensions"
            | "/v1/videos/characters"
            | "/api/submit-video"
            | "/api/read-prompt"
            | "/webhooks/stripe"
    );
    // With a prompt in it, or thrown away.
    let is_of_other_api = path.starts_with(REPLICATE_PATH) || path.starts_with(FAL_PATH);
    if is_remix || is_long || is_of_other_api { LONG_BYTES_MAX } else { OTHER_BYTES_MAX }
}

struct Guarded {
    /// Gone once it has ended or failed.
    inner: Option<Body>,
    bytes_left: u64,
    bytes_since_rest: usize,
    pause: Duration,
    deadline: Instant,
    timer: Pin<Box<Sleep>>,
    course: Arc<Course>,
}

impl Guarded {
    fn new(inner: Body, bytes_left: u64, Patience { pause, total }: Patience, course: Arc<Course>) -> Self {
        let now = Instant::now();
        let timer = Box::pin(sleep_until(now + pause));
        Self { inner: Some(inner), bytes_left, bytes_since_rest: 0, pause, deadline: now + total, timer, course }
    }

    fn refuse(&self, fault: Fault) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let fault = *self.course.fault.get_or_init(|| fault);
        Poll::Ready(Some(Err(axum::Error::new(fault))))
    }
}

impl HttpBody for Guarded {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if let Some(fault) = self.course.fault.get() {
            return self.refuse(*fault);
        }
        if self.bytes_since_rest >= BYTES_AT_ONCE {
            self.bytes_since_rest = 0;
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let Some(inner) = &mut self.inner else { return Poll::Ready(None) };
        let polled = Pin::new(inner).poll_frame(context);
        self.course.arrival.set_awaited(polled.is_pending());
        let Poll::Ready(frame) = polled else {
            ready!(self.timer.as_mut().poll(context));
            return self.refuse(Fault::TooSlow);
        };
        let Some(Ok(frame)) = frame else {
            self.inner = None;
            return Poll::Ready(frame);
        };
        if Instant::now() >= self.deadline {
            return self.refuse(Fault::TooSlow);
        }
        let bytes = frame.data_ref().map_or(0, Bytes::len);
        self.bytes_since_rest += bytes;
        let Some(bytes_left) = self.bytes_left.checked_sub(bytes as u64) else { return self.refuse(Fault::TooLarge) };
        self.bytes_left = bytes_left;
        if !self.course.has_room_for(bytes) {
            return self.refuse(Fault::NoRoom);
        }
        let wait_until = (Instant::now() + self.pause).min(self.deadline);
        self.timer.as_mut().reset(wait_until);
        Poll::Ready(Some(Ok(frame.map_data(|data| Bytes::copy_from_slice(&data)))))
    }

    fn is_end_stream(&self) -> bool {
        self.inner.as_ref().is_none_or(HttpBody::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.as_ref().map_or_else(SizeHint::default, HttpBody::size_hint)
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        self.course.arrival.set_awaited(false);
        let unread = self.inner.take().filter(|body| !body.is_end_stream());
        let (Some(body), Ok(runtime)) = (unread, tokio::runtime::Handle::try_current()) else { return };
        if self.course.fault.get() != Some(&Fault::TooSlow)
            && let Some(turn) = self.course.shares.drain()
        {
            runtime.spawn(async move {
                let _ = timeout(DRAIN_TIME_MAX, drain(body)).await;
                drop(turn);
            });
        }
    }
}

async fn drain(mut body: Body) {
    while let Ok(Some(Ok(_))) = timeout(DRAIN_PAUSE_MAX, body.frame()).await {
        tokio::task::consume_budget().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Limits;
    use axum::{Router, http::StatusCode, middleware::from_fn_with_state, routing::post};
    use futures::{StreamExt, stream};
    use std::convert::Infallible;
    use tower::ServiceExt;

    async fn answer_to(path: &str, body: Body, shares: &Arc<Shares>) -> StatusCode {
        let router = Router::new().fallback(post(|body: Bytes| async move { body.len().to_string() }));
        let router = router.layer(from_fn_with_state((Duration::from_secs(10), Arc::clone(shares)), guard));
        let router = router.layer(axum::extract::DefaultBodyLimit::disable());
        router.oneshot(Request::post(path).body(body).unwrap()).await.unwrap().status()
    }

    fn shares() -> Arc<Shares> {
        Arc::new(Shares::new(&Limits::default()))
    }

    #[tokio::test]
    async fn a_body_of_the_limit_passes_and_one_byte_more_does_not() {
        for (path, bytes_max) in [
            ("/v1/videos", 1024 * 1024),
            ("/v1/videos/job_1/remix", 1024 * 1024),
            ("/api/submit-video", 1024 * 1024),
            ("/v1/videos/job_1/cancel", 16 * 1024),
            ("/api/sign-in", 16 * 1024),
            ("/library", 16 * 1024),
        ] {
            assert_eq!(answer_to(path, Body::from(vec![b'x'; bytes_max]), &shares()).await, StatusCode::OK, "{path}");
            assert_eq!(answer_to(path, Body::from(vec![b'x'; bytes_max + 1]), &shares()).await, StatusCode::PAYLOAD_TOO_LARGE, "{path}");
        }
    }

    #[tokio::test]
    async fn a_body_beyond_the_room_for_all_is_refused_until_there_is_some() {
        let shares = shares();
        let mut others = shares.body(None);
        while others.take(1000) {}
        assert_eq!(answer_to("/v1/videos", Body::from(vec![b'x'; 1000]), &shares).await, StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(answer_to("/v1/videos", Body::empty(), &shares).await, StatusCode::OK);
        drop(others);
        assert_eq!(answer_to("/v1/videos", Body::from(vec![b'x'; 1000]), &shares).await, StatusCode::OK);
    }

    #[tokio::test]
    async fn files_that_arrive_take_no_room_of_other_bodies() {
        let (shares, address) = (shares(), IpAddr::from([192, 0, 2, 1]));
        let course = || Course::new(Arc::clone(&shares), Some(address), Duration::from_secs(10), true);
        let courses: Vec<_> = std::iter::repeat_with(course).take_while(|course| course.has_room_for(1)).collect();
        assert_eq!(courses.len(), 4, "of one network");
        assert!(shares.body(Some(address)).take(1000));
        drop(courses);
        assert!(course().has_room_for(1));
    }

    /// Reads `body` to its end and says what was wrong with it.
    async fn fault_of(body: Body) -> Option<Fault> {
        let (course, ms) = (Arc::new(Course::new(shares(), None, Duration::from_secs(10), false)), Duration::from_millis);
        let patience = Patience { pause: ms(100), total: ms(300) };
        let _ = Body::new(Guarded::new(body, LONG_BYTES_MAX, patience, Arc::clone(&course))).collect().await;
        course.fault.get().copied()
    }

    #[tokio::test]
    async fn a_body_that_stops_or_trickles_is_too_slow() {
        let stops = stream::once(async { Ok::<_, Infallible>("a") }).chain(stream::pending());
        assert_eq!(fault_of(Body::from_stream(stops)).await, Some(Fault::TooSlow));
        let trickles = stream::repeat("a").then(|piece| async move {
            tokio::time::sleep(Duration::from_millis(10)).await;
            Ok::<_, Infallible>(piece)
        });
        assert_eq!(fault_of(Body::from_stream(trickles)).await, Some(Fault::TooSlow));
        assert_eq!(fault_of(Body::from("all at once")).await, None);
    }
}
