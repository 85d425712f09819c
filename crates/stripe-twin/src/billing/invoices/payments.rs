//! Which payment belongs to which invoice.

use serde_json::{Value, json};

use crate::account::payments::intents;
use crate::wire::answer::StripeError;
use crate::wire::request::Params;
use crate::world::{Fields, World, page};

const KIND: &str = "invoice_payment";

/// Opens the payment that an invoice waits for.
pub fn open(world: &mut World, invoice: &str) -> String {
    let stored = world.get("invoice", invoice).cloned().unwrap_or_default();
    let description = match stored.text("billing_reason") {
        Some("subscription_create") => "Subscription creation",
        Some("manual") => "Payment for Invoice",
        _ => "Subscription update",
    };
    let wanted = intents::Wanted {
        amount: stored.int("amount_due"),
        currency: stored.text("currency").unwrap_or_default(),
        customer: stored.text("customer"),
        description: Some(description),
    };
    let intent = intents::open(world, &wanted);
    let id = world.new_id("inpay_", 24);
    let payment = json!({
        "id": id,
        "object": KIND,
        "amount_paid": null,
        "amount_requested": stored["amount_due"],
        "created": world.now_for(stored.text("customer").unwrap_or_default()),
        "currency": stored["currency"],
        "invoice": invoice,
        "is_default": true,
        "livemode": false,
        "payment": {"payment_intent": intent, "type": "payment_intent"},
        "status": "open",
        "status_transitions": {"canceled_at": null, "paid_at": null},
    });
    world.insert(KIND, payment);
    intent
}

/// The intent that pays an invoice.
pub fn intent_of(world: &World, invoice: &str) -> Option<String> {
    let payment = world.all(KIND).into_iter().find(|payment| payment.text("invoice") == Some(invoice))?;
    payment["payment"].text("payment_intent").map(str::to_owned)
}

/// The invoice that an intent pays.
pub fn invoice_of(world: &World, intent: &str) -> Option<String> {
    let payment = world.all(KIND).into_iter().find(|payment| payment["payment"].text("payment_intent") == Some(intent))?;
    payment.text("invoice").map(str::to_owned)
}

pub fn close(world: &mut World, invoice: &str, paid: bool) {
    let Some(payment) = world.all(KIND).into_iter().find(|payment| payment.text("invoice") == Some(invoice)) else { return };
    let id = payment.text("id").unwrap_or_default().to_owned();
    let now = world.get("invoice", invoice).and_then(|invoice| invoice.text("customer")).map_or(0, |customer| world.now_for(customer));
    world.change(KIND, &id, |payment| {
        payment["status"] = json!(if paid { "paid" } else { "canceled" });
        payment["status_transitions"][if paid { "paid_at" } else { "canceled_at" }] = json!(now);
        payment["amount_paid"] = if paid { payment["amount_requested"].clone() } else { Value::Null };
    });
    if paid {
        world.emit("invoice_payment.paid", KIND, &id);
    }
}

/// As `payments` of an invoice shows them.
pub fn of(world: &World, invoice: &str) -> Value {
    let theirs: Vec<_> = world.all(KIND).into_iter().filter(|payment| payment.text("invoice") == Some(invoice)).collect();
    json!({"object": "list", "data": theirs, "has_more": false, "url": format!("/v1/invoice_payments?invoice={invoice}")})
}

pub fn retrieve(world: &World, id: &str) -> Result<Value, StripeError> {
    world.require(KIND, id, "id").cloned()
}

pub fn list(world: &World, params: &Params) -> Result<Value, StripeError> {
    let payment = params.part_or_empty("payment");
    page("/v1/invoice_payments", params, &["invoice", "payment", "status"], world.all(KIND), |row| {
        ["invoice", "status"].iter().all(|name| params.text(name).is_none_or(|wanted| row.text(name) == Some(wanted)))
            && payment.text("payment_intent").is_none_or(|wanted| row["payment"].text("payment_intent") == Some(wanted))
    })
}
