//! What payments mean for a subscription: which of its states it is in.

use serde_json::{Value, json};

use crate::world::{AfterDunning, Fields, World};

const KIND: &str = "subscription";

/// The subscription that an invoice is for.
pub fn subscription_of(invoice: &Value) -> Option<&str> {
    invoice["parent"]["subscription_details"].id_of("subscription")
}

/// An invoice is paid: whoever waited for that goes on.
pub fn paid(world: &mut World, invoice: &Value) {
    if let Some(customer) = invoice.text("customer") {
        set_delinquent(world, customer, false);
    }
    let Some(id) = subscription_of(invoice) else { return };
    let Some(status) = world.get(KIND, id).and_then(|subscription| subscription.text("status")) else { return };
    let is_latest = world.get(KIND, id).and_then(|subscription| subscription.id_of("latest_invoice")) == invoice.text("id");
    if status == "incomplete" || (matches!(status, "past_due" | "unpaid") && is_latest) {
        world.update(KIND, id, "customer.subscription.updated", |subscription| subscription["status"] = json!("active"));
    }
}

/// A payment was refused; `is_last` where no retry follows.
pub fn refused(world: &mut World, invoice: &Value, is_last: bool) {
    if let Some(customer) = invoice.text("customer") {
        set_delinquent(world, customer, true);
    }
    let Some(id) = subscription_of(invoice) else { return };
    if invoice.text("billing_reason") == Some("subscription_create") {
        return;
    }
    match world.get(KIND, id).and_then(|subscription| subscription.text("status")) {
        Some("active" | "trialing" | "past_due") => {}
        _ => return,
    }
    let status = match (is_last, world.settings.after_dunning) {
        (true, AfterDunning::Cancel) => return end(world, id, "payment_failed"),
        (true, AfterDunning::MarkUnpaid) => "unpaid",
        (true, AfterDunning::LeavePastDue) | (false, _) => "past_due",
    };
    world.update(KIND, id, "customer.subscription.updated", |subscription| subscription["status"] = json!(status));
}

/// The subscription is over, now.
pub fn end(world: &mut World, id: &str, reason: &str) {
    let Some(customer) = world.get(KIND, id).and_then(|subscription| subscription.text("customer")) else { return };
    let now = world.now_for(customer);
    world.change(KIND, id, |subscription| {
        subscription["status"] = json!("canceled");
        subscription["ended_at"] = json!(now);
        if subscription["canceled_at"].is_null() {
            subscription["canceled_at"] = json!(now);
        }
        subscription["cancellation_details"]["reason"] = json!(reason);
    });
    world.emit("customer.subscription.deleted", KIND, id);
}

fn set_delinquent(world: &mut World, customer: &str, delinquent: bool) {
    if world.get("customer", customer).is_some_and(|customer| !customer.is("deleted") && customer.is("delinquent") != delinquent) {
        world.update("customer", customer, "customer.updated", |customer| customer["delinquent"] = json!(delinquent));
    }
}
