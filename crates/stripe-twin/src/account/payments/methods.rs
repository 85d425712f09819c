//! Payment methods: cards, and which customer they belong to.

use serde_json::{Value, json};

use crate::cards::{Decline, TestCard};
use crate::wire::answer::StripeError;
use crate::wire::request::Params;
use crate::world::{Fields, World, address, merge_metadata, metadata, page};

const KIND: &str = "payment_method";

pub fn create(world: &mut World, params: &Params) -> Result<Value, StripeError> {
    params.only(&["type", "card", "billing_details", "metadata", "allow_redisplay"])?;
    if params.required("type")? != "card" {
        return Err(StripeError::invalid("type", "The twin knows payment methods of type card only."));
    }
    let card = params.part("card").ok_or_else(|| StripeError::missing_parameter("card"))?;
    let test_card = match card.text("token") {
        Some(token) => TestCard::named(token).ok_or_else(|| StripeError::missing("token", token, "card[token]"))?,
        None => TestCard::numbered(card.required("number")?)
            .ok_or_else(|| StripeError::declined(Decline::IncorrectNumber, json!({"param": "card[number]"})))?,
    };
    let id = issue(world, test_card, None);
    let expires = (card.integer("exp_month")?, card.integer("exp_year")?);
    world.change(KIND, &id, |method| {
        method["billing_details"] = billing_details(&params.part_or_empty("billing_details"));
        method["metadata"] = metadata(params);
        if let (Some(month), Some(year)) = expires {
            method["card"]["exp_month"] = json!(month);
            method["card"]["exp_year"] = json!(year);
        }
    });
    retrieve(world, &id)
}

/// A new payment method of this card, which belongs to nobody yet.
pub fn issue(world: &mut World, card: TestCard, customer: Option<&str>) -> String {
    let id = world.new_id("pm_", 24);
    let method = json!({
        "id": id,
        "object": KIND,
        "allow_redisplay": "unspecified",
        "billing_details": billing_details(&Params::default()),
        "card": {
            "brand": card.brand,
            "checks": {"address_line1_check": null, "address_postal_code_check": null, "cvc_check": "pass"},
            "country": "US",
            "display_brand": card.brand,
            "exp_month": 12,
            "exp_year": 2040,
            "fingerprint": format!("fp{:0>14}", card.number.trim_start_matches('4')),
            "funding": card.funding(),
            "generated_from": null,
            "last4": card.last4(),
            "networks": {"available": [card.brand], "preferred": null},
            "regulated_status": "unregulated",
            "three_d_secure_usage": {"supported": true},
            "wallet": null,
        },
        "created": customer.map_or_else(|| world.now(), |customer| world.now_for(customer)),
        "customer": null,
        "customer_account": null,
        "livemode": false,
        "metadata": {},
        "type": "card",
    });
    world.insert(KIND, method);
    world.secrets.cards.insert(id.clone(), card);
    id
}

/// By its id, or by the name of a test card, of which a new one is made.
pub fn resolve(world: &mut World, id: &str, param: &str) -> Result<String, StripeError> {
    match TestCard::named(id) {
        Some(card) => Ok(issue(world, card, None)),
        None => world.require(KIND, id, param).map(|_| id.to_owned()),
    }
}

pub fn retrieve(world: &World, id: &str) -> Result<Value, StripeError> {
    world.require(KIND, id, "id").cloned()
}

pub fn update(world: &mut World, id: &str, params: &Params) -> Result<Value, StripeError> {
    params.only(&["billing_details", "card", "metadata", "allow_redisplay"])?;
    world.require(KIND, id, "id")?;
    let card = params.part_or_empty("card");
    card.only(&["exp_month", "exp_year"])?;
    let expires = [("exp_month", card.integer("exp_month")?), ("exp_year", card.integer("exp_year")?)];
    world.update(KIND, id, "payment_method.updated", |method| {
        if let Some(details) = params.part("billing_details") {
            method["billing_details"] = billing_details(&details);
        }
        for (name, value) in expires {
            if let Some(value) = value {
                method["card"][name] = json!(value);
            }
        }
        merge_metadata(&mut method["metadata"], params);
    });
    retrieve(world, id)
}

