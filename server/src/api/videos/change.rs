//! Stopping a video, and taking one away.

use crate::{
    api::{
        ApiError,
        caller::Caller,
        wire::{CancelledVideo, Video, VideoDeleted, VideoStatus},
    },
    context::Context,
    shares::AnswerRoom,
    video_id::VideoId,
};
use axum::{Extension, Json, extract::State};
use domain::Scope;

/// Cancel a video
///
/// What is waiting or running stops; what has ended stays as it is. Without the scope `videos:read` the answer is the video's `id`, `object`
/// and `status` alone.
#[utoipa::path(
    post, path = "/v1/videos/{video_id}/cancel", tag = "videos",
    params(("video_id" = String, Path, description = "The video")),
    responses((status = 200, description = "The video as it is now", body = CancelledVideo))
)]
pub async fn cancel_video(
    State(context): State<Context>,
    caller: Caller,
    room: Option<Extension<AnswerRoom>>,
    VideoId(id): VideoId,
) -> Result<Json<CancelledVideo>, ApiError> {
    let may_read = caller.0.owner.scopes.has(Scope::VideosRead);
    if !may_read {
        let view = context.services.cancel(caller.actor(), id).await?.ok_or(ApiError::VideoUnknown)?;
        return Ok(Json(CancelledVideo::Unread(VideoStatus::from(&view))));
    }
    let texts = context.services.text_bytes(caller.actor(), id).await?.ok_or(ApiError::VideoUnknown)?;
    super::keep(room, usize::try_from(texts).unwrap_or(usize::MAX)).await?;
    let view = context.services.cancel(caller.actor(), id).await?.ok_or(ApiError::VideoUnknown)?;
    Ok(Json(CancelledVideo::Read(Box::new(Video::from(&view)))))
}

/// Delete a video
///
/// The video and its files are gone for good; one that is being made is cancelled first.
#[utoipa::path(
    delete, path = "/v1/videos/{video_id}", tag = "videos",
    params(("video_id" = String, Path, description = "The video")),
    responses((status = 200, description = "It is gone", body = VideoDeleted))
)]
pub async fn delete_video(State(context): State<Context>, caller: Caller, VideoId(id): VideoId) -> Result<Json<VideoDeleted>, ApiError> {
    if context.services.delete(caller.actor(), id).await? {
        Ok(Json(VideoDeleted { id: id.to_string(), object: "video.deleted", deleted: true }))
    } else {
        Err(ApiError::VideoUnknown)
    }
}
