//! Fetching what was made.

use crate::{
    api::{ApiError, caller::Caller},
    context::Context,
    files::media::{Asked, kind_named, send},
    video_id::VideoId,
};
use axum::{
    extract::{RawQuery, State},
    response::Response,
};
use store::ArtifactKind;

/// Fetch a video or its pictures
///
/// A video has a thumbnail and a spritesheet, an image has a thumbnail. Ranges and conditional requests work as HTTP has
/// them; the `ETag` is the file's SHA-256.
#[utoipa::path(
    get, path = "/v1/videos/{video_id}/content", tag = "videos",
    params(
        ("video_id" = String, Path, description = "The video"),
        ("variant" = Option<String>, Query, description = "`video`, `image`, `thumbnail` or `spritesheet`; unless given, what was made: the video or the image"),
        ("Range" = Option<String>, Header, description = "Which bytes, such as `bytes=0-1023`")
    ),
    responses(
        (status = 200, description = "The file", content((Vec<u8> = "video/mp4"), (Vec<u8> = "image/webp"))),
        (status = 206, description = "The bytes asked for", content((Vec<u8> = "video/mp4"), (Vec<u8> = "image/webp"))),
        (status = 304, description = "What the client has is what there is"),
        (status = 400, description = "Not finished, failed, cancelled, or without this variant", body = crate::error::ErrorBody),
        (status = 416, description = "The range lies outside the file", body = crate::error::ErrorBody)
    )
)]
pub async fn download_video(
    State(context): State<Context>,
    caller: Caller,
    VideoId(id): VideoId,
    RawQuery(query): RawQuery,
    asked: Asked,
) -> Result<Response, ApiError> {
    let kind = variant(query.as_deref().unwrap_or_default())?;
    send(&context.services, caller.actor(), id, kind, &asked).await
}

/// `None`: what was made, whatever it is.
fn variant(query: &str) -> Result<Option<ArtifactKind>, ApiError> {
    let named = form_urlencoded::parse(query.as_bytes()).filter(|(name, _)| name == "variant").last();
    let Some((_, name)) = named.filter(|(_, name)| !name.is_empty()) else { return Ok(None) };
    let unknown = || ApiError::Invalid {
        param: Some("variant"),
        message: "`variant` must be `video`, `image`, `thumbnail` or `spritesheet`.".to_owned(),
    };
    kind_named(&name).map(Some).ok_or_else(unknown)
}
