//! The JSON of webhook endpoints and deliveries.

use domain::{WebhookEndpointId, webhook::WebhookEvent};
use serde::{Deserialize, Serialize};
use service::{WebhookAttempt, WebhookDelivery, WebhookEndpoint, webhook::WebhookRequest};
use utoipa::ToSchema;

/// A webhook endpoint that is to be made.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct CreateWebhookEndpoint {
    /// 1 to 100 characters.
    #[schema(example = "Render farm")]
    #[serde(default)]
    name: Option<String>,
    /// Where it is told: an address with https:// on the public internet.
    #[schema(example = "https://hooks.example.com/reelmill")]
    #[serde(default)]
    url: Option<String>,
    /// What is told.
    #[schema(example = json!(["video.completed", "video.failed"]))]
    #[serde(default)]
    event_types: Option<Vec<String>>,
}

/// What is to be otherwise; what is left out stays as it is.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct UpdateWebhookEndpoint {
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    url: Option<String>,
    /// All that are told from now on.
    #[serde(default)]
    event_types: Option<Vec<String>>,
    /// `false`: nothing is told until it is `true` again.
    #[serde(default)]
    enabled: Option<bool>,
}

#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct RotateWebhookSecret {
    /// Each delivery is signed by both secrets for a day.
    #[serde(default)]
    pub keep_old_secret_active_for_24_hours: bool,
}

#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct TestWebhookEndpoint {
    #[schema(example = "video.completed")]
    #[serde(default)]
    pub event_type: String,
}

