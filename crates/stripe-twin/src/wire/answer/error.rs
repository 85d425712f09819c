//! Errors in the words of Stripe's API.

use serde_json::{Value, json};

use crate::cards::Decline;

/// What an API call answers when it does not do what it was asked to.
#[derive(Clone, Debug)]
pub struct StripeError {
    pub status: u16,
    pub body: Value,
}

impl StripeError {
    fn new(status: u16, kind: &str, message: &str) -> Self {
        Self { status, body: json!({"type": kind, "message": message}) }
    }

    fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.body[name] = value.into();
        self
    }

    /// A request that makes no sense, without a parameter that is to blame.
    pub fn refused(message: &str) -> Self {
        Self::new(400, "invalid_request_error", message)
    }

    /// The same, with the code that programs look at.
    pub fn coded(code: &str, message: &str) -> Self {
        Self::refused(message).with("code", code)
    }

    pub fn invalid(param: &str, message: &str) -> Self {
        Self::refused(message).with("param", param)
    }

    pub fn missing_parameter(param: &str) -> Self {
        Self::invalid(param, &format!("Missing required param: {param}.")).with("code", "parameter_missing")
    }

    /// Also what the twin knows nothing of although Stripe does.
    pub fn unknown_parameter(param: &str) -> Self {
        Self::invalid(param, &format!("Received unknown parameter: {param}")).with("code", "parameter_unknown")
    }

    pub fn not_an_integer(param: &str, text: &str) -> Self {
        Self::invalid(param, &format!("Invalid integer: {text}")).with("code", "parameter_invalid_integer")
    }

    /// There is no object of that id; `param` is the parameter that named it, `id` where the path did.
    pub fn missing(kind: &str, id: &str, param: &str) -> Self {
        let kind = kind.rsplit('.').next().unwrap_or(kind);
        Self { status: if param == "id" { 404 } else { 400 }, ..Self::invalid(param, &format!("No such {kind}: '{id}'")) }
            .with("code", "resource_missing")
    }

    pub fn no_such_route(method: &str, path: &str) -> Self {
        let message = format!("Unrecognized request URL ({method}: {path}). Please see https://stripe.com/docs.");
        Self { status: 404, ..Self::refused(&message) }
    }

    pub fn unauthorized() -> Self {
        let message = "You did not provide an API key. You need to provide your API key in the Authorization header, \
                       using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').";
        Self { status: 401, ..Self::refused(message) }
    }

    pub fn wrong_key(key: &str) -> Self {
        let tail = key.get(key.len().saturating_sub(4)..).unwrap_or_default();
        Self { status: 401, ..Self::refused(&format!("Invalid API Key provided: ****{tail}")) }
    }

    /// The card says no. `about` holds the ids that Stripe tells with it.
    pub fn declined(decline: Decline, about: Value) -> Self {
        let mut error = Self::new(402, "card_error", decline.message()).with("code", decline.code());
        if let Some(reason) = decline.reason() {
            error = error.with("decline_code", reason);
        }
        if let Value::Object(fields) = about {
            for (name, value) in fields {
                error.body[name] = value;
            }
        }
        error
    }

    /// The owner of the card has to agree to the payment of an invoice first.
    pub fn needs_action() -> Self {
        let message = "This payment requires additional user action before it can be completed successfully.";
        Self::new(402, "card_error", message).with("code", "invoice_payment_intent_requires_action")
    }

    /// The same key came with other parameters.
    pub fn key_reused(key: &str) -> Self {
        let message = format!(
            "Keys for idempotent requests can only be used with the same parameters they were first used with. \
             Try using a key other than '{key}' if you meant to execute a different request."
        );
        Self::new(400, "idempotency_error", &message)
    }

    /// A request with the same key is being worked on.
    pub fn key_in_use(key: &str) -> Self {
        let message = format!(
            "There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, \
             and the other request is still going through): {key}. Please try again later."
        );
        let error = Self::new(409, "idempotency_error", &message).with("code", "idempotency_key_in_use");
        Self { status: 409, ..error }
    }

    pub fn internal() -> Self {
        Self::new(500, "api_error", "An unknown error occurred")
    }

    /// A refusal before anything was begun: such an answer is not kept for its idempotency key.
    pub fn is_of_validation(&self) -> bool {
        self.status == 400 || self.status == 404 || self.status == 429
    }

    pub fn to_json(&self, request: &str) -> Value {
        let mut error = self.body.clone();
        error["request_log_url"] = json!(format!("https://dashboard.stripe.com/test/logs/{request}"));
        json!({"error": error})
    }
}
