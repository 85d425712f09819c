//! Looking at batches, and cancelling them.

use super::{
    super::{ApiError, caller::Caller, query},
    NamedBatch,
    wire::{BatchList, BatchObject},
};
use crate::{context::Context, error::Batching};
use axum::{
    Json,
    extract::{RawQuery, State},
};
use service::BatchQuery;

const LIMIT_DEFAULT: u64 = 20;
const LIMIT_MAX: u64 = 100;

/// List batches
///
/// The newest first, without what is wrong with their lines and without estimates.
#[utoipa::path(
    get, path = "/v1/batches", tag = "batches",
    params(
        ("after" = Option<String>, Query, description = "The `last_id` of the page before"),
        ("limit" = Option<u64>, Query, description = "1 to 100, 20 unless given")
    ),
    responses(
        (status = 200, description = "A page of batches", body = BatchList),
        (status = 400, description = "A parameter has to be mended; `param` says which", body = crate::error::ErrorBody)
    )
)]
pub async fn list_batches(State(context): State<Context>, caller: Caller, RawQuery(query): RawQuery) -> Result<Json<BatchList>, ApiError> {
    let query = page(query.as_deref().unwrap_or_default())?;
    Ok(Json(BatchList::from(context.services.batches(caller.actor(), query).await?)))
}

/// Look at a batch
#[utoipa::path(
    get, path = "/v1/batches/{batch_id}", tag = "batches",
    params(("batch_id" = String, Path, description = "The batch")),
    responses((status = 200, description = "The batch", body = BatchObject))
)]
pub async fn retrieve_batch(
    State(context): State<Context>,
    caller: Caller,
    NamedBatch(id): NamedBatch,
) -> Result<Json<BatchObject>, ApiError> {
    let view = context.services.batch(caller.actor(), id).await?.ok_or(Batching::BatchUnknown)?;
    Ok(Json(BatchObject::from(&view)))
}

/// Cancel a batch
///
/// No more of its lines are begun. Those that no machine is at end and cost nothing, also those that wait for a decoder; what is being made is
/// finished and delivered, and then the files are written. A batch that has ended stays as it is.
#[utoipa::path(
    post, path = "/v1/batches/{batch_id}/cancel", tag = "batches",
    params(("batch_id" = String, Path, description = "The batch")),
    responses((status = 200, description = "The batch", body = BatchObject))
)]
pub async fn cancel_batch(
    State(context): State<Context>,
    caller: Caller,
    NamedBatch(id): NamedBatch,
) -> Result<Json<BatchObject>, ApiError> {
    let view = context.services.cancel_batch(caller.actor(), id).await?.ok_or(Batching::BatchUnknown)?;
    Ok(Json(BatchObject::from(&view)))
}

fn page(query: &str) -> Result<BatchQuery, ApiError> {
    let mut page = BatchQuery { after: None, limit: LIMIT_DEFAULT, oldest_first: false };
    for (name, value) in query::given(query) {
        match &*name {
            "after" => page.after = Some(query::after(&value, "a batch")?),
            "limit" => page.limit = query::limit(&value, LIMIT_MAX)?,
            _ => {}
        }
    }
    Ok(page)
}
