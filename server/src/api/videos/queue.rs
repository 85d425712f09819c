//! One's own queue: looking at it, putting it in another order, and taking all of it back.

use crate::{
    api::{
        ApiError,
        caller::Caller,
        wire::{CancelQueue, MoveVideo, QueueCancelled, QueueList, QueuedVideo},
    },
    context::Context,
    error::NotMoved,
    video_id::VideoId,
};
use axum::{
    Json,
    body::Bytes,
    extract::{RawQuery, State, rejection::BytesRejection},
};
use domain::{JobId, Permission, scheduling::MoveTo};
use serde::de::DeserializeOwned;

const LIMIT_DEFAULT: u64 = 20;
const LIMIT_MAX: u64 = 100;

/// List your queue
///
/// The videos of whoever made the key that wait or are being made, in the order in which they are made: first those that have begun, then those
/// that wait, model by model, then those that have not entered the queue, then those that the operator holds. One that begins while you
/// read may be met twice.
#[utoipa::path(
    get, path = "/v1/queue", tag = "queue",
    params(
        ("after" = Option<String>, Query, description = "The `last_id` of the page before"),
        ("limit" = Option<u64>, Query, description = "1 to 100, 20 unless given")
    ),
    responses(
        (status = 200, description = "A page of videos, with estimates where these are known", body = QueueList),
        (status = 400, description = "A parameter has to be mended; `param` says which", body = crate::error::ErrorBody)
    )
)]
pub async fn list_queue(State(context): State<Context>, caller: Caller, RawQuery(query): RawQuery) -> Result<Json<QueueList>, ApiError> {
    let (after, limit) = page(query.as_deref().unwrap_or_default())?;
    let queue = Box::pin(context.services.own_queue(caller.actor(), after, limit)).await?;
    let data: Vec<_> = queue.jobs.iter().map(|own| QueuedVideo::from(&own.view)).collect();
    let (first_id, last_id) = (data.first().map(|video| video.id.clone()), queue.last.map(|id| id.to_string()));
    Ok(Json(QueueList { object: "list", data, first_id, last_id, has_more: queue.has_more }))
}

