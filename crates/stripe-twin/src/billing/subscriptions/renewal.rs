//! A period is over and the next one begins: its items are billed ahead, what meters counted is billed behind.

use serde_json::{Value, json};

use super::create::drop_used_discounts;
use super::document::{KIND, period_of, rhythm};
use crate::account::catalog::prices;
use crate::billing::calendar::Period;
use crate::billing::invoices::{self, Draft, items, lines};
use crate::world::{Fields, World};

/// The invoice is a draft, which is finalized when its time has come.
pub fn renew(world: &mut World, id: &str) {
    let Some(before) = world.get(KIND, id).cloned() else { return };
    let old = period_of(&before);
    let next = next_period(&before);
    let draft = draft(world, &before, next);
    world.change(KIND, id, |subscription| {
        if let Some(items) = subscription["items"]["data"].as_array_mut() {
            for item in items {
                item["current_period_start"] = json!(next.start);
                item["current_period_end"] = json!(next.end);
            }
        }
        if subscription.text("status") == Some("trialing") {
            subscription["status"] = json!("active");
        }
    });
    drop_ended_discounts(world, id, old.end);
    let invoice = invoices::issue(world, &draft);
    drop_used_discounts(world, id, &invoice);
    let metered = before.elements("items").iter().filter(|item| prices::is_metered(&item["price"]));
    let billed: Vec<_> = metered.filter_map(|item| Some((item.text("id")?.to_owned(), old.end))).collect();
    world.secrets.usage_billed_until.extend(billed);
    world.emit_change("customer.subscription.updated", KIND, id, &before);
    if world.get(KIND, id).and_then(|subscription| subscription.text("collection_method")) == Some("send_invoice") {
        return;
    }
    // Of a subscription that is unpaid, invoices stay drafts.
    if before.text("status") == Some("unpaid") {
        world.change("invoice", &invoice, |invoice| {
            invoice["auto_advance"] = json!(false);
            invoice["automatically_finalizes_at"] = Value::Null;
        });
    }
}

pub fn next_period(subscription: &Value) -> Period {
    let start = period_of(subscription).end;
    let end = rhythm(subscription.elements("items")).end(subscription.int("billing_cycle_anchor"), start);
    Period { start, end }
}

/// What the renewal bills.
pub fn draft(world: &mut World, subscription: &Value, next: Period) -> Draft {
    let id = subscription.text("id").unwrap_or_default();
    let customer = subscription.text("customer").unwrap_or_default().to_owned();
    let currency = subscription.text("currency").unwrap_or_default().to_owned();
    let old = period_of(subscription);
    let was_trial = subscription.text("status") == Some("trialing");
    let mut composed = Vec::new();
    for item in subscription.elements("items") {
        if !prices::is_metered(&item["price"]) {
            composed.push(lines::of_item(world, subscription, item, next, false));
        } else if !was_trial {
            let billed = item.text("id").and_then(|item| world.secrets.usage_billed_until.get(item).copied());
            let start = billed.unwrap_or(old.start).max(old.start);
            composed.push(lines::of_usage(world, subscription, item, Period { start, end: old.end }));
        }
    }
    Draft {
        items: items::pending(world, &customer, &currency, Some(id)),
        customer,
        currency,
        subscription: Some((id.to_owned(), subscription["metadata"].clone())),
        reason: "subscription_cycle",
        period: Some(old),
        lines: composed,
        discounts: subscription.elements("discounts").to_vec(),
        collection_method: subscription.text("collection_method").map(str::to_owned),
        days_until_due: subscription.int_or_none("days_until_due"),
        auto_advance: true,
        default_payment_method: Value::Null,
    }
}

fn drop_ended_discounts(world: &mut World, id: &str, now: i64) {
    let runs = |discount: &Value| {
        let stored = discount.as_str().and_then(|id| world.get("discount", id));
        stored.is_none_or(|discount| discount.int_or_none("end").is_none_or(|end| end > now))
    };
    let kept: Vec<Value> = world.get(KIND, id).map(|subscription| subscription.elements("discounts")).unwrap_or_default().to_vec();
    let kept: Vec<Value> = kept.into_iter().filter(runs).collect();
    world.change(KIND, id, |subscription| subscription["discounts"] = json!(kept));
}
