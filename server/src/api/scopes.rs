//! Which scope each route needs: the one table, asked before any handler runs.

use super::ApiError;
use axum::http::Method;
use domain::Scope;
use service::Opened;

/// What a request has to bring.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// A key or client token with all of these scopes.
    Scopes(&'static [Scope]),
    /// Any key or client token: what is told is the same for everyone.
    Any,
    /// A key, whatever its scopes: no client token.
    Key,
    /// A key with this scope: no client token.
    KeyWith(Scope),
}

const READ: Need = Need::Scopes(&[Scope::VideosRead]);
const WRITE: Need = Need::Scopes(&[Scope::VideosWrite]);
/// What comes out says what went in.
const READ_AND_WRITE: Need = Need::Scopes(&[Scope::VideosRead, Scope::VideosWrite]);
const BATCHES_READ: Need = Need::Scopes(&[Scope::BatchesRead]);
const BATCHES_WRITE: Need = Need::Scopes(&[Scope::BatchesWrite]);
const OPERATOR: Need = Need::Scopes(&[Scope::Operator]);
const WEBHOOKS: Need = Need::KeyWith(Scope::Webhooks);
const USAGE: Need = Need::Scopes(&[Scope::UsageRead]);

/// Every route by its method and path, as the router knows it.
pub const NEEDS: [(&str, &str, Need); 54] = [
    ("POST", "/v1/videos", WRITE),
    ("GET", "/v1/videos", READ),
    ("GET", "/v1/videos/{video_id}", READ),
    ("DELETE", "/v1/videos/{video_id}", WRITE),
    ("GET", "/v1/videos/{video_id}/content", READ),
    ("GET", "/v1/videos/{video_id}/layout", READ),
    ("POST", "/v1/videos/{video_id}/cancel", WRITE),
    ("POST", "/v1/videos/{video_id}/remix", READ_AND_WRITE),
    ("GET", "/v1/videos/{video_id}/events", READ),
    ("POST", "/v1/videos/edits", READ_AND_WRITE),
    ("POST", "/v1/videos/extensions", READ_AND_WRITE),
    ("POST", "/v1/videos/characters", READ_AND_WRITE),
    ("GET", "/v1/videos/characters/{character_id}", READ),
    ("GET", "/v1/queue", READ),
    ("POST", "/v1/videos/{video_id}/move", READ_AND_WRITE),
    // Who is not to see the others' videos is not to cancel them.
    ("POST", "/v1/queue/cancel", READ_AND_WRITE),
    ("POST", "/v1/files", BATCHES_WRITE),
    ("GET", "/v1/files", BATCHES_READ),
    ("GET", "/v1/files/{file_id}", BATCHES_READ),
    ("GET", "/v1/files/{file_id}/content", BATCHES_READ),
    ("DELETE", "/v1/files/{file_id}", BATCHES_WRITE),
    ("POST", "/v1/batches", BATCHES_WRITE),
    ("GET", "/v1/batches", BATCHES_READ),
    ("GET", "/v1/batches/{batch_id}", BATCHES_READ),
    ("GET", "/v1/batches/{batch_id}/results", BATCHES_READ),
    ("POST", "/v1/batches/{batch_id}/cancel", BATCHES_WRITE),
    ("POST", "/v1/batches/{batch_id}/retry", BATCHES_WRITE),
    ("GET", "/v1/usage", USAGE),
    ("GET", "/v1/costs", USAGE),
    ("GET", "/v1/usage/overview", USAGE),
    ("GET", "/v1/models", Need::Any),
    ("GET", "/v1/models/{model}", Need::Any),
    ("POST", "/v1/client_tokens", Need::Key),
    ("POST", "/v1/webhook_endpoints", WEBHOOKS),
    ("GET", "/v1/webhook_endpoints", WEBHOOKS),
    ("GET", "/v1/webhook_endpoints/{webhook_endpoint_id}", WEBHOOKS),
    ("POST", "/v1/webhook_endpoints/{webhook_endpoint_id}", WEBHOOKS),
    ("DELETE", "/v1/webhook_endpoints/{webhook_endpoint_id}", WEBHOOKS),
    ("POST", "/v1/webhook_endpoints/{webhook_endpoint_id}/rotate_secret", WEBHOOKS),
    ("POST", "/v1/webhook_endpoints/{webhook_endpoint_id}/test", WEBHOOKS),
    ("GET", "/v1/webhook_endpoints/{webhook_endpoint_id}/deliveries", WEBHOOKS),
    ("POST", "/v1/webhook_endpoints/{webhook_endpoint_id}/deliveries/replay", WEBHOOKS),
    ("GET", "/v1/webhook_endpoints/{webhook_endpoint_id}/deliveries/{delivery_id}", WEBHOOKS),
    ("POST", "/v1/webhook_endpoints/{webhook_endpoint_id}/deliveries/{delivery_id}/replay", WEBHOOKS),
    ("GET", "/v1/webhook_event_types", Need::Any),
    ("GET", "/v1/operator/queue", OPERATOR),
    ("POST", "/v1/operator/queue", OPERATOR),
    ("GET", "/v1/operator/metrics", OPERATOR),
    ("GET", "/v1/operator/alerts", OPERATOR),
    ("POST", "/v1/operator/alerts", OPERATOR),
    ("POST", "/v1/operator/alerts/silences", OPERATOR),
    ("GET", "/v1/operator/alerts/history", OPERATOR),
    ("POST", "/v1/operator/alerts/{alert_rule_id}", OPERATOR),
    ("DELETE", "/v1/operator/alerts/{alert_rule_id}", OPERATOR),
];

