//! Looking at a request, watching and cancelling it, and fetching what came of it.
//!
//! Clients ask for the status ten times a second: it costs one row by its id, and the snapshot of the queue that all share.

use super::wire::{Addresses, Outcome, RequestStatus, ended_badly};
use crate::{
    api::{
        caller::Caller,
        compatible::{
            address::{Address, outputs},
            errors::fal_error,
        },
    },
    context::Context,
    error::ApiError,
    live::{Resume, Watcher, comments, events},
    video_id::VideoId,
};
use axum::{
    Json,
    extract::{FromRequestParts, Path, RawQuery, State},
    http::{StatusCode, request::Parts},
    response::{IntoResponse, Response, sse::Event},
};
use domain::{JobId, JobUpdate, Status};
use serde_json::json;

/// The request that a path names. What is no id at all is answered like an id nobody has.
pub struct Named {
    id: JobId,
    addresses: Addresses,
}

impl FromRequestParts<Context> for Named {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, context: &Context) -> Result<Self, ApiError> {
        let path = Path::<(String, String, String)>::from_request_parts(parts, context).await;
        let Path((_, model, id)) = path.map_err(|_| ApiError::VideoUnknown)?;
        let VideoId(id) = VideoId::parse(&id)?;
        let Ok(address) = Address::from_request_parts(parts, context).await;
        Ok(Self { id, addresses: Addresses::new(&address, &model, id) })
    }
}

/// `GET .../requests/{id}/status`
pub async fn status(State(context): State<Context>, caller: Caller, named: Named, RawQuery(query): RawQuery) -> Result<Response, ApiError> {
    let update = context.services.job_standing(caller.actor(), named.id).await?.ok_or(ApiError::VideoUnknown)?;
    let code = if update.status.is_final() { StatusCode::OK } else { StatusCode::ACCEPTED };
    let with_logs = wants_logs(query.as_deref().unwrap_or_default());
    Ok((code, Json(RequestStatus::new(&update, &named.addresses, with_logs))).into_response())
}

fn wants_logs(query: &str) -> bool {
    form_urlencoded::parse(query.as_bytes()).any(|(name, value)| name == "logs" && ["1", "true", "True"].contains(&&*value))
}

/// `GET .../requests/{id}/status/stream`: server-sent events, each with the whole status.
pub async fn stream(
    State(context): State<Context>,
    caller: Caller,
    named: Named,
    RawQuery(query): RawQuery,
    resume: Resume,
) -> Result<Response, ApiError> {
    let (Named { id, addresses }, with_logs) = (named, wants_logs(query.as_deref().unwrap_or_default()));
    let said = move |update: &JobUpdate| Ok(vec![Event::default().json_data(RequestStatus::new(update, &addresses, with_logs))?]);
    events(&context, Watcher::Key(caller.0), id, resume, comments(), said).await
}

/// `GET .../requests/{id}`
pub async fn result(State(context): State<Context>, caller: Caller, address: Address, named: Named) -> Result<Response, ApiError> {
    let view = context.services.plain_job(caller.actor(), named.id).await?.ok_or(ApiError::VideoUnknown)?;
    if view.status == Status::Completed {
        let artifact = context.services.artifact(caller.actor(), named.id, None).await?;
        let outputs = outputs(&context, caller, &address).await?.ok_or(ApiError::VideoUnknown)?;
        return Ok(Json(Outcome::new(&view, &artifact, &outputs)).into_response());
    }
    Ok(match ended_badly(&view.into()) {
        None => fal_error(StatusCode::BAD_REQUEST, "request_in_progress", "The request is still in progress."),
        Some((error_type, message)) => fal_error(code_of(error_type), error_type, &message),
    })
}

fn code_of(error_type: &str) -> StatusCode {
    match error_type {
        "request_cancelled" => StatusCode::BAD_REQUEST,
        "startup_timeout" => StatusCode::GATEWAY_TIMEOUT,
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

/// `PUT .../requests/{id}/cancel`
pub async fn cancel(State(context): State<Context>, caller: Caller, named: Named) -> Result<Response, ApiError> {
    let before = context.services.job_standing(caller.actor(), named.id).await?.ok_or(ApiError::VideoUnknown)?;
    let after = context.services.cancel(caller.actor(), named.id).await?.ok_or(ApiError::VideoUnknown)?;
    Ok(if before.status.is_final() || after.status != Status::Cancelled {
        (StatusCode::BAD_REQUEST, Json(json!({ "status": "ALREADY_COMPLETED", "detail": "The request had ended before." }))).into_response()
    } else {
        (StatusCode::ACCEPTED, Json(json!({ "status": "CANCELLATION_REQUESTED" }))).into_response()
    })
}
