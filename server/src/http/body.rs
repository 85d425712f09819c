//! Request bodies, limited: in size, in the pause between two pieces, and in time.
//!
//! What a handler leaves unread is read and thrown away for a while after the answer was sent. Closing at
//! once would reset the connection, and a client that is still sending would never see why it was refused.

use super::{
    Audience,
    deadline::{Arrival, within},
};
use crate::api::ApiError;
use axum::{
    body::Body,
    extract::{Request, State},
    middleware::Next,
    response::Response,
};
use bytes::Bytes;
use http_body::{Body as HttpBody, Frame, SizeHint};
use http_body_util::BodyExt;
use std::{
    pin::Pin,
    sync::{Arc, OnceLock},
    task::{Context, Poll, ready},
    time::Duration,
};
use tokio::time::{Instant, Sleep, sleep_until, timeout};

pub const BYTES_MAX: u64 = 1024 * 1024;
const PATIENCE: Patience = Patience { pause: Duration::from_secs(30), total: Duration::from_secs(120) };
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
}

/// Limits the request's body and answers with 413 or 408 when a limit was passed, whatever the handler made of
/// it, and with 503 when the handler had it all and made nothing of it by the deadline.
pub async fn guard(State(deadline): State<Duration>, request: Request, next: Next) -> Response {
    let audience = Audience::of(&request);
    let (fault, arrival) = (Arc::new(OnceLock::new()), Arc::new(Arrival::default()));
    let guarded = |body| Body::new(Guarded::new(body, PATIENCE, Arc::clone(&fault), Arc::clone(&arrival)));
    let request = request.map(|body| if body.is_end_stream() { body } else { guarded(body) });
    let response = within(deadline, &arrival, next.run(request)).await;
    match fault.get() {
        None => response.unwrap_or_else(|| audience.refuse(ApiError::Overdue(deadline))),
        Some(Fault::TooLarge) => audience.refuse(ApiError::BodyTooLarge),
        Some(Fault::TooSlow) => audience.refuse(ApiError::BodyTooSlow),
    }
}

struct Guarded {
    /// Gone once it has ended or failed.
    inner: Option<Body>,
    bytes_left: u64,
    bytes_since_rest: usize,
    pause: Duration,
    deadline: Instant,
    timer: Pin<Box<Sleep>>,
    fault: Arc<OnceLock<Fault>>,
    arrival: Arc<Arrival>,
}

impl Guarded {
    fn new(inner: Body, Patience { pause, total }: Patience, fault: Arc<OnceLock<Fault>>, arrival: Arc<Arrival>) -> Self {
        let now = Instant::now();
        let timer = Box::pin(sleep_until(now + pause));
        Self { inner: Some(inner), bytes_left: BYTES_MAX, bytes_since_rest: 0, pause, deadline: now + total, timer, fault, arrival }
    }

    fn refuse(&self, fault: Fault) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let fault = *self.fault.get_or_init(|| fault);
        Poll::Ready(Some(Err(axum::Error::new(fault))))
    }
}

impl HttpBody for Guarded {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if let Some(fault) = self.fault.get() {
            return self.refuse(*fault);
        }
        if self.bytes_since_rest >= BYTES_AT_ONCE {
            self.bytes_since_rest = 0;
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let Some(inner) = &mut self.inner else { return Poll::Ready(None) };
        let polled = Pin::new(inner).poll_frame(context);
        self.arrival.set_awaited(polled.is_pending());
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
        let wait_until = (Instant::now() + self.pause).min(self.deadline);
        self.timer.as_mut().reset(wait_until);
        Poll::Ready(Some(Ok(frame)))
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
        self.arrival.set_awaited(false);
        let unread = self.inner.take().filter(|body| !body.is_end_stream());
        let (Some(body), Ok(runtime)) = (unread, tokio::runtime::Handle::try_current()) else { return };
        if self.fault.get() != Some(&Fault::TooSlow) {
            runtime.spawn(timeout(DRAIN_TIME_MAX, drain(body)));
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
    use axum::{Router, http::StatusCode, middleware::from_fn_with_state, routing::post};
    use futures::{StreamExt, stream};
    use std::convert::Infallible;
    use tower::ServiceExt;

    async fn answer_to(body: Body) -> StatusCode {
        let router = Router::new().route("/", post(|body: Bytes| async move { body.len().to_string() }));
        let router = router.layer(from_fn_with_state(Duration::from_secs(10), guard));
        let router = router.layer(axum::extract::DefaultBodyLimit::disable());
        router.oneshot(Request::post("/").body(body).unwrap()).await.unwrap().status()
    }

    #[tokio::test]
    async fn a_body_of_the_limit_passes_and_one_byte_more_does_not() {
        let bytes = usize::try_from(BYTES_MAX).unwrap();
        assert_eq!(answer_to(Body::from(vec![b'x'; bytes])).await, StatusCode::OK);
        assert_eq!(answer_to(Body::from(vec![b'x'; bytes + 1])).await, StatusCode::PAYLOAD_TOO_LARGE);
    }

    /// Reads `body` to its end and says what was wrong with it.
    async fn fault_of(body: Body) -> Option<Fault> {
        let (fault, ms) = (Arc::new(OnceLock::new()), Duration::from_millis);
        let patience = Patience { pause: ms(100), total: ms(300) };
        let _ = Body::new(Guarded::new(body, patience, Arc::clone(&fault), Arc::default())).collect().await;
        fault.get().copied()
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
