//! Looking at one video.

use crate::{
    api::{ApiError, caller::Caller, wire::Video},
    context::Context,
    video_id::VideoId,
};
use axum::{extract::State, response::Response};

/// Look at a video
#[utoipa::path(
    get, path = "/v1/videos/{video_id}", tag = "videos",
    params(("video_id" = String, Path, description = "The video")),
    responses((
        status = 200, description = "The video; a failed one is answered like any other", body = Video,
        headers(("openai-poll-after-ms" = u64, description = "When to look again; only while unfinished"))
    ))
)]
pub async fn retrieve_video(State(context): State<Context>, caller: Caller, VideoId(id): VideoId) -> Result<Response, ApiError> {
    let view = context.services.job(caller.actor(), id).await?.ok_or(ApiError::VideoUnknown)?;
    Ok(super::answer(&view))
}
