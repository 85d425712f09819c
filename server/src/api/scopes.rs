//! Which scope each route needs: the one table, asked before any handler runs.

use super::ApiError;
use axum::http::Method;
use domain::Scope;
use service::Opened;

/// What a request has to bring.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// A key or client token with this scope.
    Scope(Scope),
    /// Any key or client token: what is told is the same for everyone.
    Any,
    /// A key, whatever its scopes: no client token.
    Key,
}

/// Every route by its method and path, as the router knows it.
pub const NEEDS: [(&str, &str, Need); 14] = [
    ("POST", "/v1/videos", Need::Scope(Scope::VideosWrite)),
    ("GET", "/v1/videos", Need::Scope(Scope::VideosRead)),
    ("GET", "/v1/videos/{video_id}", Need::Scope(Scope::VideosRead)),
    ("DELETE", "/v1/videos/{video_id}", Need::Scope(Scope::VideosWrite)),
    ("GET", "/v1/videos/{video_id}/content", Need::Scope(Scope::VideosRead)),
    ("GET", "/v1/videos/{video_id}/layout", Need::Scope(Scope::VideosRead)),
    ("POST", "/v1/videos/{video_id}/cancel", Need::Scope(Scope::VideosWrite)),
    ("POST", "/v1/videos/{video_id}/remix", Need::Scope(Scope::VideosWrite)),
    ("GET", "/v1/videos/{video_id}/events", Need::Scope(Scope::VideosRead)),
    ("GET", "/v1/usage", Need::Scope(Scope::UsageRead)),
    ("GET", "/v1/costs", Need::Scope(Scope::UsageRead)),
    ("GET", "/v1/models", Need::Any),
    ("GET", "/v1/models/{model}", Need::Any),
    ("POST", "/v1/client_tokens", Need::Key),
];

/// What a request by `method` to the route of this path needs; `None`: there is no such route.
pub fn need(method: &Method, path: &str) -> Option<Need> {
    // Whoever may get something may ask for its head.
    let method = if *method == Method::HEAD { &Method::GET } else { method };
    NEEDS.into_iter().find(|(of, at, _)| *of == method.as_str() && *at == path).map(|(_, _, need)| need)
}

/// Lets a request through that brings what its route needs.
pub fn require(need: Need, opened: &Opened) -> Result<(), ApiError> {
    match need {
        Need::Scope(scope) if !opened.owner.scopes.has(scope) => Err(ApiError::ScopeMissing(scope)),
        Need::Key if opened.token_until.is_some() => Err(ApiError::KeyNeeded),
        Need::Scope(_) | Need::Any | Need::Key => Ok(()),
    }
}
