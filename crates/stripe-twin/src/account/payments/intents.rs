//! Payment intents: from the wish to be paid to the payment.

use serde_json::{Value, json};

use super::{charges, methods};
use crate::cards::Decline;
use crate::wire::answer::StripeError;
use crate::wire::request::Params;
use crate::world::{Fields, World, merge_metadata, metadata, page, pass_through};

pub const KIND: &str = "payment_intent";

/// What a payment is to be.
pub struct Wanted<'a> {
    pub amount: i64,
    pub currency: &'a str,
    pub customer: Option<&'a str>,
    pub description: Option<&'a str>,
}

/// What came of a try to pay.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    Paid,
    Refused(Decline),
    /// The owner of the card has to agree, on a page of ours.
    NeedsAction,
}

/// A new one that waits for a payment method.
pub fn open(world: &mut World, wanted: &Wanted<'_>) -> String {
    let id = world.new_id("pi_", 24);
    let secret = world.new_id(&format!("{id}_secret_"), 25);
    let intent = json!({
        "id": id,
        "object": KIND,
        "allowed_payment_method_types": null,
        "amount": wanted.amount,
        "amount_capturable": 0,
        "amount_details": {"tip": {}},
        "amount_received": 0,
        "application": null,
        "application_fee_amount": null,
        "automatic_payment_methods": {"allow_redirects": "always", "enabled": true},
        "canceled_at": null,
        "cancellation_reason": null,
        "capture_method": "automatic",
        "client_secret": secret,
        "confirmation_method": "automatic",
        "created": wanted.customer.map_or_else(|| world.now(), |customer| world.now_for(customer)),
        "currency": wanted.currency,
        "customer": wanted.customer,
        "customer_account": null,
        "description": wanted.description,
        "excluded_payment_method_types": null,
        "last_payment_error": null,
        "latest_charge": null,
        "livemode": false,
        "managed_payments": null,
        "metadata": {},
        "next_action": null,
        "on_behalf_of": null,
        "payment_method": null,
        "payment_method_configuration_details": null,
        "payment_method_options": {"card": {"installments": null, "mandate_options": null, "network": null, "request_three_d_secure": "automatic"}},
        "payment_method_types": ["card"],
        "payment_record": null,
        "processing": null,
        "receipt_email": null,
        "review": null,
        "setup_future_usage": null,
        "shipping": null,
        "source": null,
        "statement_descriptor": null,
        "statement_descriptor_suffix": null,
        "status": "requires_payment_method",
        "transfer_data": null,
        "transfer_group": null,
    });
    world.insert(KIND, intent);
    world.emit("payment_intent.created", KIND, &id);
    id
}

pub fn create(world: &mut World, params: &Params) -> Result<Value, StripeError> {
    let known = ["amount", "automatic_payment_methods", "confirm", "currency", "customer", "description", "metadata", "off_session"];
    params
        .only(&[&known[..], &["payment_method", "receipt_email", "return_url", "setup_future_usage", "statement_descriptor"]].concat())?;
    let amount = params.integer("amount")?.ok_or_else(|| StripeError::missing_parameter("amount"))?;
    if amount < 1 {
        return Err(StripeError::invalid("amount", "This value must be greater than or equal to 1."));
    }
    let currency = params.required("currency")?.to_lowercase();
    let customer = params.text("customer");
    if let Some(customer) = customer {
        world.require("customer", customer, "customer")?;
    }
    let method = params.text("payment_method").map(|id| methods::resolve(world, id, "payment_method")).transpose()?;
    let id = open(world, &Wanted { amount, currency: &currency, customer, description: params.text("description") });
    world.change(KIND, &id, |intent| {
        intent["metadata"] = metadata(params);
        pass_through(intent, params, &["receipt_email", "setup_future_usage", "statement_descriptor"]);
        if let Some(method) = &method {
            intent["payment_method"] = json!(method);
            intent["status"] = json!("requires_confirmation");
        }
    });
    if params.flag("confirm")? == Some(true) {
        return confirm_as(world, &id, params);
    }
    retrieve(world, &id)
}

pub fn retrieve(world: &World, id: &str) -> Result<Value, StripeError> {
    world.require(KIND, id, "id").cloned()
}

pub fn update(world: &mut World, id: &str, params: &Params) -> Result<Value, StripeError> {
    params.only(&["amount", "customer", "description", "metadata", "payment_method", "receipt_email", "setup_future_usage"])?;
    require_open(world, id)?;
    let amount = params.integer("amount")?;
    let method = params.text("payment_method").map(|id| methods::resolve(world, id, "payment_method")).transpose()?;
    world.change(KIND, id, |intent| {
        pass_through(intent, params, &["customer", "description", "receipt_email", "setup_future_usage"]);
        merge_metadata(&mut intent["metadata"], params);
        if let Some(amount) = amount {
            intent["amount"] = json!(amount);
        }
        if let Some(method) = &method {
            intent["payment_method"] = json!(method);
            intent["status"] = json!("requires_confirmation");
        }
    });
    retrieve(world, id)
}

/// `POST .../confirm` of an intent that belongs to no invoice.
pub fn confirm(world: &mut World, id: &str, method: Option<&str>) -> Result<Value, StripeError> {
    let intent = require_open(world, id)?;
    let named = method.or_else(|| intent.text("payment_method"));
    let named = named.ok_or_else(|| StripeError::coded("payment_intent_unexpected_state", NO_METHOD))?;
    let method = methods::resolve(world, named, "payment_method")?;
    let customer = intent.text("customer");
    if let (Some(customer), Some("off_session" | "on_session")) = (customer, intent.text("setup_future_usage")) {
        methods::attach(world, &method, customer)?;
    }
    match charge(world, id, &method) {
        Outcome::Paid | Outcome::NeedsAction => retrieve(world, id),
        Outcome::Refused(decline) => Err(refused(world, id, decline)),
    }
}

