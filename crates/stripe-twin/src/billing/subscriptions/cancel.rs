//! The end of a subscription: now, or with its period.

use serde_json::{Value, json};

use super::document::{KIND, period_of};
use super::revision::give_back_item;
use crate::account::catalog::prices;
use crate::billing::calendar::Period;
use crate::billing::invoices::collect::collect;
use crate::billing::invoices::{self, Draft, items, lines};
use crate::billing::standing;
use crate::wire::answer::StripeError;
use crate::wire::request::Params;
use crate::world::{Fields, World, pass_through};

pub fn cancel(world: &mut World, id: &str, params: &Params) -> Result<Value, StripeError> {
    params.only(&["cancellation_details", "invoice_now", "prorate"])?;
    let subscription = world.require(KIND, id, "id")?.clone();
    if let Some("canceled" | "incomplete_expired") = subscription.text("status") {
        return Err(StripeError::missing(KIND, id, "id"));
    }
    let now = world.now_for(subscription.text("customer").unwrap_or_default());
    let runs = matches!(subscription.text("status"), Some("active" | "past_due"));
    if params.flag("prorate")? == Some(true) && runs {
        for item in subscription.elements("items") {
            if let Some(proration) = give_back_item(world, &subscription, item, now) {
                items::of_proration(world, subscription.text("customer").unwrap_or_default(), &proration);
            }
        }
    }
    if let Some(details) = params.part("cancellation_details") {
        world.change(KIND, id, |subscription| {
            pass_through(&mut subscription["cancellation_details"], &details, &["comment", "feedback"]);
        });
    }
    let invoice = if params.flag("invoice_now")? == Some(true) { final_invoice(world, &subscription, now) } else { None };
    standing::end(world, id, "cancellation_requested");
    stop_dunning(world, id);
    if let Some(invoice) = invoice {
        settle(world, &invoice);
    }
    world.require(KIND, id, "id").cloned()
}

/// The period is over, and no other follows it.
pub fn end_at_period_end(world: &mut World, id: &str) {
    let Some(subscription) = world.get(KIND, id).cloned() else { return };
    let end = period_of(&subscription).end;
    let invoice = if subscription.text("status") == Some("trialing") { None } else { final_invoice(world, &subscription, end) };
    standing::end(world, id, "cancellation_requested");
    if let Some(invoice) = invoice {
        settle(world, &invoice);
    }
}

/// Of usage that nobody has billed, and of what waits. `None` where there is neither.
fn final_invoice(world: &mut World, subscription: &Value, until: i64) -> Option<String> {
    let id = subscription.text("id")?;
    let customer = subscription.text("customer")?.to_owned();
    let currency = subscription.text("currency")?.to_owned();
    let period = period_of(subscription);
    let mut used = Vec::new();
    for item in subscription.elements("items").iter().filter(|item| prices::is_metered(&item["price"])) {
        let from = world.secrets.usage_billed_until.get(item.text("id")?).copied().unwrap_or(period.start).max(period.start);
        let line = lines::of_usage(world, subscription, item, Period { start: from, end: until });
        if line.int("quantity") > 0 {
            used.push(line);
        }
    }
    let waiting = items::pending(world, &customer, &currency, Some(id));
    if used.is_empty() && waiting.is_empty() {
        return None;
    }
    let draft = Draft {
        customer,
        currency,
        subscription: Some((id.to_owned(), subscription["metadata"].clone())),
        reason: "subscription_cycle",
        period: Some(Period { start: period.start, end: until }),
        lines: used,
        items: waiting,
        auto_advance: true,
        default_payment_method: subscription["default_payment_method"].clone(),
        ..Draft::default()
    };
    Some(invoices::issue(world, &draft))
}

fn settle(world: &mut World, invoice: &str) {
    invoices::finalize(world, invoice);
    if world.get("invoice", invoice).and_then(|invoice| invoice.text("status")) == Some("open") {
        collect(world, invoice, None);
    }
}

/// Open invoices of a subscription that is over are tried no more by themselves.
fn stop_dunning(world: &mut World, id: &str) {
    for invoice in world.ids("invoice") {
        world.change("invoice", &invoice, |invoice| {
            if standing::subscription_of(invoice) == Some(id) && invoice.text("status") == Some("open") {
                invoice["auto_advance"] = json!(false);
                invoice["next_payment_attempt"] = Value::Null;
            }
        });
    }
}