#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct ReplayWebhookDeliveries {
    /// Those that were made from then on, in unix seconds.
    #[schema(example = 1_795_219_200)]
    pub from: Option<i64>,
    /// And until then.
    #[schema(example = 1_795_222_800)]
    pub to: Option<i64>,
    /// Also those that have arrived; else those that have failed.
    #[serde(default)]
    pub include_delivered: bool,
    /// That of the answer before, to go on behind what was sent again.
    #[serde(default)]
    pub cursor: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct WebhookEndpointObject {
    #[schema(example = "webhook_01900000000070008000000000000001")]
    pub id: String,
    #[schema(example = "webhook_endpoint")]
    pub object: &'static str,
    pub name: String,
    pub url: String,
    #[schema(example = json!(["video.completed"]))]
    pub event_types: Vec<&'static str>,
    /// The end of its secret.
    #[schema(example = "whsec_…x3I=")]
    pub signing_secret_hint: String,
    /// The secret by which deliveries are signed; only when it was just made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signing_secret: Option<String>,
    /// Unix seconds.
    pub created_at: i64,
    /// Unix seconds.
    pub updated_at: i64,
    pub enabled: bool,
    /// `by_user`, `gone`, `failing` or `backlog`.
    pub disabled_reason: Option<&'static str>,
    /// It has taken nothing since then, in unix seconds.
    pub failing_since: Option<i64>,
    /// Deliveries that wait.
    pub pending_deliveries: u64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct WebhookEndpointList {
    #[schema(example = "list")]
    pub object: &'static str,
    pub data: Vec<WebhookEndpointObject>,
    pub first_id: Option<String>,
    pub last_id: Option<String>,
    pub has_more: bool,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct WebhookEndpointDeleted {
    pub id: String,
    #[schema(example = "webhook_endpoint.deleted")]
    pub object: &'static str,
    pub deleted: bool,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct WebhookEndpointTest {
    #[schema(example = "webhook_endpoint.test")]
    pub object: &'static str,
    pub webhook_endpoint_id: String,
    pub delivery_id: String,
    pub event_type: &'static str,
    /// There was an answer.
    pub success: bool,
    pub status_code: u16,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct WebhookEventTypes {
    #[schema(example = "list")]
    pub object: &'static str,
    #[schema(example = json!(["video.completed", "video.failed"]))]
    pub data: Vec<&'static str>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct WebhookDeliveryObject {
    #[schema(example = "delivery_01900000000070008000000000000001")]
    pub id: String,
    #[schema(example = "webhook_delivery")]
    pub object: &'static str,
    pub webhook_endpoint_id: String,
    /// The `webhook-id` that it is sent with, each time.
    pub event_id: String,
    #[schema(example = "video.completed")]
    pub event_type: String,
    /// What is sent.
    pub body: String,
    pub test: bool,
    /// `pending`, `delivered` or `failed`.
    #[schema(example = "delivered")]
    pub status: &'static str,
    pub attempt_count: u32,
    /// When it is sent next, in unix seconds.
    pub next_attempt_at: Option<i64>,
    /// Unix seconds.
    pub created_at: i64,
    /// Unix seconds.
    pub last_attempt_at: Option<i64>,
    /// The status of the last answer.
    pub status_code: Option<u16>,
    /// Why there was none.
    pub error: Option<String>,
    /// The newest first; of a single delivery alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attempts: Option<Vec<WebhookAttemptObject>>,
}

/// One try, with the beginning of its answer.
#[derive(Debug, Serialize, ToSchema)]
pub struct WebhookAttemptObject {
    pub number: u32,
    /// Unix seconds.
    pub created_at: i64,
    pub duration_ms: u64,
    pub status_code: Option<u16>,
    pub error: Option<String>,
    pub response_headers: String,
    pub response_body: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct WebhookDeliveryList {
    #[schema(example = "list")]
    pub object: &'static str,
    pub data: Vec<WebhookDeliveryObject>,
    pub first_id: Option<String>,
    pub last_id: Option<String>,
    pub has_more: bool,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct WebhookReplay {
    #[schema(example = "webhook_replay")]
    pub object: &'static str,
    /// Deliveries that are sent again.
    pub replayed: u64,
    /// There may be more: ask once more, with the `cursor`.
    pub has_more: bool,
    /// Only where there may be more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}

impl From<CreateWebhookEndpoint> for WebhookRequest {
    fn from(CreateWebhookEndpoint { name, url, event_types }: CreateWebhookEndpoint) -> Self {
        Self { name, url, events: event_types, is_enabled: None }
    }
}

impl From<UpdateWebhookEndpoint> for WebhookRequest {
    fn from(UpdateWebhookEndpoint { name, url, event_types, enabled }: UpdateWebhookEndpoint) -> Self {
        Self { name, url, events: event_types, is_enabled: enabled }
    }
}

impl WebhookEndpointObject {
    pub fn new(endpoint: WebhookEndpoint, signing_secret: Option<String>) -> Self {
        Self {
            id: endpoint.id.to_string(),
            object: "webhook_endpoint",
            name: endpoint.name,
            url: endpoint.url,
            event_types: endpoint.events.into_iter().map(WebhookEvent::as_str).collect(),
            signing_secret_hint: endpoint.secret_hint,
            signing_secret,
            created_at: endpoint.created_at.unix_seconds(),
            updated_at: endpoint.updated_at.unix_seconds(),
            enabled: endpoint.disabled.is_none(),
            disabled_reason: endpoint.disabled.map(|(_, reason)| reason.as_str()),
            failing_since: endpoint.failing_since.map(domain::Timestamp::unix_seconds),
            pending_deliveries: endpoint.pending,
        }
    }
}

impl WebhookDeliveryObject {
    pub fn new(endpoint: WebhookEndpointId, delivery: WebhookDelivery, attempts: Option<Vec<WebhookAttempt>>) -> Self {
        let attempt = |attempt: WebhookAttempt| WebhookAttemptObject {
            number: attempt.number,
            created_at: attempt.at.unix_seconds(),
            duration_ms: attempt.took_ms,
            status_code: attempt.status,
            error: attempt.error,
            response_headers: attempt.headers,
            response_body: attempt.answer,
        };
        Self {
            id: delivery.id.to_string(),
            object: "webhook_delivery",
            webhook_endpoint_id: endpoint.to_string(),
            event_id: delivery.event_id,
            event_type: delivery.event,
            body: delivery.body,
            test: delivery.is_test,
            status: delivery.state.as_str(),
            attempt_count: delivery.attempts,
            next_attempt_at: delivery.due_at.map(domain::Timestamp::unix_seconds),
            created_at: delivery.created_at.unix_seconds(),
            last_attempt_at: delivery.last_at.map(domain::Timestamp::unix_seconds),
            status_code: delivery.last_status,
            error: delivery.last_error,
            attempts: attempts.map(|attempts| attempts.into_iter().map(attempt).collect()),
        }
    }
}