/// Move a video in your queue
///
/// In front of other videos of the same person and model that wait. Those that change places share the time that they had together, so nobody
/// else's videos are made later.
#[utoipa::path(
    post, path = "/v1/videos/{video_id}/move", tag = "queue",
    params(("video_id" = String, Path, description = "The video")),
    request_body(content((MoveVideo = "application/json"))),
    responses(
        (status = 200, description = "The video where it stands now", body = QueuedVideo),
        (status = 404, description = "There is no such video, or none such to move it in front of.", body = crate::error::ErrorBody),
        (status = 409, description = "It is being made already, has ended, has not entered the queue or is held by the operator, or cannot be moved there; `code` says which.", body = crate::error::ErrorBody),
        (status = 422, description = "The body asks for no place there is.", body = crate::error::ErrorBody)
    )
)]
pub async fn move_video(
    State(context): State<Context>,
    caller: Caller,
    VideoId(id): VideoId,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<QueuedVideo>, ApiError> {
    caller.actor().require(Permission::CancelJobs)?;
    let to = match parsed(body).and_then(|body| place(&body)) {
        Ok(to) => to,
        Err(error) => {
            // What is not there is not there, whatever is asked for.
            context.services.text_bytes(caller.actor(), id).await?.ok_or(ApiError::VideoUnknown)?;
            return Err(error);
        }
    };
    let view = Box::pin(context.services.move_job(caller.actor(), id, to)).await?;
    Ok(Json(QueuedVideo::from(&view)))
}

/// Cancel your queue
///
/// All videos of whoever made the key that wait for their first step; those that are being made go on, and so do those of batches, which are
/// cancelled with their batch.
#[utoipa::path(
    post, path = "/v1/queue/cancel", tag = "queue",
    request_body(content((Option<CancelQueue> = "application/json"))),
    responses(
        (status = 200, description = "How many were cancelled", body = QueueCancelled),
        (status = 422, description = "The body is not such a JSON object.", body = crate::error::ErrorBody)
    )
)]
pub async fn cancel_queue(
    State(context): State<Context>,
    caller: Caller,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<QueueCancelled>, ApiError> {
    caller.actor().require(Permission::CancelJobs)?;
    let CancelQueue { model } = parsed(body)?;
    let catalog = context.services.catalog().await?;
    // Jobs may wait for one that is not on offer any more.
    let model = model.map(|name| catalog.find(&name).map_or(name.clone(), |model| model.id.clone()));
    let (cancelled, has_more) = context.services.cancel_own_waiting(caller.actor(), model.as_deref()).await?;
    Ok(Json(QueueCancelled { object: "queue.cancelled", cancelled, has_more }))
}

/// An empty body asks for nothing in particular.
fn parsed<T: DeserializeOwned + Default>(body: Result<Bytes, BytesRejection>) -> Result<T, ApiError> {
    let body = body.map_err(|_| ApiError::Invalid { param: None, message: "The body ended before it was complete.".to_owned() })?;
    if body.is_empty() {
        return Ok(T::default());
    }
    serde_json::from_slice(&body).map_err(|error| refused(format!("The body is not such a JSON object: {error}.")))
}

fn place(body: &MoveVideo) -> Result<MoveTo, ApiError> {
    match (body.to.as_deref(), &body.before) {
        (Some("front"), None) => Ok(MoveTo::Front),
        (Some("up"), None) => Ok(MoveTo::Up),
        (None, Some(id)) => id.parse().map(MoveTo::Before).map_err(|_| refused("`before` must be the id of a video.".to_owned())),
        _ => Err(refused("Say `to` with `front` or `up`, or `before` with the id of a video.".to_owned())),
    }
}

fn refused(message: String) -> ApiError {
    ApiError::NotMoved(NotMoved::Body(message))
}

fn page(query: &str) -> Result<(Option<JobId>, u64), ApiError> {
    let invalid = |param, message: &str| ApiError::Invalid { param: Some(param), message: message.to_owned() };
    let (mut after, mut limit) = (None, LIMIT_DEFAULT);
    for (name, value) in form_urlencoded::parse(query.as_bytes()).filter(|(_, value)| !value.is_empty()) {
        match &*name {
            "after" => after = Some(value.parse().map_err(|_| invalid("after", "`after` must be the id of a video of yours."))?),
            "limit" => {
                let asked = value.parse().ok().filter(|limit| (1..=LIMIT_MAX).contains(limit));
                limit = asked.ok_or_else(|| invalid("limit", "`limit` must be a whole number from 1 to 100."))?;
            }
            _ => {}
        }
    }
    Ok((after, limit))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(json: &str) -> Result<MoveTo, ApiError> {
        parsed(Ok(Bytes::from(json.to_owned()))).and_then(|body| place(&body))
    }

    #[test]
    fn a_move_says_one_place() {
        assert!(matches!(asked(r#"{"to":"front"}"#), Ok(MoveTo::Front)));
        assert!(matches!(asked(r#"{"to":"up"}"#), Ok(MoveTo::Up)));
        assert!(matches!(asked(r#"{"before":"job_0190aaaabbbb7ccc8dddeeeeffff0001"}"#), Ok(MoveTo::Before(_))));
        for wrong in
            ["", "{}", "[]", "{", r#"{"to":"back"}"#, r#"{"before":"x"}"#, r#"{"to":"up","before":"x"}"#, r#"{"place":1}"#, r#"{"to":1}"#]
        {
            assert!(matches!(asked(wrong), Err(ApiError::NotMoved(NotMoved::Body(_)))), "{wrong}");
        }
    }

    #[test]
    fn a_page_is_twenty_unless_asked_otherwise() {
        assert_eq!(page("").unwrap(), (None, 20));
        assert!(matches!(page("limit=100&after=job_0190aaaabbbb7ccc8dddeeeeffff0001&x=1"), Ok((Some(_), 100))));
        for wrong in ["limit=0", "limit=101", "limit=x", "after=x"] {
            assert!(matches!(page(wrong), Err(ApiError::Invalid { param: Some(_), .. })), "{wrong}");
        }
    }
}
