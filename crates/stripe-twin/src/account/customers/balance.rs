//! What customers are owed, below zero, or owe, above it; invoices settle it.

use serde_json::{Value, json};

use crate::wire::answer::StripeError;
use crate::wire::request::Params;
use crate::world::{Fields, World, metadata, page, pass_through};

const KIND: &str = "customer_balance_transaction";

pub fn of(world: &World, customer: &str) -> i64 {
    world.get("customer", customer).map_or(0, |customer| customer.int("balance"))
}

/// Moves it by `amount`, and writes down why.
pub fn adjust(world: &mut World, customer: &str, amount: i64, currency: &str, kind: &str, invoice: Option<&str>) -> String {
    let ending = of(world, customer) + amount;
    let id = world.new_id("cbtxn_", 24);
    let transaction = json!({
        "id": id,
        "object": KIND,
        "amount": amount,
        "checkout_session": null,
        "created": world.now_for(customer),
        "credit_note": null,
        "currency": currency,
        "customer": customer,
        "customer_account": null,
        "description": null,
        "ending_balance": ending,
        "invoice": invoice,
        "livemode": false,
        "metadata": {},
        "type": kind,
    });
    world.insert(KIND, transaction);
    world.update("customer", customer, "customer.updated", |customer| customer["balance"] = json!(ending));
    id
}

pub fn create(world: &mut World, customer: &str, params: &Params) -> Result<Value, StripeError> {
    params.only(&["amount", "currency", "description", "metadata"])?;
    world.require("customer", customer, "id")?;
    let amount = params.integer("amount")?.ok_or_else(|| StripeError::missing_parameter("amount"))?;
    let id = adjust(world, customer, amount, &params.required("currency")?.to_lowercase(), "adjustment", None);
    world.change(KIND, &id, |transaction| {
        pass_through(transaction, params, &["description"]);
        transaction["metadata"] = metadata(params);
    });
    world.require(KIND, &id, "id").cloned()
}

pub fn list(world: &World, customer: &str, params: &Params) -> Result<Value, StripeError> {
    let url = format!("/v1/customers/{customer}/balance_transactions");
    page(&url, params, &[], world.all(KIND), |transaction| transaction.text("customer") == Some(customer))
}
