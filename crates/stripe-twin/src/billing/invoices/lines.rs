//! The lines of invoices: of subscription items, of what they used, and of invoice items.

use serde_json::{Value, json};

use crate::account::catalog::{prices, usage};
use crate::billing::calendar::Period;
use crate::wire::answer::StripeError;
use crate::wire::request::Params;
use crate::world::{Fields, World, page_of};

/// What a line says that differs from line to line.
pub struct Line<'a> {
    pub amount: i64,
    pub currency: &'a str,
    pub description: String,
    pub period: Period,
    pub price: Option<&'a Value>,
    pub quantity: i64,
    pub parent: Value,
    pub subscription: Option<&'a str>,
    pub metadata: Value,
    pub discountable: bool,
}

pub fn compose(world: &mut World, line: &Line<'_>) -> Value {
    let pricing = line.price.map(pricing);
    json!({
        "id": world.new_id("il_", 24),
        "object": "line_item",
        "amount": line.amount,
        "currency": line.currency,
        "description": line.description,
        "discount_amounts": [],
        "discountable": line.discountable,
        "discounts": [],
        "invoice": null,
        "livemode": false,
        "metadata": line.metadata,
        "parent": line.parent,
        "period": {"start": line.period.start, "end": line.period.end},
        "pretax_credit_amounts": [],
        "pricing": pricing,
        "quantity": line.quantity,
        "quantity_decimal": line.quantity.to_string(),
        "subscription": line.subscription,
        "subtotal": line.amount,
        "taxes": [],
    })
}

pub fn pricing(price: &Value) -> Value {
    json!({
        "price_details": {"price": price["id"], "product": price["product"]},
        "type": "price_details",
        "unit_amount_decimal": price["unit_amount_decimal"],
    })
}

/// A licensed item of a subscription, for a period to come.
pub fn of_item(world: &mut World, subscription: &Value, item: &Value, period: Period, is_trial: bool) -> Value {
    let price = &item["price"];
    let quantity = item.int_or_none("quantity").unwrap_or(1);
    let amount = if is_trial { 0 } else { prices::amount_of(price, quantity) };
    let name = product_name(world, price);
    let description = if is_trial { format!("Trial period for {name}") } else { format!("{quantity} × {name} (at {})", tariff(price)) };
    compose_of(world, subscription, item, Counted { amount, quantity, description, period })
}

/// A metered item, for a period that is over or will be.
pub fn of_usage(world: &mut World, subscription: &Value, item: &Value, period: Period) -> Value {
    let price = &item["price"];
    let customer = subscription.text("customer").unwrap_or_default();
    let meter = price["recurring"].text("meter").unwrap_or_default();
    let quantity = usage::units(world, meter, customer, period.start, period.end);
    let amount = prices::amount_of(price, quantity);
    let description = format!("{quantity} × {} (at {})", product_name(world, price), tariff(price));
    compose_of(world, subscription, item, Counted { amount, quantity, description, period })
}

struct Counted {
    amount: i64,
    quantity: i64,
    description: String,
    period: Period,
}

fn compose_of(world: &mut World, subscription: &Value, item: &Value, counted: Counted) -> Value {
    let id = subscription.text("id");
    let line = Line {
        amount: counted.amount,
        currency: item["price"].text("currency").unwrap_or_default(),
        description: counted.description,
        period: counted.period,
        price: Some(&item["price"]),
        quantity: counted.quantity,
        parent: item_parent(id, item.text("id"), None, false),
        subscription: id,
        metadata: item["metadata"].clone(),
        discountable: true,
    };
    compose(world, &line)
}

/// Whose line it is, where it is a subscription item's.
pub fn item_parent(subscription: Option<&str>, item: Option<&str>, invoice_item: Option<&str>, proration: bool) -> Value {
    json!({
        "invoice_item_details": null,
        "subscription_item_details": {
            "invoice_item": invoice_item,
            "proration": proration,
            "proration_details": {"credited_items": null},
            "subscription": subscription,
            "subscription_item": item,
        },
        "type": "subscription_item_details",
    })
}

/// Usage that came while the invoice was a draft counts, as long as it is of the invoice's time.
pub fn refresh_usage(world: &mut World, invoice: &str) {
    let Some(stored) = world.get("invoice", invoice).cloned() else { return };
    let customer = stored.text("customer").unwrap_or_default();
    let mut lines = stored.elements("lines").to_vec();
    for line in &mut lines {
        let price = line["pricing"]["price_details"].text("price").and_then(|price| world.get("price", price)).cloned();
        let Some(price) = price.filter(prices::is_metered) else { continue };
        if line["parent"].text("type") != Some("subscription_item_details") || line["parent"]["subscription_item_details"].is("proration") {
            continue;
        }
        let meter = price["recurring"].text("meter").unwrap_or_default();
        let quantity = usage::units(world, meter, customer, line["period"].int("start"), line["period"].int("end"));
        let amount = prices::amount_of(&price, quantity);
        line["quantity"] = json!(quantity);
        line["quantity_decimal"] = json!(quantity.to_string());
        line["description"] = json!(format!("{quantity} × {} (at {})", product_name(world, &price), tariff(&price)));
        line["amount"] = json!(amount);
        line["subtotal"] = json!(amount);
    }
    world.change("invoice", invoice, |invoice| invoice["lines"]["data"] = Value::Array(lines));
}

pub fn list(world: &World, invoice: &str, params: &Params) -> Result<Value, StripeError> {
    params.only(&["limit", "starting_after", "ending_before"])?;
    let rows = world.require("invoice", invoice, "id")?.elements("lines").to_vec();
    page_of(&format!("/v1/invoices/{invoice}/lines"), params, rows)
}

pub fn product_name(world: &World, price: &Value) -> String {
    let product = price.id_of("product").and_then(|product| world.get("product", product));
    product.and_then(|product| product.text("name")).unwrap_or("Product").to_owned()
}

/// `$20.00 / month`
pub fn tariff(price: &Value) -> String {
    let cents: f64 = price.text("unit_amount_decimal").and_then(|text| text.parse().ok()).unwrap_or(0.0);
    let recurring = &price["recurring"];
    let amount = if cents.fract() == 0.0 { money(cents as i64, price) } else { format!("{} {}", cents / 100.0, currency(price)) };
    match (recurring.text("interval"), recurring.int("interval_count")) {
        (None, _) => amount,
        (Some(unit), 0 | 1) => format!("{amount} / {unit}"),
        (Some(unit), count) => format!("{amount} every {count} {unit}s"),
    }
}

/// As people read it, in the currency of `holder`.
pub fn money(cents: i64, holder: &Value) -> String {
    let sign = if cents < 0 { "-" } else { "" };
    let number = format!("{}.{:02}", cents.abs() / 100, cents.abs() % 100);
    match holder.text("currency") {
        Some("usd") => format!("{sign}${number}"),
        Some("eur") => format!("{sign}€{number}"),
        Some("gbp") => format!("{sign}£{number}"),
        _ => format!("{sign}{number} {}", currency(holder)),
    }
}

fn currency(holder: &Value) -> String {
    holder.text("currency").unwrap_or_default().to_uppercase()
}
