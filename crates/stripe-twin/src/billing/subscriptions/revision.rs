//! What a change of a subscription comes to: its items afterwards, and what is given back and charged for the rest of the period.

use serde_json::{Value, json};

use super::document::{interval_of, period_of};
use super::items::{self, Item};
use crate::account::catalog::{prices, usage};
use crate::billing::calendar::{Period, day};
use crate::billing::invoices::items::Proration;
use crate::billing::invoices::lines::product_name;
use crate::wire::answer::StripeError;
use crate::wire::request::Params;
use crate::world::{Fields, World, merge_metadata, metadata};

pub struct Revision {
    pub items: Vec<Value>,
    /// Empty where nothing is to be prorated.
    pub prorations: Vec<Proration>,
    /// Usage of items that are no more.
    pub usage: Vec<Proration>,
    /// The period begins anew, and all of it is charged.
    pub restarts: bool,
}

/// How a subscription stands before a change.
struct Before<'a> {
    subscription: &'a Value,
    period: Period,
    /// The second from which on the change counts.
    at: i64,
    is_trial: bool,
}

/// Reads `items` and what else moves the period.
///
/// # Errors
/// When an item or a price does not exist, or they do not go together.
pub fn revise(world: &mut World, subscription: &Value, params: &Params) -> Result<Revision, StripeError> {
    let now = world.now_for(subscription.text("customer").unwrap_or_default());
    let period = period_of(subscription);
    let at = params.integer("proration_date")?.unwrap_or(now);
    if at < period.start || at > period.end {
        let message = "Cannot specify `proration_date` outside of the current period.";
        return Err(StripeError::invalid("proration_date", message));
    }
    let is_trial = subscription.text("status") == Some("trialing");
    let before = Before { subscription, period, at, is_trial };
    let old = subscription.elements("items").to_vec();
    let mut items = old.clone();
    for part in params.parts("items") {
        apply(world, &before, &mut items, &part)?;
    }
    items::require_one_rhythm(&items.iter().map(|item| &item["price"]).collect::<Vec<_>>())?;
    let interval_changed =
        old.first().zip(items.first()).is_some_and(|(old, new)| interval_of(&old["price"]) != interval_of(&new["price"]));
    let anchor = params.part_or_empty("billing_cycle_anchor");
    let ends_trial = is_trial && params.text("trial_end") == Some("now");
    let restarts = ends_trial || (!is_trial && (interval_changed || anchor.text("type") == Some("now")));
    let mut revision = Revision { items, prorations: Vec::new(), usage: Vec::new(), restarts };
    for item in &old {
        let after = revision.items.iter().find(|after| after["id"] == item["id"]).cloned();
        compare(world, &before, item, after.as_ref(), &mut revision);
    }
    let added: Vec<_> = revision.items.iter().filter(|item| !old.iter().any(|before| before["id"] == item["id"])).cloned().collect();
    for item in added.iter().filter(|_| !restarts) {
        revision.prorations.extend(charge(world, &before, item));
    }
    if is_trial || params.text("proration_behavior") == Some("none") {
        revision.prorations.clear();
    }
    Ok(revision)
}

