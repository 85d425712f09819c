//! A new subscription, its first invoice and its first payment.

use serde_json::{Value, json};

use super::document::{self, KIND};
use super::items::{self, Item};
use crate::account::catalog::{coupons, prices};
use crate::account::payments::methods;
use crate::billing::calendar::Period;
use crate::billing::invoices::collect::{collect, method_for};
use crate::billing::invoices::lines::{self, Line};
use crate::billing::invoices::{self, Draft, items as invoice_items};
use crate::wire::answer::StripeError;
use crate::wire::request::Params;
use crate::world::{Fields, World, metadata, pass_through};

const DAY: i64 = 86_400;

/// What a new subscription is to be; the API and checkout sessions both say it this way.
#[derive(Clone, Default)]
pub struct Wanted {
    pub customer: String,
    pub items: Vec<Item>,
    /// Billed once, with the first invoice.
    pub extras: Vec<Extra>,
    pub trial_end: Option<i64>,
    pub discounts: Vec<Value>,
    /// Of the API's parameters those that are stored as they are.
    pub params: Params,
    pub default_payment_method: Option<String>,
    /// The payment is somebody's next step: nothing is charged now.
    pub waits_for_payment: bool,
    /// Nothing remains of it where the payment is refused.
    pub all_or_nothing: bool,
}

/// A one-time price and how much of it.
#[derive(Clone)]
pub struct Extra {
    pub price: Value,
    pub quantity: i64,
}

const PARAMS: [&str; 22] = [
    "billing_mode",
    "cancel_at",
    "cancel_at_period_end",
    "collection_method",
    "currency",
    "customer",
    "days_until_due",
    "default_payment_method",
    "description",
    "discounts",
    "add_invoice_items",
    "items",
    "metadata",
    "off_session",
    "payment_behavior",
    "payment_settings",
    "proration_behavior",
    "trial_end",
    "trial_from_plan",
    "trial_period_days",
    "trial_settings",
    "automatic_tax",
];

pub fn create(world: &mut World, params: &Params) -> Result<Value, StripeError> {
    params.only(&PARAMS)?;
    if params.part_or_empty("automatic_tax").flag("enabled")? == Some(true) {
        return Err(StripeError::unknown_parameter("automatic_tax"));
    }
    let customer = params.required("customer")?.to_owned();
    if world.require("customer", &customer, "customer")?.is("deleted") {
        return Err(StripeError::missing("customer", &customer, "customer"));
    }
    let behavior = ["allow_incomplete", "default_incomplete", "error_if_incomplete"];
    let behavior = params.choice("payment_behavior", &behavior)?.unwrap_or("allow_incomplete");
    let method = params.text("default_payment_method");
    if let Some(method) = method
        && world.require("payment_method", method, "default_payment_method")?.text("customer") != Some(&customer)
    {
        let message = "The payment method must be attached to the customer before it is used for a subscription.";
        return Err(StripeError::invalid("default_payment_method", message));
    }
    let mut extras = Vec::new();
    for part in params.parts("add_invoice_items") {
        part.only(&["price", "quantity"])?;
        let price = world.require("price", part.required("price")?, &part.name("price"))?.clone();
        extras.push(Extra { price, quantity: part.integer("quantity")?.unwrap_or(1) });
    }
    let items = items::read_items(world, &params.parts("items"))?;
    if items.iter().any(|item| params.text("currency").is_some_and(|currency| item.price.text("currency") != Some(currency))) {
        return Err(StripeError::invalid("currency", "The twin knows one currency of each price."));
    }
    let wanted = Wanted {
        trial_end: trial_end(world, &customer, params, &items)?,
        items,
        extras,
        discounts: coupons::wanted(world, params)?,
        params: params.clone(),
        default_payment_method: method.map(str::to_owned),
        waits_for_payment: behavior == "default_incomplete",
        all_or_nothing: behavior == "error_if_incomplete",
        customer,
    };
    let id = begin(world, &wanted)?;
    world.require(KIND, &id, "id").cloned()
}

