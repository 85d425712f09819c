//! Why nothing was done with a webhook endpoint.

use super::{Answer, ApiError, StatusCode, answer};
use service::webhook::WebhookError;

pub(super) fn answer_of(error: &WebhookError) -> Answer {
    use StatusCode as S;
    let said = |status, code| answer(status, code, sentence(error));
    match error {
        WebhookError::Unknown => {
            answer(S::NOT_FOUND, "webhook_endpoint_not_found", "There is no such webhook endpoint.").about("webhook_endpoint_id")
        }
        WebhookError::DeliveryUnknown => {
            answer(S::NOT_FOUND, "webhook_delivery_not_found", "There is no such delivery.").about("delivery_id")
        }
        WebhookError::Name => said(S::BAD_REQUEST, "invalid_request").about("name"),
        WebhookError::Url(_) => said(S::BAD_REQUEST, "invalid_webhook_url").about("url"),
        WebhookError::NoEvents | WebhookError::EventUnknown(_) => said(S::BAD_REQUEST, "invalid_event_type").about("event_types"),
        WebhookError::TooMany => said(S::BAD_REQUEST, "too_many_webhook_endpoints"),
        WebhookError::Range => said(S::BAD_REQUEST, "invalid_request").about("to"),
        WebhookError::Disabled => said(S::CONFLICT, "webhook_endpoint_disabled"),
        WebhookError::TooManyPending => said(S::CONFLICT, "too_many_deliveries_pending"),
        WebhookError::OldSecretSigns => said(S::CONFLICT, "old_secret_still_signs").about("keep_old_secret_active_for_24_hours"),
        // A client that retried by itself would ask in vain.
        WebhookError::NotSent(_) => said(S::FAILED_DEPENDENCY, "webhook_not_answered"),
        // These are other errors of the API: see below.
        WebhookError::Forbidden(_) | WebhookError::Random(_) | WebhookError::Secret | WebhookError::Store(_) => {
            said(S::INTERNAL_SERVER_ERROR, "internal_error")
        }
    }
}

fn sentence(error: &WebhookError) -> String {
    let text = error.to_string();
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", letters.as_str())
}

impl From<WebhookError> for ApiError {
    fn from(error: WebhookError) -> Self {
        match error {
            WebhookError::Forbidden(error) => error.into(),
            WebhookError::Store(error) => error.into(),
            error @ (WebhookError::Random(_) | WebhookError::Secret) => Self::Internal(error.into()),
            error => Self::Webhook(error),
        }
    }
}
