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
}

const READ: Need = Need::Scopes(&[Scope::VideosRead]);
const WRITE: Need = Need::Scopes(&[Scope::VideosWrite]);
/// What comes out says what went in.
const READ_AND_WRITE: Need = Need::Scopes(&[Scope::VideosRead, Scope::VideosWrite]);
const OPERATOR: Need = Need::Scopes(&[Scope::Operator]);
const USAGE: Need = Need::Scopes(&[Scope::UsageRead]);

/// Every route by its method and path, as the router knows it.
pub const NEEDS: [(&str, &str, Need); 21] = [
    ("POST", "/v1/videos", WRITE),
    ("GET", "/v1/videos", READ),
    ("GET", "/v1/videos/{video_id}", READ),
    ("DELETE", "/v1/videos/{video_id}", WRITE),
    ("GET", "/v1/videos/{video_id}/content", READ),
    ("GET", "/v1/videos/{video_id}/layout", READ),
    ("POST", "/v1/videos/{video_id}/cancel", WRITE),
    ("POST", "/v1/videos/{video_id}/remix", READ_AND_WRITE),
    ("GET", "/v1/videos/{video_id}/events", READ),
    ("GET", "/v1/queue", READ),
    ("POST", "/v1/videos/{video_id}/move", READ_AND_WRITE),
    // Who is not to see the others' videos is not to cancel them.
    ("POST", "/v1/queue/cancel", READ_AND_WRITE),
    ("GET", "/v1/usage", USAGE),
    ("GET", "/v1/costs", USAGE),
    ("GET", "/v1/usage/overview", USAGE),
    ("GET", "/v1/models", Need::Any),
    ("GET", "/v1/models/{model}", Need::Any),
    ("POST", "/v1/client_tokens", Need::Key),
    ("GET", "/v1/operator/queue", OPERATOR),
    ("POST", "/v1/operator/queue", OPERATOR),
    ("GET", "/v1/operator/metrics", OPERATOR),
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
        Need::Scopes(scopes) => {
            let missing = scopes.iter().find(|scope| !opened.owner.scopes.has(**scope));
            missing.map_or(Ok(()), |scope| Err(ApiError::ScopeMissing(*scope)))
        }
        Need::Key if opened.token_until.is_some() => Err(ApiError::KeyNeeded),
        Need::Any | Need::Key => Ok(()),
    }
}
