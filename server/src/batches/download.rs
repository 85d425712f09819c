//! The two files of a batch that has ended, by links of its page.

use crate::{
    api::{batches::NamedBatch, files::content},
    context::Context,
    error::{ApiError, Batching},
    http::sessions::SignedIn,
};
use axum::{extract::State, response::Response};
use domain::{Actor, BatchId, FileId};
use store::Batch;

/// `GET /batches/{batch_id}/output.jsonl`: the lines that were made.
pub async fn output(State(context): State<Context>, SignedIn(user): SignedIn, NamedBatch(id): NamedBatch) -> Result<Response, ApiError> {
    send(&context, user.actor(), id, |batch| batch.output).await
}

/// `GET /batches/{batch_id}/errors.jsonl`: those that were not.
pub async fn errors(State(context): State<Context>, SignedIn(user): SignedIn, NamedBatch(id): NamedBatch) -> Result<Response, ApiError> {
    send(&context, user.actor(), id, |batch| batch.errors).await
}

async fn send(context: &Context, actor: Actor, id: BatchId, which: fn(&Batch) -> Option<FileId>) -> Result<Response, ApiError> {
    let view = context.services.batch(actor, id).await?.ok_or(Batching::BatchUnknown)?;
    let file = which(&view.batch).ok_or(Batching::FileUnknown)?;
    content(context, actor, file).await
}
