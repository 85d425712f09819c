//! What came of the lines of a batch, one on each line of the answer, while it runs as well as afterwards.

use super::{
    super::{ApiError, caller::Caller},
    NamedBatch, lines,
};
use crate::{context::Context, error::Batching, live::Watcher};
use axum::{
    body::{Body, Bytes},
    extract::{RawQuery, State},
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use domain::BatchId;
use futures::stream;
use std::io;
use store::StoreError;
use tokio::time::timeout;

/// Read what came of a batch so far
///
/// JSON lines, in the order in which the lines of the batch ended, each with its `cursor`: hand the last one over as `after` to read on. Of a
/// batch whose input cannot be made it is all that is wrong with it.
#[utoipa::path(
    get, path = "/v1/batches/{batch_id}/results", tag = "batches",
    params(
        ("batch_id" = String, Path, description = "The batch"),
        ("after" = Option<u32>, Query, description = "The `cursor` of the last line that was read")
    ),
    responses(
        (status = 200, description = "The lines that have ended", content((Vec<u8> = "application/jsonl"))),
        (status = 400, description = "`after` is no cursor", body = crate::error::ErrorBody)
    )
)]
pub async fn batch_results(
    State(context): State<Context>,
    caller: Caller,
    NamedBatch(id): NamedBatch,
    RawQuery(query): RawQuery,
) -> Result<Response, ApiError> {
    let reader = Reader { context, watcher: Watcher::Key(caller.0), id, after: after(query.as_deref().unwrap_or_default())? };
    let (first, reader) = reader.next().await?.ok_or(Batching::BatchUnknown)?;
    let begun = stream::once(async { Ok::<_, io::Error>(first) });
    let rest = stream::try_unfold(reader, |reader| async move {
        let Some(reader) = reader else { return Ok(None) };
        let deadline = reader.context.limits.request_deadline;
        let next = async move {
            reader.watcher.go_on(&reader.context.services).await?;
            reader.next().await.map_err(io::Error::other)
        };
        timeout(deadline, next).await.map_err(io::Error::other)?
    });
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("application/jsonl")),
        (header::CACHE_CONTROL, HeaderValue::from_static("private, no-store")),
    ];
    Ok((headers, Body::from_stream(futures::StreamExt::chain(begun, rest))).into_response())
}

struct Reader {
    context: Context,
    watcher: Watcher,
    id: BatchId,
    after: Option<u32>,
}

impl Reader {
    /// The next lines, and whoever reads on behind them. `None`: there is no such batch.
    async fn next(mut self) -> Result<Option<(Bytes, Option<Self>)>, StoreError> {
        let found = self.context.services.batch_results(self.watcher.actor(), self.id, self.after).await;
        let results = match found {
            Ok(Some(results)) => results,
            Ok(None) | Err(service::AccessError::Forbidden(_)) => return Ok(None),
            Err(service::AccessError::Store(error)) => return Err(error),
        };
        let text: Vec<u8> = results.iter().flat_map(|result| lines::written(self.id, result)).collect();
        let Some(last) = results.last() else { return Ok(Some((text.into(), None))) };
        self.after = Some(last.number);
        Ok(Some((text.into(), Some(self))))
    }
}

fn after(query: &str) -> Result<Option<u32>, ApiError> {
    let named = form_urlencoded::parse(query.as_bytes()).filter(|(name, _)| name == "after").last();
    let Some((_, text)) = named.filter(|(_, text)| !text.is_empty()) else { return Ok(None) };
    let wrong = || ApiError::Invalid { param: Some("after"), message: "`after` must be the `cursor` of a line.".to_owned() };
    text.parse::<u32>().ok().filter(|cursor| i32::try_from(*cursor).is_ok()).map(Some).ok_or_else(wrong)
}
