//! `/v1/invoices` and `/v1/invoiceitems`, but for what [`super::actions`] does.

use serde_json::{Value, json};

use super::actions::require_status;
use super::document::{Draft, KIND, issue, refresh};
use super::{finalize, items, payments};
use crate::wire::answer::StripeError;
use crate::wire::request::Params;
use crate::world::{Fields, World, merge_metadata, metadata, page, pass_through};

const TEXTS: [&str; 4] = ["default_payment_method", "description", "footer", "statement_descriptor"];

/// A draft of what waits for the customer, or an empty one.
pub fn create(world: &mut World, params: &Params) -> Result<Value, StripeError> {
    let known = ["auto_advance", "collection_method", "currency", "customer", "days_until_due", "metadata", "subscription"];
    params.only(&[&known[..], &TEXTS, &["pending_invoice_items_behavior"]].concat())?;
    let customer = params.required("customer")?;
    let stored = world.require("customer", customer, "customer")?;
    let known_currency = params.text("currency").or_else(|| stored.text("currency")).unwrap_or("usd");
    let subscription = params.text("subscription");
    let of = subscription.map(|id| world.require("subscription", id, "subscription")).transpose()?;
    let currency = of.and_then(|subscription| subscription.text("currency")).unwrap_or(known_currency).to_lowercase();
    let of = of.map(|subscription| (subscription.text("id").unwrap_or_default().to_owned(), subscription["metadata"].clone()));
    let includes = subscription.is_some() || params.text("pending_invoice_items_behavior") == Some("include");
    let method = params.choice("collection_method", &["charge_automatically", "send_invoice"])?;
    let draft = Draft {
        customer: customer.to_owned(),
        items: if includes { items::pending(world, customer, &currency, subscription) } else { Vec::new() },
        currency,
        subscription: of,
        reason: "manual",
        collection_method: method.map(str::to_owned),
        days_until_due: params.integer("days_until_due")?,
        auto_advance: params.flag("auto_advance")?.unwrap_or(false),
        ..Draft::default()
    };
    let id = issue(world, &draft);
    world.change(KIND, &id, |invoice| {
        invoice["metadata"] = metadata(params);
        pass_through(invoice, params, &TEXTS);
    });
    retrieve(world, &id)
}

pub fn retrieve(world: &World, id: &str) -> Result<Value, StripeError> {
    world.require(KIND, id, "id").cloned()
}

pub fn update(world: &mut World, id: &str, params: &Params) -> Result<Value, StripeError> {
    params.only(&[&TEXTS[..], &["auto_advance", "metadata"]].concat())?;
    world.require(KIND, id, "id")?;
    let advance = params.flag("auto_advance")?;
    world.update(KIND, id, "invoice.updated", |invoice| {
        pass_through(invoice, params, &TEXTS);
        merge_metadata(&mut invoice["metadata"], params);
        if let Some(advance) = advance {
            invoice["auto_advance"] = json!(advance);
        }
    });
    retrieve(world, id)
}

pub fn finalize_draft(world: &mut World, id: &str, params: &Params) -> Result<Value, StripeError> {
    params.only(&["auto_advance"])?;
    require_status(world, id, &["draft"])?;
    if let Some(advance) = params.flag("auto_advance")? {
        world.change(KIND, id, |invoice| invoice["auto_advance"] = json!(advance));
    }
    finalize(world, id);
    retrieve(world, id)
}

pub fn list(world: &World, params: &Params) -> Result<Value, StripeError> {
    let filters = ["collection_method", "customer", "status", "subscription"];
    page("/v1/invoices", params, &filters, world.all(KIND), |invoice| {
        let subscription = invoice["parent"]["subscription_details"].id_of("subscription");
        ["collection_method", "customer", "status"]
            .iter()
            .all(|name| params.text(name).is_none_or(|wanted| invoice.text(name) == Some(wanted)))
            && params.text("subscription").is_none_or(|wanted| subscription == Some(wanted))
    })
}

/// An invoice item; on a draft, if one is named.
pub fn create_item(world: &mut World, params: &Params) -> Result<Value, StripeError> {
    let item = items::create(world, params)?;
    if let Some(invoice) = item.text("invoice") {
        refresh(world, invoice);
    }
    Ok(item)
}

/// What is shown only where it is asked for: how the invoice is paid.
pub fn included(world: &World, invoice: &Value, name: &str) -> Option<Value> {
    let id = invoice.text("id")?;
    match name {
        "payments" => Some(payments::of(world, id)),
        "confirmation_secret" => {
            let intent = payments::intent_of(world, id).and_then(|intent| world.get("payment_intent", &intent));
            Some(intent.map_or(Value::Null, |intent| json!({"client_secret": intent["client_secret"], "type": "payment_intent"})))
        }
        _ => None,
    }
}
