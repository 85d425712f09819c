//! Where the things of a video are, for whoever wants to put them elsewhere.

use crate::{
    api::{ApiError, caller::Caller, layout::VideoLayout},
    context::Context,
    video_id::VideoId,
};
use axum::{Json, extract::State};

/// Look at a video's layout
///
/// Where each thing of a finished video is drawn in the middle of its shot. Things that are put elsewhere by `arrangement` stay
/// exactly there in another video of the same prompt, and the rest is arranged around them.
#[utoipa::path(
    get, path = "/v1/videos/{video_id}/layout", tag = "videos",
    params(("video_id" = String, Path, description = "The video")),
    responses(
        (status = 200, description = "Its shots and their things", body = VideoLayout),
        (status = 400, description = "Not finished, failed, cancelled, or of a model that places no things", body = crate::error::ErrorBody)
    )
)]
pub async fn video_layout(State(context): State<Context>, caller: Caller, VideoId(id): VideoId) -> Result<Json<VideoLayout>, ApiError> {
    let layout = context.services.layout(caller.actor(), id).await?;
    Ok(Json(VideoLayout::new(id, layout)))
}
