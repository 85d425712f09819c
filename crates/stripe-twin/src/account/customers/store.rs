//! Customers. A deleted one can still be asked for, and says that it is deleted.

use serde_json::{Value, json};

use super::tax_ids;
use crate::wire::answer::StripeError;
use crate::wire::request::Params;
use crate::world::{Fields, World, address, merge_metadata, metadata, page, pass_through};

const KIND: &str = "customer";
const TEXTS: [&str; 5] = ["business_name", "description", "email", "name", "phone"];
const PARAMS: [&str; 13] = [
    "address",
    "balance",
    "business_name",
    "description",
    "email",
    "individual_name",
    "invoice_settings",
    "metadata",
    "name",
    "phone",
    "preferred_locales",
    "shipping",
    "tax_exempt",
];

pub fn create(world: &mut World, params: &Params) -> Result<Value, StripeError> {
    params.only(&[&PARAMS[..], &["payment_method", "tax_id_data", "test_clock"]].concat())?;
    let clock = params.text("test_clock");
    if let Some(clock) = clock {
        world.require("test_helpers.test_clock", clock, "test_clock")?;
    }
    let id = world.new_id("cus_", 14);
    let prefix = world.new_id("", 8).to_uppercase();
    let mut customer = json!({
        "id": id,
        "object": KIND,
        "address": null,
        "balance": 0,
        "created": world.now_on(clock),
        "currency": null,
        "customer_account": null,
        "default_source": null,
        "delinquent": false,
        "description": null,
        "discount": null,
        "email": null,
        "invoice_prefix": prefix,
        "invoice_settings": {"custom_fields": null, "default_payment_method": null, "footer": null, "rendering_options": null},
        "livemode": false,
        "metadata": metadata(params),
        "name": null,
        "next_invoice_sequence": 1,
        "phone": null,
        "preferred_locales": [],
        "shipping": null,
        "tax_exempt": "none",
        "test_clock": clock,
    });
    apply(&mut customer, params)?;
    world.insert(KIND, customer);
    for data in params.parts("tax_id_data") {
        tax_ids::create(world, &id, &data)?;
    }
    world.emit("customer.created", KIND, &id);
    retrieve(world, &id)
}

pub fn retrieve(world: &World, id: &str) -> Result<Value, StripeError> {
    world.require(KIND, id, "id").cloned()
}

pub fn update(world: &mut World, id: &str, params: &Params) -> Result<Value, StripeError> {
    params.only(&PARAMS)?;
    let customer = world.require(KIND, id, "id")?;
    if customer.is("deleted") {
        return Err(StripeError::missing(KIND, id, "id"));
    }
    let settings = params.part_or_empty("invoice_settings");
    if let Some(method) = settings.text("default_payment_method") {
        let param = settings.name("default_payment_method");
        if world.require("payment_method", method, &param)?.text("customer") != Some(id) {
            return Err(StripeError::invalid(&param, "The payment method must be attached to the customer first."));
        }
    }
    let mut changed = customer.clone();
    apply(&mut changed, params)?;
    merge_metadata(&mut changed["metadata"], params);
    world.update(KIND, id, "customer.updated", |customer| *customer = changed);
    retrieve(world, id)
}

/// What was there before is told by the event; the subscriptions are ended by whoever calls this.
pub fn delete(world: &mut World, id: &str) -> Result<Value, StripeError> {
    if world.require(KIND, id, "id")?.is("deleted") {
        return Err(StripeError::missing(KIND, id, "id"));
    }
    let gone = json!({"id": id, "object": KIND, "deleted": true});
    let before = world.change(KIND, id, |customer| *customer = gone.clone());
    world.emit_object("customer.deleted", before, None);
    Ok(gone)
}

pub fn list(world: &World, params: &Params) -> Result<Value, StripeError> {
    let clock = params.text("test_clock");
    page("/v1/customers", params, &["email", "test_clock"], world.all(KIND), |customer| {
        let same_email = params.text("email").is_none_or(|email| customer.text("email") == Some(email));
        !customer.is("deleted") && same_email && clock.is_none_or(|clock| customer.text("test_clock") == Some(clock))
    })
}

fn apply(customer: &mut Value, params: &Params) -> Result<(), StripeError> {
    pass_through(customer, params, &TEXTS);
    if params.has("address") {
        customer["address"] = address(params, "address");
    }
    if params.has("individual_name") {
        customer["individual_name"] = json!(params.text("individual_name"));
    }
    if let Some(balance) = params.integer("balance")? {
        customer["balance"] = json!(balance);
    }
    if let Some(exempt) = params.choice("tax_exempt", &["exempt", "none", "reverse"])? {
        customer["tax_exempt"] = json!(exempt);
    }
    if params.has("preferred_locales") {
        customer["preferred_locales"] = json!(params.texts("preferred_locales"));
    }
    if let Some(shipping) = params.part("shipping") {
        customer["shipping"] =
            json!({"address": address(&shipping, "address"), "name": shipping.text("name"), "phone": shipping.text("phone")});
    }
    if let Some(settings) = params.part("invoice_settings") {
        settings.only(&["default_payment_method", "footer"])?;
        pass_through(&mut customer["invoice_settings"], &settings, &["default_payment_method", "footer"]);
    }
    Ok(())
}
