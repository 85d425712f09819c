//! Watching a video come into being, without polling.

use crate::{
    api::{ApiError, caller::Caller, wire::VideoUpdate},
    context::Context,
    live::{Resume, Watcher, comments, events, named},
    video_id::VideoId,
};
use axum::{extract::State, response::Response};

/// Watch a video
///
/// Server-sent events: `video.updated` until it is `video.completed`, `video.failed` or `video.cancelled`, which is
/// the last one. Each carries all that may change in a video, so a client that comes back has missed nothing. The
/// stream also ends when the video is deleted or the key revoked.
#[utoipa::path(
    get, path = "/v1/videos/{video_id}/events", tag = "videos",
    params(
        ("video_id" = String, Path, description = "The video"),
        ("Last-Event-ID" = Option<String>, Header, description = "The last event seen; the stream goes on behind it")
    ),
    responses(
        (status = 200, description = "The stream; the data of each event is what a video has but its prompts and settings", body = VideoUpdate, content_type = "text/event-stream"),
        (status = 204, description = "The event named was the last one: do not connect again"),
        (status = 429, description = "Too many videos are being watched at the same time", body = crate::error::ErrorBody)
    )
)]
pub async fn watch_video(
    State(context): State<Context>,
    caller: Caller,
    VideoId(id): VideoId,
    resume: Resume,
) -> Result<Response, ApiError> {
    let watcher = Watcher::Key(caller.0);
    events(&context, watcher, id, resume, comments(), |update| Ok(vec![named(update).json_data(VideoUpdate::from(update))?])).await
}
