//! Setup intents: a card is kept for later without a payment.

use serde_json::{Value, json};

use super::methods;
use crate::wire::answer::StripeError;
use crate::wire::request::Params;
use crate::world::{Fields, World, metadata, page};

const KIND: &str = "setup_intent";

pub fn create(world: &mut World, params: &Params) -> Result<Value, StripeError> {
    let known = ["automatic_payment_methods", "confirm", "customer", "description", "metadata", "payment_method", "return_url", "usage"];
    params.only(&known)?;
    if let Some(customer) = params.text("customer") {
        world.require("customer", customer, "customer")?;
    }
    let id = world.new_id("seti_", 24);
    let secret = world.new_id(&format!("{id}_secret_"), 25);
    let intent = json!({
        "id": id,
        "object": KIND,
        "allowed_payment_method_types": null,
        "application": null,
        "automatic_payment_methods": {"allow_redirects": "always", "enabled": true},
        "cancellation_reason": null,
        "client_secret": secret,
        "created": params.text("customer").map_or_else(|| world.now(), |customer| world.now_for(customer)),
        "customer": params.text("customer"),
        "customer_account": null,
        "description": params.text("description"),
        "excluded_payment_method_types": null,
        "flow_directions": null,
        "last_setup_error": null,
        "latest_attempt": null,
        "livemode": false,
        "mandate": null,
        "metadata": metadata(params),
        "next_action": null,
        "on_behalf_of": null,
        "payment_method": null,
        "payment_method_configuration_details": null,
        "payment_method_options": {},
        "payment_method_types": ["card"],
        "single_use_mandate": null,
        "status": "requires_payment_method",
        "usage": params.text("usage").unwrap_or("off_session"),
    });
    world.insert(KIND, intent);
    world.emit("setup_intent.created", KIND, &id);
    match params.text("payment_method") {
        Some(method) if params.flag("confirm")? == Some(true) => confirm(world, &id, method),
        _ => retrieve(world, &id),
    }
}

pub fn retrieve(world: &World, id: &str) -> Result<Value, StripeError> {
    world.require(KIND, id, "id").cloned()
}

/// Keeps the card for the customer, unless it refuses.
pub fn confirm(world: &mut World, id: &str, method: &str) -> Result<Value, StripeError> {
    let intent = retrieve(world, id)?;
    let method = methods::resolve(world, method, "payment_method")?;
    if let Some(customer) = intent.text("customer")
        && let Err(error) = methods::attach(world, &method, customer)
    {
        world.change(KIND, id, |intent| intent["last_setup_error"] = error.body.clone());
        world.emit("setup_intent.setup_failed", KIND, id);
        return Err(error);
    }
    world.change(KIND, id, |intent| {
        intent["status"] = json!("succeeded");
        intent["payment_method"] = json!(method);
        intent["last_setup_error"] = Value::Null;
    });
    world.emit("setup_intent.succeeded", KIND, id);
    retrieve(world, id)
}

pub fn list(world: &World, params: &Params) -> Result<Value, StripeError> {
    page("/v1/setup_intents", params, &["customer"], world.all(KIND), |intent| {
        params.text("customer").is_none_or(|customer| intent.text("customer") == Some(customer))
    })
}