/// One part of `items`: it changes an item, takes it away, or adds one.
fn apply(world: &mut World, before: &Before<'_>, items: &mut Vec<Value>, part: &Params) -> Result<(), StripeError> {
    part.only(&["id", "price", "price_data", "quantity", "metadata", "deleted", "clear_usage"])?;
    let price = items::read_price(world, part)?;
    if let Some(price) = &price {
        items::require_recurring(price, part)?;
    }
    let Some(id) = part.text("id") else {
        let price = price.ok_or_else(|| StripeError::missing_parameter(&part.name("price")))?;
        let quantity = items::read_quantity(part, &price)?.unwrap_or(1);
        let item = Item { price, quantity, metadata: metadata(part) };
        let subscription = before.subscription.text("id").unwrap_or_default();
        items.push(items::document(world, &item, subscription, before.period, before.at));
        return Ok(());
    };
    let place = items.iter().position(|item| item.text("id") == Some(id));
    let place = place.ok_or_else(|| StripeError::missing("subscription_item", id, &part.name("id")))?;
    if part.flag("deleted")? == Some(true) {
        items.remove(place);
        return Ok(());
    }
    let item = &mut items[place];
    let price = price.unwrap_or_else(|| item["price"].clone());
    let quantity = items::read_quantity(part, &price)?;
    item["plan"] = prices::plan(&price);
    if prices::is_metered(&price) {
        item.as_object_mut().map(|fields| fields.remove("quantity"));
    } else {
        item["quantity"] = json!(quantity.or(item.int_or_none("quantity")).unwrap_or(1));
    }
    item["price"] = price;
    merge_metadata(&mut item["metadata"], part);
    Ok(())
}

/// What an item that was there leaves behind.
fn compare(world: &World, before: &Before<'_>, item: &Value, after: Option<&Value>, revision: &mut Revision) {
    let is_same_price = after.is_some_and(|after| after["price"]["id"] == item["price"]["id"]);
    if prices::is_metered(&item["price"]) {
        if !is_same_price && !before.is_trial {
            revision.usage.extend(used(world, before, item));
        }
    } else if revision.restarts || !is_same_price || after.is_some_and(|after| after["quantity"] != item["quantity"]) {
        revision.prorations.extend(give_back(world, before, item));
    }
    let changed = after.filter(|after| !is_same_price || after["quantity"] != item["quantity"]);
    if let Some(after) = changed.filter(|_| !revision.restarts) {
        revision.prorations.extend(charge(world, before, after));
    }
}

/// Unused time of a licensed item.
pub fn give_back_item(world: &World, subscription: &Value, item: &Value, at: i64) -> Option<Proration> {
    let before = Before { subscription, period: period_of(subscription), at, is_trial: false };
    give_back(world, &before, item)
}

fn give_back(world: &World, before: &Before<'_>, item: &Value) -> Option<Proration> {
    rest(world, before, item, -1, "Unused")
}

/// Remaining time of a licensed item.
fn charge(world: &World, before: &Before<'_>, item: &Value) -> Option<Proration> {
    rest(world, before, item, 1, "Remaining")
}

fn rest(world: &World, before: &Before<'_>, item: &Value, sign: i64, word: &str) -> Option<Proration> {
    let price = &item["price"];
    if prices::is_metered(price) {
        return None;
    }
    let quantity = item.int_or_none("quantity").unwrap_or(1);
    let times = if quantity == 1 { String::new() } else { format!("{quantity} × ") };
    Some(Proration {
        amount: before.period.rest_of(sign * prices::amount_of(price, quantity), before.at),
        description: format!("{word} time on {times}{} after {}", product_name(world, price), day(before.at)),
        period: Period { start: before.at, end: before.period.end },
        price: price.clone(),
        quantity,
        subscription: before.subscription.text("id").unwrap_or_default().to_owned(),
        item: item.text("id").unwrap_or_default().to_owned(),
    })
}

/// What a metered item has used up to the change.
fn used(world: &World, before: &Before<'_>, item: &Value) -> Option<Proration> {
    let id = item.text("id").unwrap_or_default();
    let from = world.secrets.usage_billed_until.get(id).copied().unwrap_or(before.period.start).max(before.period.start);
    let price = &item["price"];
    let customer = before.subscription.text("customer").unwrap_or_default();
    let units = usage::units(world, price["recurring"].text("meter").unwrap_or_default(), customer, from, before.at);
    (units > 0).then(|| Proration {
        amount: prices::amount_of(price, units),
        description: format!("{units} × {}", product_name(world, price)),
        period: Period { start: from, end: before.at },
        price: price.clone(),
        quantity: units,
        subscription: before.subscription.text("id").unwrap_or_default().to_owned(),
        item: id.to_owned(),
    })
}
