//! Endpoints: made, listed, changed, their secret rotated, deleted.

use super::{
    Asking, ListQuery, endpoint_id, invalid, json,
    wire::{
        CreateWebhookEndpoint, RotateWebhookSecret, UpdateWebhookEndpoint, WebhookEndpointDeleted, WebhookEndpointList,
        WebhookEndpointObject, WebhookEventTypes,
    },
};
use crate::{context::Context, error::ApiError};
use axum::{
    Json,
    body::Bytes,
    extract::{
        Path, RawQuery, State,
        rejection::{BytesRejection, PathRejection},
    },
};
use domain::webhook::WebhookEvent;

/// Create a webhook endpoint
///
/// Its secret is in the answer, this once. There can be twenty.
#[utoipa::path(
    post, path = "/v1/webhook_endpoints", tag = "webhooks",
    request_body(content((CreateWebhookEndpoint = "application/json"))),
    responses((status = 200, description = "The endpoint, with its secret", body = WebhookEndpointObject))
)]
pub async fn create_webhook_endpoint(
    State(context): State<Context>,
    asking: Asking,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<WebhookEndpointObject>, ApiError> {
    let wanted: CreateWebhookEndpoint = json(body)?;
    let made = context.services.create_webhook(asking.caller.actor(), wanted.into(), &asking.address).await?;
    Ok(Json(WebhookEndpointObject::new(made.endpoint, Some(made.secret))))
}

/// List webhook endpoints
///
/// The oldest first.
#[utoipa::path(
    get, path = "/v1/webhook_endpoints", tag = "webhooks",
    params(
        ("after" = Option<String>, Query, description = "The id of an endpoint: those behind it"),
        ("limit" = Option<usize>, Query, description = "1 to 100; 20 unless given")
    ),
    responses((status = 200, description = "Endpoints of your team", body = WebhookEndpointList))
)]
pub async fn list_webhook_endpoints(
    State(context): State<Context>,
    asking: Asking,
    RawQuery(query): RawQuery,
) -> Result<Json<WebhookEndpointList>, ApiError> {
    let mut endpoints = context.services.webhooks(asking.caller.actor()).await?;
    let list = ListQuery::of(query.as_deref())?;
    let limit = usize::try_from(list.limit).unwrap_or(usize::MAX);
    if let Some(after) = list.after {
        let at = endpoints.iter().position(|endpoint| endpoint.id.to_string() == after);
        let at = at.ok_or_else(|| invalid(Some("after"), "`after` must be the id of a webhook endpoint of yours."))?;
        endpoints.drain(..=at);
    }
    let has_more = endpoints.len() > limit;
    endpoints.truncate(limit);
    let data: Vec<_> = endpoints.into_iter().map(|endpoint| WebhookEndpointObject::new(endpoint, None)).collect();
    let (first_id, last_id) = (data.first().map(|first| first.id.clone()), data.last().map(|last| last.id.clone()));
    Ok(Json(WebhookEndpointList { object: "list", data, first_id, last_id, has_more }))
}

/// Retrieve a webhook endpoint
#[utoipa::path(
    get, path = "/v1/webhook_endpoints/{webhook_endpoint_id}", tag = "webhooks", params(("webhook_endpoint_id" = String, Path, description = "The endpoint")),
    responses((status = 200, description = "The endpoint", body = WebhookEndpointObject))
)]
pub async fn retrieve_webhook_endpoint(
    State(context): State<Context>,
    asking: Asking,
    path: Result<Path<String>, PathRejection>,
) -> Result<Json<WebhookEndpointObject>, ApiError> {
    let endpoint = context.services.webhook(asking.caller.actor(), endpoint_id(path)?).await?;
    Ok(Json(WebhookEndpointObject::new(endpoint, None)))
}

/// Change a webhook endpoint
///
/// What is left out stays as it is.
#[utoipa::path(
    post, path = "/v1/webhook_endpoints/{webhook_endpoint_id}", tag = "webhooks", params(("webhook_endpoint_id" = String, Path, description = "The endpoint")),
    request_body(content((UpdateWebhookEndpoint = "application/json"))),
    responses((status = 200, description = "The endpoint, as it is now", body = WebhookEndpointObject))
)]
pub async fn update_webhook_endpoint(
    State(context): State<Context>,
    asking: Asking,
    path: Result<Path<String>, PathRejection>,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<WebhookEndpointObject>, ApiError> {
    let (id, wanted) = (endpoint_id(path)?, json::<UpdateWebhookEndpoint>(body)?);
    let endpoint = context.services.change_webhook(asking.caller.actor(), id, wanted.into(), &asking.address).await?;
    Ok(Json(WebhookEndpointObject::new(endpoint, None)))
}

/// Delete a webhook endpoint
///
/// With all that was sent to it.
#[utoipa::path(
    delete, path = "/v1/webhook_endpoints/{webhook_endpoint_id}", tag = "webhooks", params(("webhook_endpoint_id" = String, Path, description = "The endpoint")),
    responses((status = 200, description = "It is gone", body = WebhookEndpointDeleted))
)]
pub async fn delete_webhook_endpoint(
    State(context): State<Context>,
    asking: Asking,
    path: Result<Path<String>, PathRejection>,
) -> Result<Json<WebhookEndpointDeleted>, ApiError> {
    let id = endpoint_id(path)?;
    context.services.delete_webhook(asking.caller.actor(), id, &asking.address).await?;
    Ok(Json(WebhookEndpointDeleted { id: id.to_string(), object: "webhook_endpoint.deleted", deleted: true }))
}

/// Rotate the secret of a webhook endpoint
///
/// The new one is in the answer, this once.
#[utoipa::path(
    post, path = "/v1/webhook_endpoints/{webhook_endpoint_id}/rotate_secret", tag = "webhooks", params(("webhook_endpoint_id" = String, Path, description = "The endpoint")),
    request_body(content((Option<RotateWebhookSecret> = "application/json"))),
    responses((status = 200, description = "The endpoint, with its new secret", body = WebhookEndpointObject))
)]
pub async fn rotate_webhook_secret(
    State(context): State<Context>,
    asking: Asking,
    path: Result<Path<String>, PathRejection>,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<WebhookEndpointObject>, ApiError> {
    let (id, RotateWebhookSecret { keep_old_secret_active_for_24_hours }) = (endpoint_id(path)?, json(body)?);
    let rotated = context.services.rotate_webhook(asking.caller.actor(), id, keep_old_secret_active_for_24_hours, &asking.address).await?;
    Ok(Json(WebhookEndpointObject::new(rotated.endpoint, Some(rotated.secret))))
}

/// List event types
///
/// Those that an endpoint can be told of.
#[utoipa::path(
    get, path = "/v1/webhook_event_types", tag = "webhooks",
    responses((status = 200, description = "Their names", body = WebhookEventTypes))
)]
pub async fn list_webhook_event_types() -> Json<WebhookEventTypes> {
    Json(WebhookEventTypes { object: "list", data: WebhookEvent::EVERY.iter().map(|event| event.as_str()).collect() })
}
