//! The subscription as the API shows it.

use serde_json::{Value, json};

use crate::billing::calendar::{Interval, Period};
use crate::world::Fields;

pub const KIND: &str = "subscription";

/// Of all items of a subscription, which share it.
pub fn period_of(subscription: &Value) -> Period {
    let item = subscription.elements("items").first();
    let time = |name: &str| item.map_or(0, |item| item.int(name));
    Period { start: time("current_period_start"), end: time("current_period_end") }
}

/// How often a price is billed.
pub fn interval_of(price: &Value) -> Interval {
    let recurring = &price["recurring"];
    Interval { unit: recurring.text("interval").unwrap_or("month").to_owned(), count: recurring.int_or_none("interval_count").unwrap_or(1) }
}

/// How often a subscription is billed.
pub fn rhythm(items: &[Value]) -> Interval {
    items.first().map_or_else(|| interval_of(&Value::Null), |item| interval_of(&item["price"]))
}

pub fn items_list(subscription: &str, items: Vec<Value>) -> Value {
    json!({
        "object": "list",
        "data": items,
        "has_more": false,
        "url": format!("/v1/subscription_items?subscription={subscription}"),
    })
}

/// What is the same for every new one.
pub fn blank(id: &str, customer: &str, now: i64) -> Value {
    json!({
        "id": id,
        "object": KIND,
        "application": null,
        "application_fee_percent": null,
        "automatic_tax": {"disabled_reason": null, "enabled": false, "liability": null},
        "billing_cycle_anchor": now,
        "billing_cycle_anchor_config": null,
        "billing_mode": {"flexible": {"proration_discounts": "included"}, "type": "flexible", "updated_at": now},
        "billing_schedules": [],
        "billing_thresholds": null,
        "cancel_at": null,
        "cancel_at_period_end": false,
        "canceled_at": null,
        "cancellation_details": {"comment": null, "feedback": null, "feedback_option": null, "reason": null},
        "collection_method": "charge_automatically",
        "created": now,
        "currency": null,
        "customer": customer,
        "customer_account": null,
        "days_until_due": null,
        "default_payment_method": null,
        "default_source": null,
        "default_tax_rates": [],
        "description": null,
        "discounts": [],
        "ended_at": null,
        "invoice_settings": {"account_tax_ids": null, "custom_fields": null, "description": null, "footer": null, "issuer": {"type": "self"}},
        "items": items_list(id, Vec::new()),
        "latest_invoice": null,
        "livemode": false,
        "managed_payments": null,
        "metadata": {},
        "next_pending_invoice_item_invoice": null,
        "on_behalf_of": null,
        "pause_collection": null,
        "payment_settings": {
            "payment_method_options": null,
            "payment_method_types": null,
            "save_default_payment_method": "off",
        },
        "pending_invoice_item_interval": null,
        "pending_setup_intent": null,
        "pending_update": null,
        "schedule": null,
        "start_date": now,
        "status": "incomplete",
        "test_clock": null,
        "transfer_data": null,
        "trial_end": null,
        "trial_settings": {"end_behavior": {"billing_cycle_anchor": null, "missing_payment_method": "create_invoice"}},
        "trial_start": null,
    })
}
