//! The invoice itself, as a draft.

use serde_json::{Value, json};

use super::{items, totals};
use crate::account::customers::{balance, tax_ids};
use crate::billing::calendar::Period;
use crate::world::{Fields, World};

pub const KIND: &str = "invoice";

/// What is to be billed, to whom and why.
#[derive(Clone, Default)]
pub struct Draft {
    pub customer: String,
    pub currency: String,
    /// The subscription that it is for, and its metadata.
    pub subscription: Option<(String, Value)>,
    pub reason: &'static str,
    pub period: Option<Period>,
    pub lines: Vec<Value>,
    /// Invoice items that become lines of it.
    pub items: Vec<String>,
    pub discounts: Vec<Value>,
    pub collection_method: Option<String>,
    pub days_until_due: Option<i64>,
    /// Of which nothing is done by itself unless it advances.
    pub auto_advance: bool,
    pub default_payment_method: Value,
}

/// The invoice as it would be; nothing is stored.
pub fn compose(world: &mut World, draft: &Draft) -> Value {
    let now = world.now_for(&draft.customer);
    let customer = world.get("customer", &draft.customer).cloned().unwrap_or_default();
    let period = draft.period.unwrap_or(Period { start: now, end: now });
    let id = world.new_id("in_", 24);
    let mut lines = Vec::new();
    for item in &draft.items {
        lines.extend(items::line(world, item));
    }
    lines.extend(draft.lines.iter().cloned());
    for line in &mut lines {
        line["invoice"] = json!(id);
    }
    let parent = draft.subscription.as_ref().map(|(subscription, metadata)| {
        json!({
            "quote_details": null,
            "subscription_details": {"metadata": metadata, "subscription": subscription},
            "type": "subscription_details",
        })
    });
    let method = draft.collection_method.as_deref().unwrap_or("charge_automatically");
    let mut invoice = json!({
        "id": id,
        "object": KIND,
        "account_country": "US",
        "account_name": "Stripe twin",
        "account_tax_ids": null,
        "amount_due": 0,
        "amount_overpaid": 0,
        "amount_paid": 0,
        "amount_remaining": 0,
        "amount_shipping": 0,
        "application": null,
        "attempt_count": 0,
        "attempted": false,
        "auto_advance": draft.auto_advance,
        "automatic_tax": {"disabled_reason": null, "enabled": false, "liability": null, "provider": null, "status": null},
        "automatically_finalizes_at": if draft.auto_advance { Some(now + world.settings.draft_s) } else { None },
        "billing_reason": draft.reason,
        "collection_method": method,
        "created": now,
        "currency": draft.currency,
        "custom_fields": null,
        "customer": draft.customer,
        "customer_account": null,
        "customer_address": customer["address"],
        "customer_email": customer["email"],
        "customer_name": customer["name"],
        "customer_phone": customer["phone"],
        "customer_shipping": customer["shipping"],
        "customer_tax_exempt": customer["tax_exempt"],
        "customer_tax_ids": tax_ids::of(world, &draft.customer),
        "default_payment_method": draft.default_payment_method,
        "default_source": null,
        "default_tax_rates": [],
        "description": null,
        "discounts": draft.discounts,
        "due_date": draft.days_until_due.map(|days| now + days * 86_400),
        "effective_at": null,
        "ending_balance": null,
        "footer": null,
        "from_invoice": null,
        "hosted_invoice_url": null,
        "invoice_pdf": null,
        "issuer": {"type": "self"},
        "last_finalization_error": null,
        "latest_revision": null,
        "lines": {
            "object": "list",
            "data": lines,
            "has_more": false,
            "url": format!("/v1/invoices/{id}/lines"),
        },
        "livemode": false,
        "metadata": {},
        "next_payment_attempt": null,
        "number": null,
        "on_behalf_of": null,
        "parent": parent,
        "payment_settings": {"default_mandate": null, "payment_method_options": null, "payment_method_types": null},
        "period_end": period.end,
        "period_start": period.start,
        "post_payment_credit_notes_amount": 0,
        "pre_payment_credit_notes_amount": 0,
        "receipt_number": null,
        "rendering": null,
        "shipping_cost": null,
        "shipping_details": null,
        "starting_balance": balance::of(world, &draft.customer),
        "statement_descriptor": null,
        "status": "draft",
        "status_transitions": {"finalized_at": null, "marked_uncollectible_at": null, "paid_at": null, "voided_at": null},
        "subtotal": 0,
        "subtotal_excluding_tax": 0,
        "test_clock": customer["test_clock"],
        "total": 0,
        "total_discount_amounts": [],
        "total_excluding_tax": 0,
        "total_pretax_credit_amounts": [],
        "total_taxes": [],
        "webhooks_delivered_at": null,
    });
    totals::settle(world, &mut invoice);
    invoice
}

/// Stores a composed invoice and takes the invoice items that are its lines.
pub fn issue(world: &mut World, draft: &Draft) -> String {
    let invoice = compose(world, draft);
    let id = invoice.text("id").unwrap_or_default().to_owned();
    for item in &draft.items {
        world.change(items::KIND, item, |item| item["invoice"] = json!(id));
    }
    world.insert(KIND, invoice);
    if let Some((subscription, _)) = &draft.subscription {
        world.change("subscription", subscription, |subscription| subscription["latest_invoice"] = json!(id));
    }
    world.emit("invoice.created", KIND, &id);
    id
}

/// Adds up the lines of a draft anew.
pub fn refresh(world: &mut World, id: &str) {
    let Some(mut invoice) = world.get(KIND, id).cloned() else { return };
    invoice["starting_balance"] = json!(balance::of(world, invoice.text("customer").unwrap_or_default()));
    totals::settle(world, &mut invoice);
    world.change(KIND, id, |stored| *stored = invoice);
}
