//! Who is signed in: a cookie that names a row, kept for two weeks after the last visit.
//!
//! A visitor who has not signed in has no session and costs no row, unless they are on their way to an OpenID provider. Sliding
//! the expiry costs one write an hour for each session, not one for each request.

use super::Audience;
use crate::{context::Context, error::ApiError};
use axum::{
    extract::{FromRequestParts, Request, State},
    http::{HeaderValue, Method, header, request::Parts},
    middleware::Next,
    response::Response,
};
use domain::{TenantId, UserId, Viewing};
use service::User;
use store::{SESSION_KEPT_FOR, SESSION_TENANT, SESSION_USER, SESSION_VIEWING, SessionRows};
use tower_sessions::{
    Expiry, Session, SessionManagerLayer,
    cookie::{Cookie, SameSite},
    session::{self, Id},
};

const COOKIE: &str = "reelmill_session";

pub fn layer(context: &Context) -> SessionManagerLayer<SessionRows> {
    SessionManagerLayer::new(context.services.store.sessions())
        .with_name(COOKIE)
        .with_http_only(true)
        .with_same_site(SameSite::Lax)
        .with_secure(context.is_https())
        .with_expiry(Expiry::OnInactivity(SESSION_KEPT_FOR))
}

/// Moves the expiry of a visitor's session on, once an hour, in its row and in the browser. The session's words are not
/// written again: another request may be changing them.
pub async fn prolong(State(context): State<Context>, session: Session, request: Request, next: Next) -> Response {
    let prolonged = prolong_once_an_hour(&context, &session).await.unwrap_or_else(|error| {
        tracing::warn!(error = &error as &dyn std::error::Error, "a session could not be prolonged");
        None
    });
    let mut response = next.run(request).await;
    // What the answer itself says of the session, its layer tells the browser.
    if let Some(id) = prolonged.filter(|id| !session.is_modified() && session.id() == Some(*id))
        && let Ok(cookie) = HeaderValue::from_str(&cookie(id, context.is_https()).to_string())
    {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}

async fn prolong_once_an_hour(context: &Context, session: &Session) -> Result<Option<Id>, session::Error> {
    if session.get_value(SESSION_USER).await?.is_none() {
        return Ok(None);
    }
    let Some(id) = session.id() else { return Ok(None) };
    let prolonged = context.services.store.sessions().prolong(&id, session.expiry_date()).await?;
    Ok(prolonged.then_some(id))
}

/// As the layer sets it.
fn cookie(id: Id, is_https: bool) -> Cookie<'static> {
    let cookie = Cookie::build((COOKIE, id.to_string())).path("/").max_age(SESSION_KEPT_FOR);
    cookie.http_only(true).same_site(SameSite::Lax).secure(is_https).build()
}

/// What somebody does who looks at another tenant's pages: nothing but ending that.
const WAYS_OUT: [&str; 2] = ["/api/end-viewing", "/api/sign-out"];

/// Refuses every change by a session that looks at another tenant's pages, also when its time is over and no page was loaded since.
pub async fn keep_from_changing(session: Session, request: Request, next: Next) -> Response {
    let changes = !matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    if !changes || WAYS_OUT.contains(&request.uri().path()) {
        return next.run(request).await;
    }
    let audience = Audience::of(&request);
    match session.get_value(SESSION_VIEWING).await {
        Ok(None) => next.run(request).await,
        Ok(Some(_)) => audience.refuse(ApiError::ViewingOnly),
        Err(error) => audience.refuse(error.into()),
    }
}

/// The user whose session cookie the request carries.
pub struct SignedIn(pub User);

impl FromRequestParts<Context> for SignedIn {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, context: &Context) -> Result<Self, ApiError> {
        let session = parts.extensions.get::<Session>().ok_or(ApiError::NotSignedIn)?;
        let id = session.get::<UserId>(SESSION_USER).await?.ok_or(ApiError::NotSignedIn)?;
        let (chosen, viewing) = (session.get::<TenantId>(SESSION_TENANT).await?, session.get::<Viewing>(SESSION_VIEWING).await?);
        context.services.user_of_session(id, chosen, viewing).await?.map(Self).ok_or(ApiError::NotSignedIn)
    }
}
