//! `Prefer: wait`: an answer that is given when the job has ended, or when the client wants it at the latest.
//!
//! Its head is sent at once and its body when there is one, so that nothing but a small task is held meanwhile: no connection to the
//! database, no room for the request's body. A tenant may have some of its requests wait; beyond that they are answered at once.

use super::wire::Prediction;
use crate::{
    api::{caller::Caller, compatible::address::Address},
    context::Context,
    files::outputs::OutputAddresses,
};
use axum::{
    Json,
    body::Body,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use domain::{JobId, JobView};
use futures::{StreamExt, stream};
use std::{io, pin::pin, time::Duration};
use store::clock::Instant;
use tokio::time::timeout_at;

/// What `Prefer: wait` means without a number, and the longest there is.
const WAIT_S_MAX: u64 = 60;

/// How long the client wants to wait, at the most.
pub fn wanted(headers: &HeaderMap) -> Option<Duration> {
    let values = headers.get_all("prefer").iter().filter_map(|value| value.to_str().ok());
    let wishes = values.flat_map(|value| value.split([',', ';'])).map(str::trim);
    let mut waits = wishes.filter_map(|wish| match wish.split_once('=') {
        None => wish.eq_ignore_ascii_case("wait").then_some(WAIT_S_MAX),
        Some((name, seconds)) if name.trim().eq_ignore_ascii_case("wait") => seconds.trim().trim_matches('"').parse().ok(),
        Some(_) => None,
    });
    waits.next_back().filter(|seconds| *seconds > 0).map(|seconds| Duration::from_secs(seconds.min(WAIT_S_MAX)))
}

/// The answer to a prediction that was made just now. Nothing can go wrong any more: a client that heard of it would ask for another.
///
/// `outputs`: `None` of a caller who may not see what was made, and who waits for nothing.
pub fn answer(
    context: &Context,
    caller: Caller,
    view: &JobView,
    (address, outputs): (Address, Option<OutputAddresses>),
    wait: Option<Duration>,
) -> Response {
    let until = wait.map(|wait| Instant::now() + wait);
    let created = StatusCode::CREATED;
    let at_once = Prediction::new(view, &address, outputs.as_ref());
    let tenant = caller.0.owner.membership.tenant;
    let waiting = until.filter(|_| !view.status.is_final() && outputs.is_some());
    let waiting = waiting.and_then(|until| Some((until, context.shares.waiting(tenant)?)));
    let Some((until, share)) = waiting else { return (created, Json(at_once)).into_response() };
    let (context, id) = (context.clone(), view.id);
    let later = async move {
        let ended = ended(&context, caller, id, (&address, outputs.as_ref()), until).await;
        drop(share);
        // Clients go on to ask where they are told that it has not begun, and take any other answer for the last.
        let told = ended.unwrap_or_else(|| at_once.not_begun());
        serde_json::to_vec(&told).map_err(io::Error::other)
    };
    (created, [(header::CONTENT_TYPE, "application/json")], Body::from_stream(stream::once(later))).into_response()
}

/// The prediction as it ended; `None` when it has not by then, or that cannot be told.
async fn ended(
    context: &Context,
    caller: Caller,
    id: JobId,
    (address, outputs): (&Address, Option<&OutputAddresses>),
    until: Instant,
) -> Option<Prediction> {
    let mut updates = pin!(context.services.watch(caller.actor(), id, None).ok()?);
    let has_ended = async {
        while let Some(Ok(update)) = updates.next().await {
            if update.status.is_final() {
                return Some(());
            }
        }
        None
    };
    tokio::select! {
        ended = timeout_at(until, has_ended) => ended.ok()??,
        () = context.stopping.cancelled() => return None,
    }
    // The key may have been revoked meanwhile.
    context.services.is_open(caller.0.owner).await.ok().filter(|is_open| *is_open)?;
    let view = context.services.plain_job(caller.actor(), id).await.ok()??;
    Some(Prediction::new(&view, address, outputs))
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    #[test]
    fn a_client_says_how_long_it_waits_and_never_waits_longer_than_a_minute() {
        let wanted = |said: &'static str| {
            wanted(&HeaderMap::from_iter([(header::HeaderName::from_static("prefer"), HeaderValue::from_static(said))]))
        };
        for (said, seconds) in [
            ("wait", Some(60)),
            ("WAIT", Some(60)),
            ("wait=5", Some(5)),
            ("respond-async, wait=10", Some(10)),
            ("wait=61", Some(60)),
            ("wait=0", None),
            ("wait=soon", None),
            ("respond-async", None),
            ("", None),
        ] {
            assert_eq!(wanted(said), seconds.map(Duration::from_secs), "{said}");
        }
    }
}
