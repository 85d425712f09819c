//! Changing a subscription that runs.

use serde_json::{Value, json};

use super::document::{self, KIND, period_of, rhythm};
use super::revision::{Revision, revise};
use crate::account::catalog::{coupons, prices};
use crate::account::payments::methods;
use crate::billing::calendar::Period;
use crate::billing::invoices::collect::{collect, method_for};
use crate::billing::invoices::items::{Proration, of_proration, pending};
use crate::billing::invoices::{self, Draft, lines};
use crate::wire::answer::StripeError;
use crate::wire::request::Params;
use crate::world::{Fields, World, merge_metadata, pass_through};

const PARAMS: [&str; 19] = [
    "billing_cycle_anchor",
    "cancel_at",
    "cancel_at_period_end",
    "cancellation_details",
    "collection_method",
    "days_until_due",
    "default_payment_method",
    "description",
    "discounts",
    "items",
    "metadata",
    "off_session",
    "payment_behavior",
    "payment_settings",
    "proration_behavior",
    "proration_date",
    "trial_end",
    "trial_settings",
    "automatic_tax",
];

pub fn update(world: &mut World, id: &str, params: &Params) -> Result<Value, StripeError> {
    params.only(&PARAMS)?;
    if params.part_or_empty("automatic_tax").flag("enabled")? == Some(true) {
        return Err(StripeError::unknown_parameter("automatic_tax"));
    }
    let before = world.require(KIND, id, "id")?.clone();
    let changes_more = params.names().any(|name| !matches!(name, "metadata" | "cancellation_details" | "expand"));
    if let (true, Some(status @ ("canceled" | "incomplete_expired"))) = (changes_more, before.text("status")) {
        let message = format!("A subscription that is {status} can only update its cancellation_details and metadata.");
        return Err(StripeError::invalid("id", &message));
    }
    params.choice("proration_behavior", &["always_invoice", "create_prorations", "none"])?;
    params.choice("payment_behavior", &["allow_incomplete", "default_incomplete", "error_if_incomplete"])?;
    if let Some(method) = params.text("default_payment_method") {
        world.require("payment_method", method, "default_payment_method")?;
    }
    let moves = ["items", "billing_cycle_anchor", "trial_end"].iter().any(|name| params.has(name));
    let revision = if moves { Some(revise(world, &before, params)?) } else { None };
    let mut after = before.clone();
    set_fields(world, &mut after, params)?;
    if let Some(revision) = &revision {
        set_items(world, &mut after, revision, params)?;
        check_payment(world, &before, &after, revision, params)?;
    }
    if params.has("discounts") {
        let wanted = coupons::wanted(world, params)?;
        let customer = before.text("customer").unwrap_or_default().to_owned();
        after["discounts"] = json!(coupons::redeem(world, &wanted, &customer, id));
    }
    world.change(KIND, id, |subscription| *subscription = after);
    let invoice = revision.and_then(|revision| bill(world, id, &revision, params));
    world.emit_change("customer.subscription.updated", KIND, id, &before);
    if let Some(invoice) = invoice {
        invoices::finalize(world, &invoice);
        let charges = world.get("invoice", &invoice).is_some_and(|invoice| {
            invoice.text("status") == Some("open") && invoice.text("collection_method") == Some("charge_automatically")
        });
        if charges && params.text("payment_behavior") != Some("default_incomplete") {
            collect(world, &invoice, None);
        }
    }
    world.require(KIND, id, "id").cloned()
}

fn set_fields(world: &World, after: &mut Value, params: &Params) -> Result<(), StripeError> {
    let now = world.now_for(after.text("customer").unwrap_or_default());
    pass_through(after, params, &["default_payment_method", "description"]);
    pass_through(&mut after["payment_settings"], &params.part_or_empty("payment_settings"), &["save_default_payment_method"]);
    merge_metadata(&mut after["metadata"], params);
    if let Some(method) = params.choice("collection_method", &["charge_automatically", "send_invoice"])? {
        after["collection_method"] = json!(method);
    }
    if let Some(days) = params.integer("days_until_due")? {
        after["days_until_due"] = json!(days);
    }
    if let Some(details) = params.part("cancellation_details") {
        pass_through(&mut after["cancellation_details"], &details, &["comment", "feedback"]);
    }
    if let Some(behavior) = params.part_or_empty("trial_settings").part_or_empty("end_behavior").text("missing_payment_method") {
        after["trial_settings"]["end_behavior"]["missing_payment_method"] = json!(behavior);
    }
    let at_end = params.flag("cancel_at_period_end")?;
    if let Some(at_end) = at_end {
        after["cancel_at_period_end"] = json!(at_end);
        after["cancel_at"] = if at_end { json!(period_of(after).end) } else { Value::Null };
    }
    if params.has("cancel_at") {
        after["cancel_at"] = json!(params.integer("cancel_at")?);
    }
    if at_end.is_some() || params.has("cancel_at") {
        let cancels = !after["cancel_at"].is_null();
        after["canceled_at"] = if cancels { json!(now) } else { Value::Null };
        after["cancellation_details"]["reason"] = if cancels { json!("cancellation_requested") } else { Value::Null };
    }
    Ok(())
}

