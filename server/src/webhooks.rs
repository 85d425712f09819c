//! What payment processors tell us. Answered as soon as it is kept; worked off afterwards.

use crate::{context::Context, error::ApiError};
use axum::{
    body::Bytes,
    extract::State,
    http::{HeaderMap, StatusCode},
};
use service::payment::WebhookError;

const SIGNATURE: &str = "stripe-signature";

/// Stripe tells an event again until it is answered with 200.
pub async fn stripe(State(context): State<Context>, headers: HeaderMap, body: Bytes) -> Result<StatusCode, ApiError> {
    let mut signatures = headers.get_all(SIGNATURE).iter();
    // Of two headers it would be open which one counts.
    let signature = match (signatures.next(), signatures.next()) {
        (Some(signature), None) => signature.to_str().unwrap_or_default(),
        _ => "",
    };
    let body = std::str::from_utf8(&body).map_err(|_| invalid("The body is no text."))?;
    match context.services.hear_stripe(body, signature).await {
        Ok(_) => Ok(StatusCode::OK),
        Err(WebhookError::NoProcessor) => Err(ApiError::RouteUnknown),
        Err(WebhookError::Store(error)) => Err(error.into()),
        Err(error @ (WebhookError::Signature(_) | WebhookError::Event(_))) => {
            tracing::warn!(%error, "a webhook was refused");
            Err(invalid(&format!("The webhook is refused: {error}.")))
        }
    }
}

fn invalid(message: &str) -> ApiError {
    ApiError::Invalid { param: None, message: message.to_owned() }
}
