//! Taking a job in that was asked for in another service's words.

use super::inputs::Inputs;
use crate::{
    api::{
        caller::{Caller, IdempotencyKey},
        videos,
    },
    context::Context,
    error::ApiError,
    shares::AnswerRoom,
};
use axum::Extension;
use domain::{Catalog, JobRequest, Model, catalog::Field, job::Deadlines, webhook::Callback};
use service::{Accepted, Submission, deadline::Arrival};
use std::sync::Arc;

/// Whose the models are, as the names of these services have it.
pub const OWNER: &str = "reelmill";

/// What every such route takes of its request beside the body.
pub struct Asked {
    pub caller: Caller,
    pub key: IdempotencyKey,
    pub arrival: Arc<Arrival>,
    pub room: Option<Extension<AnswerRoom>>,
    pub callback: Option<Callback>,
}

/// The model that goes by `OWNER/NAME`.
pub fn model<'a>(catalog: &'a Catalog, owner: &str, name: &str) -> Result<&'a Model, ApiError> {
    catalog.find(name).filter(|_| owner == OWNER).ok_or(ApiError::ModelUnknown)
}

/// `start_within_ms`: within which time it is to begin, where the request says so beside its inputs.
pub async fn submit(
    context: &Context,
    asked: Asked,
    model: &Model,
    inputs: Inputs,
    start_within_ms: Option<i64>,
) -> Result<Accepted, ApiError> {
    let Asked { caller, key, arrival, room, callback } = asked;
    let fields = inputs.fields(model)?;
    let (force, own, fallback_model) = (fields.force()?, fields.deadlines()?, fields.fallback_model()?);
    let start_within_ms = start_within_ms.filter(|_| own.start_by.is_none());
    let deadlines = match start_within_ms {
        Some(ms) => Deadlines { start_by: Some(context.services.store.now().await?.plus_ms(ms)), ..own },
        None => own,
    };
    let mut request = fields.over(JobRequest::default())?;
    request.set(Field::Model, Some(model.id.clone()));
    let prompts = if request.filled(Field::Enrich) == Some("true") { 2 } else { 1 };
    videos::keep(room, request.prompt.len() * prompts + request.negative_prompt.as_ref().map_or(0, String::len)).await?;
    let submission =
        Submission { force, deadlines, start_within_ms, fallback_model, callback, ..key.submission(request, None, arrival.due()) };
    Ok(Box::pin(context.services.submit(caller.actor(), submission)).await?)
}