/// Confirms what a request says of it: who is away cannot agree, who is there is sent on to `return_url`.
pub fn confirm_as(world: &mut World, id: &str, params: &Params) -> Result<Value, StripeError> {
    let method = params.text("payment_method").map(str::to_owned);
    let confirmed = confirm(world, id, method.as_deref())?;
    if confirmed.text("status") != Some("requires_action") {
        return Ok(confirmed);
    }
    if params.flag("off_session")? == Some(true) {
        fail(world, id, Decline::AuthenticationRequired);
        return Err(refused(world, id, Decline::AuthenticationRequired));
    }
    world.change(KIND, id, |intent| intent["next_action"]["redirect_to_url"]["return_url"] = json!(params.text("return_url")));
    retrieve(world, id)
}

/// The owner of the card has not agreed, or could not be asked.
pub fn fail(world: &mut World, id: &str, decline: Decline) {
    let method = world.get(KIND, id).and_then(|intent| intent.text("payment_method")).unwrap_or_default();
    let details = world.get("payment_method", method).cloned().unwrap_or_default();
    world.change(KIND, id, |intent| {
        intent["status"] = json!("requires_payment_method");
        intent["next_action"] = Value::Null;
        intent["payment_method"] = Value::Null;
        intent["last_payment_error"] = payment_error(decline, None, &details);
    });
    world.emit("payment_intent.payment_failed", KIND, id);
}

/// Whether the owner of the card has to be asked before this charge. An agreement holds for one.
fn asks_first(world: &mut World, id: &str, method: &str) -> bool {
    let asks = world.secrets.cards.get(method).is_some_and(|card| card.asks_its_owner());
    asks && !world.secrets.agreed.remove(id) && !world.secrets.agreed.remove(method)
}

/// Tries to take the money from this payment method, and tells what came of it.
pub fn charge(world: &mut World, id: &str, method: &str) -> Outcome {
    if asks_first(world, id, method) {
        let url = format!("{}/authenticate/{id}", world.base_url);
        world.change(KIND, id, |intent| {
            intent["status"] = json!("requires_action");
            intent["payment_method"] = json!(method);
            intent["next_action"] = json!({"type": "redirect_to_url", "redirect_to_url": {"return_url": null, "url": url}});
        });
        world.emit("payment_intent.requires_action", KIND, id);
        return Outcome::NeedsAction;
    }
    let intent = world.get(KIND, id).cloned().unwrap_or_default();
    let (charge, decline) = charges::attempt(world, &intent, method);
    let details = world.get("payment_method", method).cloned().unwrap_or_default();
    world.change(KIND, id, |intent| {
        intent["latest_charge"] = json!(charge);
        intent["next_action"] = Value::Null;
        match decline {
            None => {
                intent["status"] = json!("succeeded");
                intent["payment_method"] = json!(method);
                intent["amount_received"] = intent["amount"].clone();
                intent["last_payment_error"] = Value::Null;
            }
            Some(decline) => {
                intent["status"] = json!("requires_payment_method");
                intent["payment_method"] = Value::Null;
                intent["last_payment_error"] = payment_error(decline, Some(&charge), &details);
            }
        }
    });
    let event = if decline.is_none() { "payment_intent.succeeded" } else { "payment_intent.payment_failed" };
    world.emit(event, KIND, id);
    decline.map_or(Outcome::Paid, Outcome::Refused)
}

/// The answer to who asked for a payment that was refused.
pub fn refused(world: &World, id: &str, decline: Decline) -> StripeError {
    let intent = world.get(KIND, id).cloned().unwrap_or_default();
    let about = json!({
        "charge": intent["latest_charge"],
        "payment_method": intent["last_payment_error"]["payment_method"],
        "payment_intent": intent,
    });
    StripeError::declined(decline, about)
}

pub fn cancel(world: &mut World, id: &str, params: &Params) -> Result<Value, StripeError> {
    params.only(&["cancellation_reason"])?;
    require_open(world, id)?;
    abandon(world, id, params.text("cancellation_reason"));
    retrieve(world, id)
}

pub fn abandon(world: &mut World, id: &str, reason: Option<&str>) {
    let now = world.now();
    world.change(KIND, id, |intent| {
        intent["status"] = json!("canceled");
        intent["canceled_at"] = json!(now);
        intent["cancellation_reason"] = json!(reason);
    });
    world.emit("payment_intent.canceled", KIND, id);
}

pub fn list(world: &World, params: &Params) -> Result<Value, StripeError> {
    page("/v1/payment_intents", params, &["customer"], world.all(KIND), |intent| {
        params.text("customer").is_none_or(|customer| intent.text("customer") == Some(customer))
    })
}

const NO_METHOD: &str = "You cannot confirm this PaymentIntent because it's missing a payment method.";

fn require_open(world: &World, id: &str) -> Result<Value, StripeError> {
    let intent = retrieve(world, id)?;
    match intent.text("status") {
        Some(status @ ("succeeded" | "canceled")) => {
            let message = format!("This PaymentIntent's status is {status}, so it cannot be changed any more.");
            Err(StripeError::coded("payment_intent_unexpected_state", &message))
        }
        _ => Ok(intent),
    }
}

fn payment_error(decline: Decline, charge: Option<&str>, method: &Value) -> Value {
    let mut error = json!({
        "code": decline.code(),
        "message": decline.message(),
        "payment_method": method,
        "type": "card_error",
    });
    if let Some(charge) = charge {
        error["charge"] = json!(charge);
    }
    if let Some(reason) = decline.reason() {
        error["decline_code"] = json!(reason);
    }
    error
}