/// Begins it and answers its id.
///
/// # Errors
/// When items do not go together, when there is nothing to pay with, or when a payment is refused and `all_or_nothing` is wanted.
pub fn begin(world: &mut World, wanted: &Wanted) -> Result<String, StripeError> {
    items::require_one_rhythm(&wanted.items.iter().map(|item| &item.price).collect::<Vec<_>>())?;
    let id = world.new_id("sub_", 24);
    let now = world.now_for(&wanted.customer);
    let subscription = compose(world, wanted, &id)?;
    let sends = subscription.text("collection_method") == Some("send_invoice");
    let due = due_at_once(world, wanted) > 0;
    check_payment(world, wanted, due && !sends)?;
    let is_free = !due || sends;
    world.insert(KIND, subscription);
    let discounts = coupons::redeem(world, &wanted.discounts, &wanted.customer, &id);
    world.change(KIND, &id, |subscription| {
        subscription["discounts"] = json!(discounts);
        if wanted.trial_end.is_some() {
            subscription["status"] = json!("trialing");
        } else if is_free {
            subscription["status"] = json!("active");
        }
    });
    claim_currency(world, &wanted.customer, &id);
    world.emit("customer.subscription.created", KIND, &id);
    let draft = first_invoice(world, &id, &wanted.extras, now);
    let invoice = invoices::issue(world, &draft);
    drop_used_discounts(world, &id, &invoice);
    if !sends {
        invoices::finalize(world, &invoice);
        let open = world.get("invoice", &invoice).and_then(|invoice| invoice.text("status")) == Some("open");
        if open && !wanted.waits_for_payment {
            collect(world, &invoice, None);
        }
    }
    Ok(id)
}

/// The subscription as it begins; nothing is stored.
pub fn compose(world: &mut World, wanted: &Wanted, id: &str) -> Result<Value, StripeError> {
    let now = world.now_for(&wanted.customer);
    let anchor = wanted.trial_end.unwrap_or(now);
    let interval = wanted.items.first().map(|item| document::interval_of(&item.price));
    let end = wanted.trial_end.unwrap_or_else(|| interval.map_or(now, |interval| interval.end(now, now)));
    let period = Period { start: now, end };
    let params = &wanted.params;
    let mut subscription = document::blank(id, &wanted.customer, now);
    let items = wanted.items.iter().map(|item| items::document(world, item, id, period, now)).collect();
    subscription["items"] = document::items_list(id, items);
    subscription["currency"] = wanted.items.first().map_or(Value::Null, |item| item.price["currency"].clone());
    subscription["billing_cycle_anchor"] = json!(anchor);
    subscription["metadata"] = metadata(params);
    subscription["default_payment_method"] = json!(wanted.default_payment_method);
    subscription["test_clock"] = json!(world.clock_of(&wanted.customer));
    subscription["trial_start"] = json!(wanted.trial_end.map(|_| now));
    subscription["trial_end"] = json!(wanted.trial_end);
    pass_through(&mut subscription, params, &["description"]);
    pass_through(&mut subscription["payment_settings"], &params.part_or_empty("payment_settings"), &["save_default_payment_method"]);
    pass_through(&mut subscription["billing_mode"], &params.part_or_empty("billing_mode"), &["type"]);
    if let Some(method) = params.choice("collection_method", &["charge_automatically", "send_invoice"])? {
        subscription["collection_method"] = json!(method);
        subscription["days_until_due"] = json!(params.integer("days_until_due")?);
    }
    if let Some(behavior) = params.part_or_empty("trial_settings").part_or_empty("end_behavior").text("missing_payment_method") {
        if behavior == "pause" {
            return Err(StripeError::invalid("trial_settings[end_behavior][missing_payment_method]", "The twin does not pause."));
        }
        subscription["trial_settings"]["end_behavior"]["missing_payment_method"] = json!(behavior);
    }
    if let Some(at) = params.integer("cancel_at")? {
        subscription["cancel_at"] = json!(at);
    }
    if params.flag("cancel_at_period_end")? == Some(true) {
        subscription["cancel_at_period_end"] = json!(true);
        subscription["cancel_at"] = json!(period.end);
        subscription["canceled_at"] = json!(now);
    }
    Ok(subscription)
}

/// The invoice for the first period of a stored subscription.
pub fn first_invoice(world: &mut World, id: &str, extras: &[Extra], now: i64) -> Draft {
    let subscription = world.get(KIND, id).cloned().unwrap_or_default();
    draft_of_first(world, &subscription, extras, now)
}

pub fn draft_of_first(world: &mut World, subscription: &Value, extras: &[Extra], now: i64) -> Draft {
    let customer = subscription.text("customer").unwrap_or_default().to_owned();
    let currency = subscription.text("currency").unwrap_or_default().to_owned();
    let id = subscription.text("id").unwrap_or_default();
    let is_trial = !subscription["trial_end"].is_null();
    let period = document::period_of(subscription);
    let licensed = subscription.elements("items").iter().filter(|item| !prices::is_metered(&item["price"]));
    let mut composed = Vec::new();
    for item in licensed {
        composed.push(lines::of_item(world, subscription, item, period, is_trial));
    }
    for extra in extras {
        composed.push(line_of_extra(world, id, extra, now));
    }
    Draft {
        items: invoice_items::pending(world, &customer, &currency, Some(id)),
        customer,
        currency,
        subscription: Some((id.to_owned(), subscription["metadata"].clone())),
        reason: "subscription_create",
        period: Some(Period { start: now, end: now }),
        lines: composed,
        discounts: subscription.elements("discounts").to_vec(),
        collection_method: subscription.text("collection_method").map(str::to_owned),
        days_until_due: subscription.int_or_none("days_until_due"),
        auto_advance: true,
        default_payment_method: Value::Null,
    }
}

