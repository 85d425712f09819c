//! What a subscription consists of: prices and quantities.

use serde_json::{Value, json};

use super::document::interval_of;
use crate::account::catalog::prices;
use crate::billing::calendar::Period;
use crate::wire::answer::StripeError;
use crate::wire::request::Params;
use crate::world::{Fields, World, metadata};

/// A price that is wanted, and how much of it.
#[derive(Clone)]
pub struct Item {
    pub price: Value,
    pub quantity: i64,
    pub metadata: Value,
}

/// The parts of a parameter such as `items`.
///
/// # Errors
/// When a price is unknown, not active or not recurring.
pub fn read_items(world: &mut World, parts: &[Params]) -> Result<Vec<Item>, StripeError> {
    let mut items = Vec::new();
    for part in parts {
        part.only(&["price", "price_data", "quantity", "metadata"])?;
        let price = read_price(world, part)?.ok_or_else(|| StripeError::missing_parameter(&part.name("price")))?;
        require_recurring(&price, part)?;
        items.push(Item { quantity: read_quantity(part, &price)?.unwrap_or(1), price, metadata: metadata(part) });
    }
    Ok(items)
}

pub fn read_price(world: &mut World, part: &Params) -> Result<Option<Value>, StripeError> {
    if let Some(data) = part.part("price_data") {
        return prices::create(world, &data).map(Some);
    }
    let Some(id) = part.text("price") else { return Ok(None) };
    let price = world.require("price", id, &part.name("price"))?;
    if !price.is("active") {
        return Err(StripeError::invalid(&part.name("price"), "The price specified is inactive. This field only accepts active prices."));
    }
    Ok(Some(price.clone()))
}

pub fn read_quantity(part: &Params, price: &Value) -> Result<Option<i64>, StripeError> {
    let quantity = part.integer("quantity")?;
    if quantity.is_some() && prices::is_metered(price) {
        return Err(StripeError::invalid(&part.name("quantity"), "Quantity should not be specified where usage_type is metered."));
    }
    if quantity.is_some_and(|quantity| quantity < 0) {
        return Err(StripeError::invalid(&part.name("quantity"), "This value must be greater than or equal to 0."));
    }
    Ok(quantity)
}

pub fn require_recurring(price: &Value, part: &Params) -> Result<(), StripeError> {
    if price["recurring"].is_null() {
        let message = "The price specified is set to `type=one_time` but this field only accepts prices with `type=recurring`.";
        return Err(StripeError::invalid(&part.name("price"), message));
    }
    Ok(())
}

/// All of one rhythm and one currency, and no price twice.
pub fn require_one_rhythm(prices: &[&Value]) -> Result<(), StripeError> {
    let Some(first) = prices.first() else { return Err(StripeError::missing_parameter("items")) };
    if prices.iter().any(|price| interval_of(price) != interval_of(first)) {
        return Err(StripeError::invalid("items", "The twin bills all items of a subscription in the same interval."));
    }
    if prices.iter().any(|price| price["currency"] != first["currency"]) {
        return Err(StripeError::invalid("items", "All prices on a subscription must have the same currency."));
    }
    for (at, price) in prices.iter().enumerate() {
        if prices[..at].iter().any(|other| other["id"] == price["id"]) {
            let id = price.text("id").unwrap_or_default();
            return Err(StripeError::invalid("items", &format!("Cannot add multiple subscription items with the same price: {id}")));
        }
    }
    Ok(())
}

/// As the API shows it.
pub fn document(world: &mut World, item: &Item, subscription: &str, period: Period, now: i64) -> Value {
    let mut document = json!({
        "id": world.new_id("si_", 14),
        "object": "subscription_item",
        "billing_thresholds": null,
        "created": now,
        "current_period_end": period.end,
        "current_period_start": period.start,
        "current_trial": null,
        "discounts": [],
        "metadata": item.metadata,
        "plan": prices::plan(&item.price),
        "price": item.price,
        "subscription": subscription,
        "tax_rates": [],
    });
    if !prices::is_metered(&item.price) {
        document["quantity"] = json!(item.quantity);
    }
    document
}
