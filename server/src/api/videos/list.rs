//! Pages of videos, written as fast as they are read.
//!
//! A page of the largest prompts takes megabytes, and a client may be slow or never read at all. So the videos
//! are read from the database a few at a time, when the ones before have been sent, and a page ends early at
//! 1 MiB. What is short is answered as a whole.

use crate::{
    api::{
        ApiError,
        caller::Caller,
        query,
        wire::{Video, VideoList},
    },
    context::Context,
};
use axum::{
    body::{Body, Bytes},
    extract::{RawQuery, State},
    http::header,
    response::{IntoResponse, Response},
};
use domain::JobId;
use futures::{StreamExt, stream};
use serde_json::json;
use service::JobList;
use std::{io, time::Duration};
use store::{Order, PageQuery};
use tokio::time::timeout;

const LIMIT_DEFAULT: u64 = 20;
const LIMIT_MAX: u64 = 100;
/// Of the videos of one page.
const BYTES_MAX: usize = 1024 * 1024;
/// A shorter page is answered as a whole.
const WHOLE_BYTES: usize = 64 * 1024;

/// List videos
///
/// A page ends early where it would grow beyond 1 MiB: read on while `has_more` is true.
#[utoipa::path(
    get, path = "/v1/videos", tag = "videos",
    params(
        ("after" = Option<String>, Query, description = "The `last_id` of the page before"),
        ("limit" = Option<u64>, Query, description = "1 to 100, 20 unless given"),
        ("order" = Option<String>, Query, description = "`desc`, newest first, or `asc`")
    ),
    responses(
        (status = 200, description = "A page of videos, without estimates", body = VideoList),
        (status = 400, description = "A parameter has to be mended; `param` says which", body = crate::error::ErrorBody)
    )
)]
pub async fn list_videos(State(context): State<Context>, caller: Caller, RawQuery(query): RawQuery) -> Result<Response, ApiError> {
    let page = page_query(query.as_deref().unwrap_or_default())?;
    let mut writer = Writer::new(context.services.job_list(caller.actor(), page).await?);
    let mut start = Vec::new();
    while start.len() < WHOLE_BYTES {
        match writer.next().await? {
            Some(piece) => start.extend_from_slice(&piece),
            None => return Ok(answer(start.into())),
        }
    }
    let deadline = context.limits.request_deadline;
    let rest =
        stream::try_unfold(writer, move |mut writer| async move { Ok(writer.next_within(deadline).await?.map(|piece| (piece, writer))) });
    Ok(answer(Body::from_stream(stream::iter([Ok::<_, io::Error>(Bytes::from(start))]).chain(rest))))
}

fn answer(body: Body) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], body).into_response()
}

/// Writes a [`VideoList`] in pieces.
struct Writer {
    list: JobList,
    first: Option<JobId>,
    last: Option<JobId>,
    bytes: usize,
    is_complete: bool,
}

impl Writer {
    const fn new(list: JobList) -> Self {
        Self { list, first: None, last: None, bytes: 0, is_complete: false }
    }

    /// The next piece; `None` behind the last one.
    async fn next(&mut self) -> Result<Option<Bytes>, ApiError> {
        if self.is_complete {
            return Ok(None);
        }
        let jobs = self.list.next().await?;
        let mut piece = Vec::new();
        if self.first.is_none() {
            piece.extend_from_slice(b"{\"object\":\"list\",\"data\":[");
        }
        if jobs.is_empty() {
            // Also behind videos that are passed over there are more.
            let has_more = self.list.has_more();
            self.close(&mut piece, if has_more { self.list.last() } else { self.last }, has_more);
        }
        for job in &jobs {
            let video = serde_json::to_vec(&Video::from(job)).map_err(|error| ApiError::Internal(error.into()))?;
            if self.last.is_some() && self.bytes + video.len() > BYTES_MAX {
                self.close(&mut piece, self.last, true);
                break;
            }
            if *self.first.get_or_insert(job.id) != job.id {
                piece.push(b',');
            }
            self.last = Some(job.id);
            self.bytes += video.len();
            piece.extend_from_slice(&video);
        }
        Ok(Some(piece.into()))
    }

    /// The next page begins behind `last`.
    fn close(&mut self, piece: &mut Vec<u8>, last: Option<JobId>, has_more: bool) {
        let id = |id: Option<JobId>| json!(id.map(|id| id.to_string()));
        let end = format!("],\"first_id\":{},\"last_id\":{},\"has_more\":{has_more}}}", id(self.first), id(last));
        piece.extend_from_slice(end.as_bytes());
        self.is_complete = true;
    }

    /// The status has been sent by now: a page that cannot go on breaks off.
    async fn next_within(&mut self, deadline: Duration) -> io::Result<Option<Bytes>> {
        match timeout(deadline, self.next()).await {
            Ok(Ok(piece)) => Ok(piece),
            Ok(Err(error)) => Err(io::Error::other(format!("{error:?}"))),
            Err(late) => Err(late.into()),
        }
        .inspect_err(|error| tracing::warn!(error = error as &dyn std::error::Error, "a page of a list breaks off"))
    }
}

fn page_query(query: &str) -> Result<PageQuery, ApiError> {
    let mut page = PageQuery { after: None, limit: LIMIT_DEFAULT, order: Order::NewestFirst };
    for (name, value) in query::given(query) {
        match &*name {
            "after" => page.after = Some(query::after(&value, "a video")?),
            "limit" => page.limit = query::limit(&value, LIMIT_MAX)?,
            "order" => page.order = if query::oldest_first(&value)? { Order::OldestFirst } else { Order::NewestFirst },
            _ => {}
        }
    }
    Ok(page)
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
}
