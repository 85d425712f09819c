//! Looking at one video, and at pages of them.

use crate::{
    Context,
    api::{
        ApiError,
        caller::{Caller, VideoId},
        wire::{Video, VideoList},
    },
};
use axum::{
    Json,
    extract::{RawQuery, State},
    response::Response,
};
use store::{Order, PageQuery};

const LIMIT_DEFAULT: u64 = 20;
const LIMIT_MAX: u64 = 100;

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
    let view = context.services.job(caller.tenant(), id).await?.ok_or(ApiError::VideoUnknown)?;
    Ok(super::answer(&view))
}

/// List videos
#[utoipa::path(
    get, path = "/v1/videos", tag = "videos",
    params(
        ("after" = Option<String>, Query, description = "The `last_id` of the page before"),
        ("limit" = Option<u64>, Query, description = "1 to 100, 20 unless given"),
        ("order" = Option<String>, Query, description = "`desc`, newest first, or `asc`")
    ),
    responses(
        (status = 200, description = "A page of videos, without estimates", body = VideoList),
        (status = 400, description = "A parameter has to be mended; `param` says which", body = crate::api::wire::ErrorBody)
    )
)]
pub async fn list_videos(State(context): State<Context>, caller: Caller, RawQuery(query): RawQuery) -> Result<Json<VideoList>, ApiError> {
    let page = page_query(query.as_deref().unwrap_or_default())?;
    let (views, has_more) = context.services.jobs(caller.tenant(), page).await?;
    let data: Vec<_> = views.iter().map(Video::from).collect();
    let (first_id, last_id) = (data.first().map(|video| video.id.clone()), data.last().map(|video| video.id.clone()));
    Ok(Json(VideoList { object: "list", data, first_id, last_id, has_more }))
}

/// Values that are ours to choose need no decoding: what is encoded cannot be one of them.
fn page_query(query: &str) -> Result<PageQuery, ApiError> {
    let mut page = PageQuery { after: None, limit: LIMIT_DEFAULT, order: Order::NewestFirst };
    for (name, value) in query.split('&').filter_map(|pair| pair.split_once('=')).filter(|(_, value)| !value.is_empty()) {
        match name {
            "after" => page.after = Some(value.parse().map_err(|_| invalid("after", "`after` must be the id of a video."))?),
            "limit" => {
                let limit = value.parse().ok().filter(|limit| (1..=LIMIT_MAX).contains(limit));
                page.limit = limit.ok_or_else(|| invalid("limit", "`limit` must be a whole number from 1 to 100."))?;
            }
            "order" => {
                page.order = match value {
                    "asc" => Order::OldestFirst,
                    "desc" => Order::NewestFirst,
                    _ => return Err(invalid("order", "`order` must be `asc` or `desc`.")),
                }
            }
            _ => {}
        }
    }
    Ok(page)
}

fn invalid(param: &'static str, message: &str) -> ApiError {
    ApiError::Invalid { param: Some(param), message: message.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_twenty_of_the_newest_unless_asked_otherwise() {
        let page = page_query("").unwrap();
        assert_eq!((page.limit, page.order, page.after), (20, Order::NewestFirst, None));
        let page = page_query("limit=100&order=asc&unknown=1&after=job_0190aaaabbbb7ccc8dddeeeeffff0001").unwrap();
        assert_eq!((page.limit, page.order, page.after.is_some()), (100, Order::OldestFirst, true));
    }

    #[test]
    fn values_out_of_range_are_refused() {
        for query in [
            "limit=0",
            "limit=101",
            "limit=-1",
            "limit=ten",
            "limit=1e1",
            "order=up",
            "after=x",
            "after=tenant_0190aaaabbbb7ccc8dddeeeeffff0001",
        ] {
            assert!(matches!(page_query(query), Err(ApiError::Invalid { param: Some(_), .. })), "{query}");
        }
    }
}
