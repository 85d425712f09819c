//! Tax ids of customers, as they were given: the twin verifies none.

use serde_json::{Value, json};

use crate::wire::answer::StripeError;
use crate::wire::request::Params;
use crate::world::{Fields, World, page};

const KIND: &str = "tax_id";

pub fn create(world: &mut World, customer: &str, params: &Params) -> Result<Value, StripeError> {
    params.only(&["type", "value"])?;
    world.require("customer", customer, "id")?;
    let (kind, value) = (params.required("type")?, params.required("value")?);
    let id = world.new_id("txi_", 24);
    let country = if kind == "eu_vat" { value.get(..2) } else { kind.get(..2) };
    let tax_id = json!({
        "id": id,
        "object": KIND,
        "country": country.map(str::to_uppercase),
        "created": world.now_for(customer),
        "customer": customer,
        "customer_account": null,
        "livemode": false,
        "owner": {"type": "customer", "customer": customer, "customer_account": null},
        "type": kind,
        "value": value,
        "verification": {"status": "pending", "verified_address": null, "verified_name": null},
    });
    world.insert(KIND, tax_id);
    world.emit("customer.tax_id.created", KIND, &id);
    retrieve(world, customer, &id)
}

pub fn retrieve(world: &World, customer: &str, id: &str) -> Result<Value, StripeError> {
    let found = world.get(KIND, id).filter(|tax_id| tax_id.text("customer") == Some(customer));
    found.cloned().ok_or_else(|| StripeError::missing(KIND, id, "id"))
}

pub fn delete(world: &mut World, customer: &str, id: &str) -> Result<Value, StripeError> {
    let tax_id = retrieve(world, customer, id)?;
    world.remove(KIND, id);
    world.emit_object("customer.tax_id.deleted", tax_id, None);
    Ok(json!({"id": id, "object": KIND, "deleted": true}))
}

pub fn list(world: &World, customer: &str, params: &Params) -> Result<Value, StripeError> {
    let url = format!("/v1/customers/{customer}/tax_ids");
    page(&url, params, &[], world.all(KIND), |tax_id| tax_id.text("customer") == Some(customer))
}

/// As invoices show them.
pub fn of(world: &World, customer: &str) -> Value {
    let theirs = world.all(KIND).into_iter().filter(|tax_id| tax_id.text("customer") == Some(customer));
    theirs.map(|tax_id| json!({"type": tax_id["type"], "value": tax_id["value"]})).collect()
}
