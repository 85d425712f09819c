//! Putting a request into the queue.

use super::wire::{Addresses, RequestStatus};
use crate::{
    api::{
        caller::{Caller, IdempotencyKey},
        compatible::{
            address::Address,
            callback::{self, callback},
            inputs::Inputs,
            submit::{Asked, model, submit as take_in},
        },
        videos::mark,
    },
    context::Context,
    error::{ApiError, NotOffered},
    shares::AnswerRoom,
};
use axum::{
    Extension, Json,
    body::Bytes,
    extract::{
        Path, RawQuery, State,
        rejection::{BytesRejection, PathRejection},
    },
    http::{HeaderMap, header},
    response::{IntoResponse, Response},
};
use domain::webhook::{CallbackEvent, CallbackStyle};
use service::deadline::Arrival;
use std::sync::Arc;

const WEBHOOK: &str = "fal_webhook";
/// The longest that a request may ask to begin within, in seconds.
const START_S_MAX: f64 = 31_536_000.0;

/// `POST /fal/{owner}/{model}`
pub async fn submit(
    State(context): State<Context>,
    path: Result<Path<(String, String)>, PathRejection>,
    RawQuery(query): RawQuery,
    address: Address,
    headers: HeaderMap,
    (caller, key, Extension(arrival), room): (Caller, IdempotencyKey, Extension<Arc<Arrival>>, Option<Extension<AnswerRoom>>),
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, ApiError> {
    let Path((owner, name)) = path.map_err(|_| ApiError::ModelUnknown)?;
    let catalog = context.services.catalog().await?;
    let model = model(&catalog, &owner, &name)?;
    let webhook = webhook(query.as_deref().unwrap_or_default())?;
    check_priority(&headers)?;
    let start_within_ms = start_within_ms(&headers)?;
    let inputs = read(body)?;
    let events = vec![CallbackEvent::Completed];
    let callback = match &webhook {
        Some(url) => {
            let asked = callback::Asked { param: WEBHOOK, url, style: CallbackStyle::Fal, events };
            Some(callback(&context, caller, &address, asked)?)
        }
        None => None,
    };
    let asked = Asked { caller, key, arrival, room, callback };
    let accepted = Box::pin(take_in(&context, asked, model, inputs, start_within_ms)).await?;
    let addresses = Addresses::new(&address, &name, accepted.job.id);
    let (room, replayed) = (accepted.room, accepted.replayed);
    let mut response = Json(RequestStatus::new(&accepted.job.into(), &addresses, false)).into_response();
    mark(&mut response, room, replayed);
    Ok(response)
}

fn read(body: Result<Bytes, BytesRejection>) -> Result<Inputs, ApiError> {
    let body = body.map_err(|_| ApiError::Invalid { param: None, message: "The body ended before it was complete.".to_owned() })?;
    let unreadable = |error| ApiError::Invalid { param: None, message: format!("The body is not a JSON object we can read: {error}.") };
    serde_json::from_slice(&body).map_err(unreadable)
}

/// Where the end of the request is to be told. What else is asked for there is refused rather than passed over.
fn webhook(query: &str) -> Result<Option<String>, ApiError> {
    let mut webhook = None;
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        match &*name {
            WEBHOOK => webhook = Some(value.into_owned()),
            "fal_max_queue_length" => {
                let message = "`fal_max_queue_length` is not supported here: ask to begin within a time by `X-Fal-Request-Timeout`.";
                return Err(NotOffered::Header { name: "fal_max_queue_length", message }.into());
            }
            _ => {}
        }
    }
    Ok(webhook)
}

/// `GET /fal/.well-known/jwks.json`: by which anybody can tell that a webhook came from here.
pub async fn keys(State(context): State<Context>) -> Result<impl IntoResponse, ApiError> {
    Ok(([(header::CACHE_CONTROL, "public, max-age=300")], Json(context.services.callback_keys().await?)))
}

/// Either is taken: which job is next is the same for all, by what each team has had.
fn check_priority(headers: &HeaderMap) -> Result<(), ApiError> {
    match headers.get("x-fal-queue-priority").map(axum::http::HeaderValue::as_bytes) {
        None | Some(b"normal" | b"low") => Ok(()),
        Some(_) => {
            let message = "`X-Fal-Queue-Priority` must be `normal` or `low`.";
            Err(NotOffered::Header { name: "x-fal-queue-priority", message }.into())
        }
    }
}

/// Within how many milliseconds it is to have begun.
fn start_within_ms(headers: &HeaderMap) -> Result<Option<i64>, ApiError> {
    let Some(asked) = headers.get("x-fal-request-timeout") else { return Ok(None) };
    let seconds = asked.to_str().ok().and_then(|text| text.trim().parse::<f64>().ok());
    match seconds.filter(|seconds| *seconds > 0.0 && *seconds <= START_S_MAX) {
        Some(seconds) => Ok(Some((seconds * 1000.0) as i64)),
        None => {
            let message = "`X-Fal-Request-Timeout` must be a number of seconds above 0.";
            Err(NotOffered::Header { name: "x-fal-request-timeout", message }.into())
        }
    }
}
