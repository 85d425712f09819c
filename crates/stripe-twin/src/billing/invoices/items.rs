//! Invoice items: what is to be on the next invoice, or is on one.

use serde_json::{Value, json};

use super::lines::{self, Line};
use crate::account::catalog::prices;
use crate::billing::calendar::Period;
use crate::wire::answer::StripeError;
use crate::wire::request::Params;
use crate::world::{Fields, World, merge_metadata, metadata, page, pass_through};

pub const KIND: &str = "invoiceitem";

/// One part of a change of a subscription: what is given back or charged for the rest of a period.
#[derive(Clone, Debug)]
pub struct Proration {
    pub amount: i64,
    pub description: String,
    pub period: Period,
    pub price: Value,
    pub quantity: i64,
    pub subscription: String,
    pub item: String,
}

/// An invoice item for it, which waits for the next invoice of the subscription.
pub fn of_proration(world: &mut World, customer: &str, proration: &Proration) -> String {
    let parent = json!({
        "subscription_details": {"subscription": proration.subscription, "subscription_item": proration.item},
        "type": "subscription_details",
    });
    let mut item = blank(world, customer, proration.price.text("currency").unwrap_or_default());
    item["amount"] = json!(proration.amount);
    item["net_amount"] = json!(proration.amount);
    item["description"] = json!(proration.description);
    item["discountable"] = json!(false);
    item["parent"] = parent;
    item["period"] = json!({"start": proration.period.start, "end": proration.period.end});
    item["pricing"] = lines::pricing(&proration.price);
    item["proration"] = json!(true);
    item["proration_details"] = json!({"credited_items": null, "discount_amounts": []});
    item["quantity"] = json!(proration.quantity);
    item["quantity_decimal"] = json!(proration.quantity.to_string());
    store(world, item)
}

pub fn create(world: &mut World, params: &Params) -> Result<Value, StripeError> {
    let known = ["amount", "currency", "customer", "description", "discountable", "invoice", "metadata", "period", "price_data"];
    params.only(&[&known[..], &["pricing", "quantity", "subscription", "unit_amount_decimal"]].concat())?;
    let customer = params.required("customer")?;
    world.require("customer", customer, "customer")?;
    if let Some(invoice) = params.text("invoice")
        && world.require("invoice", invoice, "invoice")?.text("status") != Some("draft")
    {
        return Err(StripeError::invalid("invoice", "The invoice is not a draft any more."));
    }
    let quantity = params.integer("quantity")?.unwrap_or(1);
    let price = match (params.part_or_empty("pricing").text("price"), params.part("price_data")) {
        (Some(price), _) => Some(world.require("price", price, "pricing[price]")?.clone()),
        (None, Some(data)) => Some(prices::create(world, &data)?),
        (None, None) => None,
    };
    let (amount, currency) = match &price {
        Some(price) => (prices::amount_of(price, quantity), price.text("currency").unwrap_or_default().to_owned()),
        None => {
            let amount = params.integer("amount")?.ok_or_else(|| StripeError::missing_parameter("amount"))?;
            (amount, params.required("currency")?.to_lowercase())
        }
    };
    let mut item = blank(world, customer, &currency);
    item["amount"] = json!(amount);
    item["net_amount"] = json!(amount);
    item["description"] =
        json!(params.text("description").map(str::to_owned).or_else(|| price.as_ref().map(|price| lines::product_name(world, price))));
    item["discountable"] = json!(params.flag("discountable")?.unwrap_or(amount >= 0));
    item["metadata"] = metadata(params);
    item["quantity"] = json!(quantity);
    item["quantity_decimal"] = json!(quantity.to_string());
    item["pricing"] = price.as_ref().map_or(Value::Null, lines::pricing);
    if let Some(subscription) = params.text("subscription") {
        world.require("subscription", subscription, "subscription")?;
        item["parent"] = json!({"subscription_details": {"subscription": subscription}, "type": "subscription_details"});
    }
    if let Some(period) = params.part("period") {
        item["period"] = json!({"start": period.integer("start")?, "end": period.integer("end")?});
    }
    let id = store(world, item);
    if let Some(invoice) = params.text("invoice") {
        put_on(world, &id, invoice);
    }
    retrieve(world, &id)
}

/// Makes it a line of a draft.
fn put_on(world: &mut World, id: &str, invoice: &str) {
    let Some(mut line) = line(world, id) else { return };
    line["invoice"] = json!(invoice);
    world.change("invoice", invoice, |invoice| {
        if let Some(lines) = invoice["lines"]["data"].as_array_mut() {
            lines.push(line);
        }
    });
    world.change(KIND, id, |item| item["invoice"] = json!(invoice));
}

