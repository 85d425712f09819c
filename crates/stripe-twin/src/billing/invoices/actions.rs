//! What is done with an invoice: paid, voided, given up, deleted.

use serde_json::{Value, json};

use super::collect::{Collected, collect};
use super::document::KIND;
use super::finalize::{finalize, mark_paid};
use super::{items, payments};
use crate::account::payments::{intents, methods};
use crate::wire::answer::StripeError;
use crate::wire::request::Params;
use crate::world::{Fields, World};

pub fn pay(world: &mut World, id: &str, params: &Params) -> Result<Value, StripeError> {
    params.only(&["forgive", "off_session", "paid_out_of_band", "payment_method"])?;
    require_status(world, id, &["draft", "open", "uncollectible"])?;
    if world.require(KIND, id, "id")?.text("status") == Some("draft") {
        finalize(world, id);
    }
    let invoice = world.require(KIND, id, "id")?.clone();
    if invoice.text("status") == Some("paid") {
        return Ok(invoice);
    }
    if params.flag("paid_out_of_band")? == Some(true) {
        mark_paid(world, id, invoice.int("amount_due"));
        return world.require(KIND, id, "id").cloned();
    }
    let method = params.text("payment_method").map(|method| methods::resolve(world, method, "payment_method")).transpose()?;
    if let (Some(method), Some(customer)) = (&method, invoice.text("customer")) {
        methods::attach(world, method, customer)?;
    }
    match collect(world, id, method.as_deref()) {
        Collected::Paid => world.require(KIND, id, "id").cloned(),
        Collected::Refused { intent, decline } => Err(intents::refused(world, &intent, decline)),
        Collected::NeedsAction => Err(StripeError::needs_action()),
        Collected::NoMethod => Err(StripeError::coded("invoice_no_payment_method_types", NO_METHOD)),
    }
}

pub fn void(world: &mut World, id: &str) -> Result<Value, StripeError> {
    require_status(world, id, &["open", "uncollectible"])?;
    close(world, id, "void", "voided_at");
    world.emit("invoice.voided", KIND, id);
    world.require(KIND, id, "id").cloned()
}

pub fn mark_uncollectible(world: &mut World, id: &str) -> Result<Value, StripeError> {
    require_status(world, id, &["open"])?;
    close(world, id, "uncollectible", "marked_uncollectible_at");
    world.emit("invoice.marked_uncollectible", KIND, id);
    world.require(KIND, id, "id").cloned()
}

/// No mail is sent; the event is.
pub fn send(world: &mut World, id: &str) -> Result<Value, StripeError> {
    require_status(world, id, &["draft", "open"])?;
    if world.require(KIND, id, "id")?.text("status") == Some("draft") {
        finalize(world, id);
    }
    world.emit("invoice.sent", KIND, id);
    world.require(KIND, id, "id").cloned()
}

/// A draft; its invoice items wait for another invoice.
pub fn delete(world: &mut World, id: &str) -> Result<Value, StripeError> {
    require_status(world, id, &["draft"])?;
    for item in world.ids(items::KIND) {
        world.change(items::KIND, &item, |item| {
            if item.text("invoice") == Some(id) {
                item["invoice"] = Value::Null;
            }
        });
    }
    if let Some(invoice) = world.remove(KIND, id) {
        world.emit_object("invoice.deleted", invoice, None);
    }
    Ok(json!({"id": id, "object": KIND, "deleted": true}))
}

const NO_METHOD: &str = "There is no default_payment_method set on this Customer or Invoice. Please set a default_payment_method.";

pub fn require_status(world: &World, id: &str, allowed: &[&str]) -> Result<(), StripeError> {
    let status = world.require(KIND, id, "id")?.text("status").unwrap_or_default();
    if allowed.contains(&status) {
        return Ok(());
    }
    if status == "paid" {
        return Err(StripeError::coded("invoice_already_paid", "Invoice is already paid"));
    }
    Err(StripeError::coded("invoice_not_editable", &format!("This is not possible with an invoice that is {status}.")))
}

fn close(world: &mut World, id: &str, status: &str, transition: &str) {
    let now = world.now_for(world.get(KIND, id).and_then(|invoice| invoice.text("customer")).unwrap_or_default());
    world.change(KIND, id, |invoice| {
        invoice["status"] = json!(status);
        invoice["auto_advance"] = json!(false);
        invoice["next_payment_attempt"] = Value::Null;
        invoice["status_transitions"][transition] = json!(now);
    });
    if status == "void" {
        payments::close(world, id, false);
        if let Some(intent) = payments::intent_of(world, id) {
            intents::abandon(world, &intent, Some("void_invoice"));
        }
    }
}