/// Gives it to a customer. The name of a test card makes a new one.
///
/// # Errors
/// When there is no such customer or method, it is another's, or the card refuses.
pub fn attach(world: &mut World, id: &str, customer: &str) -> Result<Value, StripeError> {
    if world.require("customer", customer, "customer")?.is("deleted") {
        return Err(StripeError::missing("customer", customer, "customer"));
    }
    let id = resolve(world, id, "id")?;
    match retrieve(world, &id)?.text("customer") {
        Some(owner) if owner == customer => return retrieve(world, &id),
        Some(_) => {
            let message = "The payment method you provided has already been attached to a customer.";
            return Err(StripeError::coded("payment_method_unexpected_state", message));
        }
        None => {}
    }
    if let Some(decline) = world.secrets.cards.get(&id).and_then(|card| card.when_attached()) {
        return Err(StripeError::declined(decline, json!({})));
    }
    world.change(KIND, &id, |method| method["customer"] = json!(customer));
    world.emit("payment_method.attached", KIND, &id);
    retrieve(world, &id)
}

pub fn detach(world: &mut World, id: &str) -> Result<Value, StripeError> {
    let Some(customer) = world.require(KIND, id, "id")?.text("customer").map(str::to_owned) else {
        let message = "The payment method you provided is not attached to a customer so detachment is impossible.";
        return Err(StripeError::coded("payment_method_not_attached", message));
    };
    let before = world.change(KIND, id, |method| method["customer"] = Value::Null);
    let after = retrieve(world, id)?;
    world.emit_object("payment_method.detached", after, Some(json!({"customer": before["customer"]})));
    let is_default = |customer: &Value| customer["invoice_settings"].text("default_payment_method") == Some(id);
    if world.get("customer", &customer).is_some_and(is_default) {
        let clear = |customer: &mut Value| customer["invoice_settings"]["default_payment_method"] = Value::Null;
        world.update("customer", &customer, "customer.updated", clear);
    }
    for subscription in world.ids("subscription") {
        world.change("subscription", &subscription, |subscription| {
            if subscription.text("default_payment_method") == Some(id) {
                subscription["default_payment_method"] = Value::Null;
            }
        });
    }
    retrieve(world, id)
}

/// `/v1/payment_methods?customer=` and `/v1/customers/{id}/payment_methods`.
pub fn list(world: &World, url: &str, customer: Option<&str>, params: &Params) -> Result<Value, StripeError> {
    let customer = customer.or_else(|| params.text("customer"));
    if let Some(customer) = customer {
        world.require("customer", customer, "customer")?;
    }
    page(url, params, &["allow_redisplay", "customer", "type"], world.all(KIND), |method| {
        let theirs = customer.is_some_and(|customer| method.text("customer") == Some(customer));
        theirs && params.text("type").is_none_or(|kind| method.text("type") == Some(kind))
    })
}

/// Why a charge of it fails, if it does: by the card's nature, or because the control door said so.
pub fn refusal(world: &World, id: &str) -> Option<Decline> {
    let secrets = &world.secrets;
    let customer = world.get(KIND, id).and_then(|method| method.text("customer"));
    let card = secrets.cards.get(id);
    let names = [Some(id), customer, card.map(|card| card.number), Some("all")];
    let failing = names.into_iter().flatten().find_map(|name| secrets.failing.get(name).copied());
    failing.or_else(|| card.and_then(|card| card.when_charged()))
}

pub fn billing_details(params: &Params) -> Value {
    json!({
        "address": params.part("address").map_or_else(
            || json!({"city": null, "country": null, "line1": null, "line2": null, "postal_code": null, "state": null}),
            |_| address(params, "address"),
        ),
        "email": params.text("email"),
        "name": params.text("name"),
        "phone": params.text("phone"),
        "tax_id": params.text("tax_id"),
    })
}
