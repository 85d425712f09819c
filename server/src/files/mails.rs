//! A mail that stays here, as its HTML: for the operator alone, in a document that runs nothing and loads nothing.

use crate::http::sessions::SignedIn;
use crate::{context::Context, error::ApiError};
use axum::{
    extract::{Path, State},
    http::{HeaderName, HeaderValue, header},
    response::{Html, IntoResponse, Response},
};

/// Links can be followed; that is all.
const POLICY: (HeaderName, HeaderValue) = (
    header::CONTENT_SECURITY_POLICY,
    HeaderValue::from_static(
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
         sandbox allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation",
    ),
);
const PERSONAL: (HeaderName, HeaderValue) = (header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));

/// `GET /mails/{id}`.
pub async fn show(State(context): State<Context>, SignedIn(user): SignedIn, Path(id): Path<String>) -> Result<Response, ApiError> {
    let mail = context.services.mail(user.installation_actor(), &id).await?.ok_or(ApiError::RouteUnknown)?;
    Ok(([POLICY, PERSONAL], Html(mail.html)).into_response())
}
