//! Webhooks of predictions: where a request wants them, and by which secret they are signed.

use crate::{
    api::{
        caller::Caller,
        compatible::{callback::Asked, moment::rfc3339},
        webhooks::{self, Asking, RotateWebhookSecret},
    },
    context::Context,
    error::{ApiError, NotOffered},
};
use axum::{
    Json,
    body::Bytes,
    extract::{State, rejection::BytesRejection},
};
use domain::webhook::{CallbackEvent, CallbackStyle};
use serde::Serialize;
use serde_json::Value;
use service::webhook::CallbackSecret;

const FILTER: &str = "webhook_events_filter";
/// Of a request that names none.
const USUAL_EVENTS: [CallbackEvent; 2] = [CallbackEvent::Output, CallbackEvent::Completed];

/// What a request says of it.
#[derive(Debug, Clone, Copy)]
pub struct Fields<'a> {
    pub webhook: Option<&'a Value>,
    pub webhook_completed: Option<&'a Value>,
    pub webhook_events_filter: Option<&'a Value>,
}

/// Where a request wants the course of its prediction told, if anywhere.
pub fn asked(fields: Fields<'_>) -> Result<Option<Asked<'_>>, ApiError> {
    let (param, url, events) = match (fields.webhook, fields.webhook_completed) {
        (None, None) => return Ok(None),
        (Some(url), _) => ("webhook", url, events(fields.webhook_events_filter)?),
        // As older clients have it.
        (None, Some(url)) => ("webhook_completed", url, vec![CallbackEvent::Completed]),
    };
    let url = url.as_str().ok_or(NotOffered::Parameter { param, message: "The address of a webhook is a text." })?;
    Ok(Some(Asked { param, url, style: CallbackStyle::Replicate, events }))
}

fn events(filter: Option<&Value>) -> Result<Vec<CallbackEvent>, ApiError> {
    let Some(filter) = filter else { return Ok(USUAL_EVENTS.to_vec()) };
    let named =
        filter.as_array().and_then(|names| names.iter().map(|name| CallbackEvent::named(name.as_str()?)).collect::<Option<Vec<_>>>());
    let message = "`webhook_events_filter` is a list of `start`, `output`, `logs` and `completed`, with one of them at least.";
    named.filter(|events| !events.is_empty()).ok_or_else(|| NotOffered::Parameter { param: FILTER, message }.into())
}

#[derive(Debug, Serialize)]
pub struct WebhookSecret {
    key: String,
    /// Until then the key of before signs too.
    #[serde(skip_serializing_if = "Option::is_none")]
    old_key_active_until: Option<String>,
}

impl From<CallbackSecret> for WebhookSecret {
    fn from(secret: CallbackSecret) -> Self {
        Self { key: secret.text, old_key_active_until: secret.old_until.map(rfc3339) }
    }
}

/// `GET /replicate/v1/webhooks/default/secret`
pub async fn secret(State(context): State<Context>, caller: Caller) -> Result<Json<WebhookSecret>, ApiError> {
    Ok(Json(context.services.callback_secret(caller.actor()).await?.into()))
}

/// `POST /replicate/v1/webhooks/default/secret/rotate`, which is not Replicate's.
pub async fn rotate(
    State(context): State<Context>,
    asking: Asking,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<WebhookSecret>, ApiError> {
    let RotateWebhookSecret { keep_old_secret_active_for_24_hours: keeps_old } = webhooks::json(body)?;
    let rotated = context.services.rotate_callback_secret(asking.caller.actor(), keeps_old, &asking.address).await?;
    Ok(Json(rotated.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use CallbackEvent::{Completed, Logs, Output, Start};

    #[test]
    fn a_request_says_where_and_what_it_wants_to_be_told() {
        let told = |body: &str| {
            let body: Value = serde_json::from_str(body).unwrap();
            let field = |name: &str| body.get(name).filter(|value| !value.is_null());
            let [webhook, webhook_completed, webhook_events_filter] = ["webhook", "webhook_completed", FILTER].map(field);
            let asked = asked(Fields { webhook, webhook_completed, webhook_events_filter });
            asked.map(|asked| asked.map(|asked| (asked.param, asked.url.to_owned(), asked.events))).ok()
        };
        let url = || "https://a.example".to_owned();
        assert_eq!(told(r#"{"webhook":null,"webhook_events_filter":["start"]}"#), Some(None));
        assert_eq!(told(r#"{"webhook":"https://a.example"}"#), Some(Some(("webhook", url(), vec![Output, Completed]))));
        let all = r#"{"webhook":"https://a.example","webhook_events_filter":["start","logs"]}"#;
        assert_eq!(told(all), Some(Some(("webhook", url(), vec![Start, Logs]))));
        assert_eq!(told(r#"{"webhook_completed":"https://a.example"}"#), Some(Some(("webhook_completed", url(), vec![Completed]))));
        for filter in ["[]", "\"start\"", "[\"begin\"]", "[1]"] {
            assert_eq!(told(&format!(r#"{{"webhook":"https://a.example","webhook_events_filter":{filter}}}"#)), None, "{filter}");
        }
        assert_eq!(told(r#"{"webhook":5}"#), None);
    }
}