/// The items afterwards, and the period where it begins anew.
fn set_items(world: &World, after: &mut Value, revision: &Revision, params: &Params) -> Result<(), StripeError> {
    let now = world.now_for(after.text("customer").unwrap_or_default());
    let mut items = revision.items.clone();
    if revision.restarts {
        let end = rhythm(&items).end(now, now);
        move_period(&mut items, Period { start: now, end });
        after["billing_cycle_anchor"] = json!(now);
        if after.text("status") == Some("trialing") {
            after["trial_end"] = json!(now);
            after["status"] = json!("active");
        }
    } else if params.text("trial_end").is_some() {
        let end = params.integer("trial_end")?.filter(|end| *end > now);
        let end = end.ok_or_else(|| StripeError::invalid("trial_end", "Invalid timestamp: must be in the future."))?;
        if after.text("status") != Some("trialing") {
            return Err(StripeError::invalid("trial_end", "The twin moves the end of trials that run, and begins none later."));
        }
        let start = period_of(after).start;
        move_period(&mut items, Period { start, end });
        after["trial_end"] = json!(end);
        after["billing_cycle_anchor"] = json!(end);
    }
    if after.is("cancel_at_period_end") {
        after["cancel_at"] = items.first().map_or(Value::Null, |item| item["current_period_end"].clone());
    }
    let id = after.text("id").unwrap_or_default().to_owned();
    after["items"] = document::items_list(&id, items);
    Ok(())
}

fn move_period(items: &mut [Value], period: Period) {
    for item in items {
        item["current_period_start"] = json!(period.start);
        item["current_period_end"] = json!(period.end);
    }
}

/// `error_if_incomplete`: a change that cannot be paid for is none.
fn check_payment(world: &World, before: &Value, after: &Value, revision: &Revision, params: &Params) -> Result<(), StripeError> {
    if params.text("payment_behavior") != Some("error_if_incomplete") || !is_billed_at_once(revision, params) {
        return Ok(());
    }
    let licensed = revision.items.iter().filter(|item| revision.restarts && !prices::is_metered(&item["price"]));
    let whole: i64 = licensed.map(|item| prices::amount_of(&item["price"], item.int_or_none("quantity").unwrap_or(1))).sum();
    let due = whole + revision.prorations.iter().chain(&revision.usage).map(|one| one.amount).sum::<i64>();
    let meant = json!({"customer": before["customer"], "default_payment_method": after["default_payment_method"]});
    match method_for(world, &meant).and_then(|method| methods::refusal(world, &method)) {
        Some(decline) if due > 0 => Err(StripeError::declined(decline, json!({}))),
        _ => Ok(()),
    }
}

fn is_billed_at_once(revision: &Revision, params: &Params) -> bool {
    revision.restarts || params.text("proration_behavior") == Some("always_invoice")
}

/// Prorations become invoice items. Answers the invoice that takes them at once, if one does.
fn bill(world: &mut World, id: &str, revision: &Revision, params: &Params) -> Option<String> {
    let subscription = world.get(KIND, id)?.clone();
    let customer = subscription.text("customer").unwrap_or_default().to_owned();
    let now = world.now_for(&customer);
    for proration in revision.prorations.iter().chain(&revision.usage) {
        of_proration(world, &customer, proration);
    }
    note_billed_usage(world, &revision.usage, revision, now);
    if !is_billed_at_once(revision, params) {
        return None;
    }
    let draft = draft(world, &subscription, revision.restarts, Vec::new());
    if draft.lines.is_empty() && draft.items.is_empty() {
        return None;
    }
    Some(invoices::issue(world, &draft))
}

/// Usage before a change is billed with it; what comes later is another matter.
fn note_billed_usage(world: &mut World, billed: &[Proration], revision: &Revision, now: i64) {
    let replaced = billed.iter().map(|one| (one.item.clone(), one.period.end));
    let metered = revision.items.iter().filter(|item| prices::is_metered(&item["price"]) && item.int("created") == now);
    let added = metered.filter_map(|item| Some((item.text("id")?.to_owned(), now)));
    let moments: Vec<_> = replaced.chain(added).collect();
    world.secrets.usage_billed_until.extend(moments);
}

/// What a change bills at once: what waits, and the whole new period where one begins.
pub fn draft(world: &mut World, subscription: &Value, restarts: bool, extra_lines: Vec<Value>) -> Draft {
    let id = subscription.text("id").unwrap_or_default();
    let customer = subscription.text("customer").unwrap_or_default().to_owned();
    let currency = subscription.text("currency").unwrap_or_default().to_owned();
    let mut composed = extra_lines;
    if restarts {
        let period = period_of(subscription);
        for item in subscription.elements("items").iter().filter(|item| !prices::is_metered(&item["price"])) {
            composed.push(lines::of_item(world, subscription, item, period, false));
        }
    }
    Draft {
        items: pending(world, &customer, &currency, Some(id)),
        customer,
        currency,
        subscription: Some((id.to_owned(), subscription["metadata"].clone())),
        reason: "subscription_update",
        period: Some(period_of(subscription)),
        lines: composed,
        discounts: subscription.elements("discounts").to_vec(),
        collection_method: subscription.text("collection_method").map(str::to_owned),
        days_until_due: subscription.int_or_none("days_until_due"),
        auto_advance: true,
        default_payment_method: Value::Null,
    }
}
