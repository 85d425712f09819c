//! Who is signed in: a cookie that names a row, kept for two weeks after the last visit.
//!
//! A visitor who has not signed in has no session and costs no row. Sliding the expiry costs one write
//! a day for each session, not one for each request.

use crate::{Context, api::ApiError};
use app::SESSION_USER;
use axum::{
    extract::{FromRequestParts, Request},
    http::request::Parts,
    middleware::Next,
    response::Response,
};
use domain::UserId;
use service::User;
use store::SessionRows;
use time::{Duration, OffsetDateTime};
use tower_sessions::{Expiry, Session, SessionManagerLayer, cookie::SameSite};

const COOKIE: &str = "reelmill_session";
const KEPT_FOR: Duration = Duration::days(14);
const SESSION_DAY: &str = "day";

pub fn layer(context: &Context) -> SessionManagerLayer<SessionRows> {
    SessionManagerLayer::new(context.services.store.sessions())
        .with_name(COOKIE)
        .with_http_only(true)
        .with_same_site(SameSite::Lax)
        .with_secure(context.is_https())
        .with_expiry(Expiry::OnInactivity(KEPT_FOR))
}

/// Moves the expiry of a visitor's session on, once a day.
pub async fn prolong(session: Session, request: Request, next: Next) -> Response {
    if let Err(error) = prolong_once_a_day(&session).await {
        tracing::warn!(error = &error as &dyn std::error::Error, "a session could not be prolonged");
    }
    next.run(request).await
}

async fn prolong_once_a_day(session: &Session) -> Result<(), tower_sessions::session::Error> {
    let today = OffsetDateTime::now_utc().to_julian_day();
    if session.get_value(SESSION_USER).await?.is_some() && session.get::<i32>(SESSION_DAY).await? != Some(today) {
        session.insert(SESSION_DAY, today).await?;
    }
    Ok(())
}

/// The user whose session cookie the request carries.
pub struct SignedIn(pub User);

impl FromRequestParts<Context> for SignedIn {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, context: &Context) -> Result<Self, ApiError> {
        let session = parts.extensions.get::<Session>().ok_or(ApiError::NotSignedIn)?;
        let id = session.get::<UserId>(SESSION_USER).await?.ok_or(ApiError::NotSignedIn)?;
        context.services.user(id).await?.map(Self).ok_or(ApiError::NotSignedIn)
    }
}