pub fn retrieve(world: &World, id: &str) -> Result<Value, StripeError> {
    world.require(KIND, id, "id").cloned()
}

pub fn update(world: &mut World, id: &str, params: &Params) -> Result<Value, StripeError> {
    params.only(&["amount", "description", "metadata"])?;
    require_pending(world, id)?;
    let amount = params.integer("amount")?;
    world.change(KIND, id, |item| {
        pass_through(item, params, &["description"]);
        merge_metadata(&mut item["metadata"], params);
        if let Some(amount) = amount {
            item["amount"] = json!(amount);
            item["net_amount"] = json!(amount);
        }
    });
    retrieve(world, id)
}

pub fn delete(world: &mut World, id: &str) -> Result<Value, StripeError> {
    require_pending(world, id)?;
    if let Some(item) = world.remove(KIND, id) {
        world.emit_object("invoiceitem.deleted", item, None);
    }
    Ok(json!({"id": id, "object": KIND, "deleted": true}))
}

pub fn list(world: &World, params: &Params) -> Result<Value, StripeError> {
    let pending = params.flag("pending")?;
    page("/v1/invoiceitems", params, &["customer", "invoice", "pending"], world.all(KIND), |item| {
        ["customer", "invoice"].iter().all(|name| params.text(name).is_none_or(|wanted| item.text(name) == Some(wanted)))
            && pending.is_none_or(|pending| item["invoice"].is_null() == pending)
    })
}

/// What waits to be billed: of one subscription, or of none, in this currency.
pub fn pending(world: &World, customer: &str, currency: &str, subscription: Option<&str>) -> Vec<String> {
    let waits = |item: &&Value| {
        let of = item["parent"]["subscription_details"].text("subscription");
        item["invoice"].is_null()
            && item.text("customer") == Some(customer)
            && item.text("currency") == Some(currency)
            && (of.is_none() || of == subscription)
    };
    let mut found: Vec<_> = world.all(KIND).into_iter().filter(waits).filter_map(|item| item.text("id")).map(str::to_owned).collect();
    found.reverse();
    found
}

/// The line that an invoice item becomes.
pub fn line(world: &mut World, id: &str) -> Option<Value> {
    let item = world.get(KIND, id)?.clone();
    let details = &item["parent"]["subscription_details"];
    let (subscription, subscription_item) = (details.text("subscription"), details.text("subscription_item"));
    let parent = if subscription_item.is_some() {
        lines::item_parent(subscription, subscription_item, Some(id), item.is("proration"))
    } else {
        json!({
            "invoice_item_details": {
                "invoice_item": id,
                "proration": false,
                "proration_details": {"credited_items": null},
                "subscription": subscription,
            },
            "subscription_item_details": null,
            "type": "invoice_item_details",
        })
    };
    let price = item["pricing"]["price_details"].text("price").and_then(|price| world.get("price", price)).cloned();
    let line = Line {
        amount: item.int("amount"),
        currency: item.text("currency").unwrap_or_default(),
        description: item.text("description").unwrap_or_default().to_owned(),
        period: Period { start: item["period"].int("start"), end: item["period"].int("end") },
        price: price.as_ref(),
        quantity: item.int("quantity"),
        parent,
        subscription,
        metadata: item["metadata"].clone(),
        discountable: item.is("discountable"),
    };
    Some(lines::compose(world, &line))
}

fn blank(world: &mut World, customer: &str, currency: &str) -> Value {
    let now = world.now_for(customer);
    json!({
        "id": world.new_id("ii_", 24),
        "object": KIND,
        "amount": 0,
        "currency": currency,
        "customer": customer,
        "customer_account": null,
        "date": now,
        "description": null,
        "discountable": true,
        "discounts": [],
        "invoice": null,
        "livemode": false,
        "metadata": {},
        "net_amount": 0,
        "parent": null,
        "period": {"start": now, "end": now},
        "pricing": null,
        "proration": false,
        "quantity": 1,
        "quantity_decimal": "1",
        "tax_rates": [],
        "test_clock": world.clock_of(customer),
    })
}

fn store(world: &mut World, item: Value) -> String {
    let id = item.text("id").unwrap_or_default().to_owned();
    world.insert(KIND, item);
    world.emit("invoiceitem.created", KIND, &id);
    id
}

fn require_pending(world: &World, id: &str) -> Result<(), StripeError> {
    if retrieve(world, id)?["invoice"].is_null() {
        return Ok(());
    }
    Err(StripeError::refused("This invoice item is on an invoice and cannot be changed any more."))
}
