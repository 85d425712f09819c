//! Watching a video come into being, without polling.

use crate::{
    Context,
    api::{
        ApiError,
        caller::{Caller, VideoId},
        wire::Video,
    },
    live::{Resume, comments, events},
};
use axum::{extract::State, response::Response};

/// Watch a video
///
/// Server-sent events: `video.updated` until it is `video.completed`, `video.failed` or `video.cancelled`, which is
/// the last one. Each carries the whole video, so a client that comes back has missed nothing.
#[utoipa::path(
    get, path = "/v1/videos/{video_id}/events", tag = "videos",
    params(
        ("video_id" = String, Path, description = "The video"),
        ("Last-Event-ID" = Option<String>, Header, description = "The last event seen; the stream goes on behind it")
    ),
    responses(
        (status = 200, description = "The stream; the data of each event is a video", body = Video, content_type = "text/event-stream"),
        (status = 204, description = "The event named was the last one: do not connect again")
    )
)]
pub async fn watch_video(
    State(context): State<Context>,
    caller: Caller,
    VideoId(id): VideoId,
    resume: Resume,
) -> Result<Response, ApiError> {
    events(&context, caller.tenant(), id, resume, comments(), |view, event| event.json_data(Video::from(view))).await
}