/// A coupon for one time is used up by the first invoice that it makes smaller.
pub fn drop_used_discounts(world: &mut World, id: &str, invoice: &str) {
    let Some(invoice) = world.get("invoice", invoice).cloned() else { return };
    let is_used = |discount: &Value| {
        let once = discount.as_str().and_then(|id| world.get("discount", id)?["source"].text("coupon").map(str::to_owned));
        let once = once.and_then(|coupon| Some(world.get("coupon", &coupon)?.text("duration") == Some("once"))).unwrap_or(false);
        let took = invoice.elements("total_discount_amounts").iter().any(|one| one["discount"] == *discount && one.int("amount") > 0);
        once && took
    };
    let kept: Vec<Value> = world.get(KIND, id).map(|subscription| subscription.elements("discounts")).unwrap_or_default().to_vec();
    let kept: Vec<Value> = kept.into_iter().filter(|discount| !is_used(discount)).collect();
    world.change(KIND, id, |subscription| subscription["discounts"] = json!(kept));
}

fn line_of_extra(world: &mut World, subscription: &str, extra: &Extra, now: i64) -> Value {
    let parent = json!({
        "invoice_item_details": {
            "invoice_item": world.new_id("ii_", 24),
            "proration": false,
            "proration_details": {"credited_items": null},
            "subscription": subscription,
        },
        "subscription_item_details": null,
        "type": "invoice_item_details",
    });
    let line = Line {
        amount: prices::amount_of(&extra.price, extra.quantity),
        currency: extra.price.text("currency").unwrap_or_default(),
        description: lines::product_name(world, &extra.price),
        period: Period { start: now, end: now },
        price: Some(&extra.price),
        quantity: extra.quantity,
        parent,
        subscription: Some(subscription),
        metadata: json!({}),
        discountable: true,
    };
    lines::compose(world, &line)
}

/// What the first invoice asks for, before the customer's balance.
fn due_at_once(world: &World, wanted: &Wanted) -> i64 {
    let extras: i64 = wanted.extras.iter().map(|extra| prices::amount_of(&extra.price, extra.quantity)).sum();
    let licensed = wanted.items.iter().filter(|item| wanted.trial_end.is_none() && !prices::is_metered(&item.price));
    let whole = extras + licensed.map(|item| prices::amount_of(&item.price, item.quantity)).sum::<i64>();
    let reduced = coupons::reduced(world, whole, &wanted.discounts);
    reduced + world.get("customer", &wanted.customer).map_or(0, |customer| customer.int("balance"))
}

fn check_payment(world: &mut World, wanted: &Wanted, due: bool) -> Result<(), StripeError> {
    if !due || wanted.waits_for_payment {
        return Ok(());
    }
    let meant = json!({"customer": wanted.customer, "default_payment_method": wanted.default_payment_method});
    let Some(method) = method_for(world, &meant) else {
        let message = "This customer has no attached payment source or default payment method. Please consider adding a default payment \
                       method. For more information, visit https://stripe.com/docs/billing/subscriptions/payment-methods-setting.";
        return Err(StripeError::coded("resource_missing", message));
    };
    match methods::refusal(world, &method) {
        Some(decline) if wanted.all_or_nothing => Err(StripeError::declined(decline, json!({}))),
        _ => Ok(()),
    }
}

fn trial_end(world: &World, customer: &str, params: &Params, items: &[Item]) -> Result<Option<i64>, StripeError> {
    let now = world.now_for(customer);
    let of_price = || items.iter().find_map(|item| item.price["recurring"].int_or_none("trial_period_days"));
    let from_plan = params.flag("trial_from_plan")? == Some(true);
    match (params.text("trial_end"), params.integer("trial_period_days")?) {
        (Some("now"), _) => Ok(None),
        (Some(_), _) => match params.integer("trial_end")? {
            Some(end) if end > now => Ok(Some(end)),
            _ => Err(StripeError::invalid("trial_end", "Invalid timestamp: must be an integer Unix timestamp in the future.")),
        },
        (None, Some(days)) => Ok(Some(now + days * DAY).filter(|end| *end > now)),
        (None, None) if from_plan => Ok(of_price().map(|days| now + days * DAY)),
        (None, None) => Ok(None),
    }
}

/// A customer is billed in the currency of the first subscription.
fn claim_currency(world: &mut World, customer: &str, subscription: &str) {
    let currency = world.get(KIND, subscription).map_or(Value::Null, |subscription| subscription["currency"].clone());
    world.change("customer", customer, |customer| {
        if customer["currency"].is_null() {
            customer["currency"] = currency;
        }
    });
}