/// The same of the APIs of other services, which are not in the document.
pub const NEEDS_OF_OTHERS: [(&str, &str, Need); 19] = [
    ("POST", "/replicate/v1/predictions", WRITE),
    ("POST", "/replicate/v1/models/{owner}/{model}/predictions", WRITE),
    ("GET", "/replicate/v1/predictions", READ),
    ("GET", "/replicate/v1/predictions/{video_id}", READ),
    ("GET", "/replicate/v1/predictions/{video_id}/stream", READ),
    ("POST", "/replicate/v1/predictions/{video_id}/cancel", READ_AND_WRITE),
    ("GET", "/replicate/v1/models", Need::Any),
    ("GET", "/replicate/v1/models/{owner}/{model}", Need::Any),
    ("GET", "/replicate/v1/models/{owner}/{model}/versions", Need::Any),
    ("GET", "/replicate/v1/models/{owner}/{model}/versions/{version}", Need::Any),
    ("GET", "/replicate/v1/account", Need::Any),
    ("GET", "/replicate/v1/hardware", Need::Any),
    ("GET", "/replicate/v1/webhooks/default/secret", WEBHOOKS),
    ("POST", "/replicate/v1/webhooks/default/secret/rotate", WEBHOOKS),
    ("POST", "/fal/{owner}/{model}", WRITE),
    ("GET", "/fal/{owner}/{model}/requests/{video_id}", READ),
    ("GET", "/fal/{owner}/{model}/requests/{video_id}/status", READ),
    ("GET", "/fal/{owner}/{model}/requests/{video_id}/status/stream", READ),
    ("PUT", "/fal/{owner}/{model}/requests/{video_id}/cancel", WRITE),
];

/// What a request by `method` to the route of this path needs; `None`: there is no such route.
pub fn need(method: &Method, path: &str) -> Option<Need> {
    // Whoever may get something may ask for its head.
    let method = if *method == Method::HEAD { &Method::GET } else { method };
    NEEDS.iter().chain(&NEEDS_OF_OTHERS).find(|(of, at, _)| *of == method.as_str() && *at == path).map(|(_, _, need)| *need)
}

/// Lets a request through that brings what its route needs.
pub fn require(need: Need, opened: &Opened) -> Result<(), ApiError> {
    match need {
        Need::Scopes(scopes) => {
            let missing = scopes.iter().find(|scope| !opened.owner.scopes.has(**scope));
            missing.map_or(Ok(()), |scope| Err(ApiError::ScopeMissing(*scope)))
        }
        Need::Key | Need::KeyWith(_) if opened.token_until.is_some() => Err(ApiError::KeyNeeded),
        Need::KeyWith(scope) if !opened.owner.scopes.has(scope) => Err(ApiError::ScopeMissing(scope)),
        Need::Any | Need::Key | Need::KeyWith(_) => Ok(()),
    }
}
