//! Deliveries: looked at, sent again; and sending a test.

use super::{
    Asking, ListQuery, both_ids, endpoint_id, invalid, json,
    wire::{ReplayWebhookDeliveries, TestWebhookEndpoint, WebhookDeliveryList, WebhookDeliveryObject, WebhookEndpointTest, WebhookReplay},
};
use crate::{api::query, context::Context, error::ApiError};
use axum::{
    Json,
    body::Bytes,
    extract::{
        Path, RawQuery, State,
        rejection::{BytesRejection, PathRejection},
    },
};
use domain::{Timestamp, webhook::DeliveryState};
use service::webhook::{DeliveryPage, DeliveryQuery, Replay};

/// Test a webhook endpoint
///
/// Sends an event that has not happened, once and at once, also where the endpoint is disabled.
#[utoipa::path(
    post, path = "/v1/webhook_endpoints/{webhook_endpoint_id}/test", tag = "webhooks", params(("webhook_endpoint_id" = String, Path, description = "The endpoint")),
    request_body(content((TestWebhookEndpoint = "application/json"))),
    responses(
        (status = 200, description = "What it answered", body = WebhookEndpointTest),
        (status = 424, description = "It did not answer.", body = crate::error::ErrorBody)
    )
)]
pub async fn test_webhook_endpoint(
    State(context): State<Context>,
    asking: Asking,
    path: Result<Path<String>, PathRejection>,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<WebhookEndpointTest>, ApiError> {
    let (id, TestWebhookEndpoint { event_type }) = (endpoint_id(path)?, json(body)?);
    let tested = Box::pin(context.services.test_webhook(asking.caller.actor(), id, &event_type)).await?;
    Ok(Json(WebhookEndpointTest {
        object: "webhook_endpoint.test",
        webhook_endpoint_id: id.to_string(),
        delivery_id: tested.delivery.to_string(),
        event_type: tested.event.as_str(),
        success: true,
        status_code: tested.status,
    }))
}

/// List deliveries
///
/// The newest first. They are kept for seven days.
#[utoipa::path(
    get, path = "/v1/webhook_endpoints/{webhook_endpoint_id}/deliveries", tag = "webhooks",
    params(
        ("webhook_endpoint_id" = String, Path, description = "The endpoint"),
        ("after" = Option<String>, Query, description = "The id of a delivery: those behind it"),
        ("limit" = Option<u64>, Query, description = "1 to 100; 20 unless given"),
        ("status" = Option<String>, Query, description = "`pending`, `delivered` or `failed`; all of them unless given")
    ),
    responses((status = 200, description = "What was sent to the endpoint", body = WebhookDeliveryList))
)]
pub async fn list_webhook_deliveries(
    State(context): State<Context>,
    asking: Asking,
    path: Result<Path<String>, PathRejection>,
    RawQuery(query): RawQuery,
) -> Result<Json<WebhookDeliveryList>, ApiError> {
    let id = endpoint_id(path)?;
    let list = ListQuery::of(query.as_deref())?;
    let after = list.after.as_deref().map(|after| query::after(after, "a delivery")).transpose()?;
    let state = list.status.map(|status| DeliveryState::named(&status).ok_or(())).transpose();
    let state = state.map_err(|()| invalid(Some("status"), "`status` must be `pending`, `delivered` or `failed`."))?;
    let page = context.services.webhook_deliveries(asking.caller.actor(), id, DeliveryQuery { after, state, limit: list.limit }).await?;
    let DeliveryPage { deliveries, has_more } = page;
    let data: Vec<_> = deliveries.into_iter().map(|delivery| WebhookDeliveryObject::new(id, delivery, None)).collect();
    let (first_id, last_id) = (data.first().map(|first| first.id.clone()), data.last().map(|last| last.id.clone()));
    Ok(Json(WebhookDeliveryList { object: "list", data, first_id, last_id, has_more }))
}

/// Retrieve a delivery
///
/// With each attempt and the beginning of its answer.
#[utoipa::path(
    get, path = "/v1/webhook_endpoints/{webhook_endpoint_id}/deliveries/{delivery_id}", tag = "webhooks",
    params(
        ("webhook_endpoint_id" = String, Path, description = "The endpoint"),
        ("delivery_id" = String, Path, description = "The delivery")
    ),
    responses((status = 200, description = "The delivery", body = WebhookDeliveryObject))
)]
pub async fn retrieve_webhook_delivery(
    State(context): State<Context>,
    asking: Asking,
    path: Result<Path<(String, String)>, PathRejection>,
) -> Result<Json<WebhookDeliveryObject>, ApiError> {
    let (id, delivery) = both_ids(path)?;
    let (delivery, attempts) = context.services.webhook_delivery(asking.caller.actor(), id, delivery).await?;
    Ok(Json(WebhookDeliveryObject::new(id, delivery, Some(attempts))))
}

/// Replay a delivery
///
/// It is sent once more, with the same `webhook-id`.
#[utoipa::path(
    post, path = "/v1/webhook_endpoints/{webhook_endpoint_id}/deliveries/{delivery_id}/replay", tag = "webhooks",
    params(
        ("webhook_endpoint_id" = String, Path, description = "The endpoint"),
        ("delivery_id" = String, Path, description = "The delivery")
    ),
    responses((status = 200, description = "It is on its way", body = WebhookReplay))
)]
pub async fn replay_webhook_delivery(
    State(context): State<Context>,
    asking: Asking,
    path: Result<Path<(String, String)>, PathRejection>,
) -> Result<Json<WebhookReplay>, ApiError> {
    let (id, delivery) = both_ids(path)?;
    context.services.replay_webhook(asking.caller.actor(), id, delivery, &asking.address).await?;
    Ok(Json(WebhookReplay { object: "webhook_replay", replayed: 1, has_more: false, cursor: None }))
}

/// Replay deliveries
///
/// Those of a range that have failed are sent once more, the oldest first, a thousand with each request. While `has_more` is true, ask again with
/// the `cursor`.
#[utoipa::path(
    post, path = "/v1/webhook_endpoints/{webhook_endpoint_id}/deliveries/replay", tag = "webhooks",
    params(("webhook_endpoint_id" = String, Path, description = "The endpoint")),
    request_body(content((ReplayWebhookDeliveries = "application/json"))),
    responses((status = 200, description = "They are on their way", body = WebhookReplay))
)]
pub async fn replay_webhook_deliveries(
    State(context): State<Context>,
    asking: Asking,
    path: Result<Path<String>, PathRejection>,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<WebhookReplay>, ApiError> {
    let (id, ReplayWebhookDeliveries { from, to, include_delivered, cursor }) = (endpoint_id(path)?, json(body)?);
    // Seconds are told, and milliseconds kept: those of the last second belong to the range.
    let from = Timestamp::from_ms(from.unwrap_or_default().saturating_mul(1000));
    let to = Timestamp::from_ms(to.map_or(i64::MAX, |to| to.saturating_mul(1000).saturating_add(999)));
    let tried_before = cursor.map(|cursor| cursor.parse::<i64>().map(Timestamp::from_ms)).transpose();
    let tried_before = tried_before.map_err(|_| invalid(Some("cursor"), "`cursor` must be that of an answer."))?;
    let replay = Replay { from, to, with_delivered: include_delivered, tried_before };
    let (replayed, more) = context.services.replay_webhooks(asking.caller.actor(), id, replay, &asking.address).await?;
    let cursor = more.map(|begun| begun.ms().to_string());
    Ok(Json(WebhookReplay { object: "webhook_replay", replayed, has_more: cursor.is_some(), cursor }))
}
