//! The sessions themselves.

use serde_json::{Value, json};

use super::document;
use crate::account::catalog::{coupons, prices};
use crate::billing::invoices::lines::product_name;
use crate::billing::subscriptions::require_one_rhythm;
use crate::wire::answer::StripeError;
use crate::wire::request::Params;
use crate::world::{CheckoutDetails, Fields, World, merge_metadata, metadata, page, page_of};

pub const KIND: &str = "checkout.session";
const PARAMS: [&str; 27] = [
    "allow_promotion_codes",
    "allowed_payment_method_types",
    "automatic_tax",
    "billing_address_collection",
    "cancel_url",
    "client_reference_id",
    "currency",
    "customer",
    "customer_creation",
    "customer_email",
    "customer_update",
    "discounts",
    "expires_at",
    "invoice_creation",
    "line_items",
    "locale",
    "metadata",
    "mode",
    "payment_intent_data",
    "payment_method_collection",
    "saved_payment_method_options",
    "setup_intent_data",
    "submit_type",
    "subscription_data",
    "success_url",
    "tax_id_collection",
    "ui_mode",
];

pub fn create(world: &mut World, params: &Params) -> Result<Value, StripeError> {
    params.only(&PARAMS)?;
    refuse_what_is_left_out(params)?;
    let mode = params.choice("mode", &["payment", "setup", "subscription"])?;
    let mode = mode.ok_or_else(|| StripeError::missing_parameter("mode"))?;
    let success_url = params.required("success_url")?;
    if let Some(customer) = params.text("customer")
        && world.require("customer", customer, "customer")?.is("deleted")
    {
        return Err(StripeError::missing("customer", customer, "customer"));
    }
    let line_items = read_line_items(world, params, mode)?;
    let discounts = coupons::wanted(world, params)?;
    let id = world.new_id("cs_test_", 58);
    let now = world.now();
    let expires_at = params.integer("expires_at")?.unwrap_or(now + 86_400);
    if !(now + 1800..=now + 86_400).contains(&expires_at) {
        let message = "The `expires_at` timestamp must be at least 30 minutes and less than 24 hours from Checkout Session creation.";
        return Err(StripeError::invalid("expires_at", message));
    }
    let totals = Totals::of(world, &line_items, &discounts, params);
    let data = params.part_or_empty(match mode {
        "payment" => "payment_intent_data",
        "setup" => "setup_intent_data",
        _ => "subscription_data",
    });
    data.only(match mode {
        "payment" => &["description", "metadata", "receipt_email", "setup_future_usage"],
        "setup" => &["description", "metadata"],
        _ => &["billing_mode", "description", "metadata", "trial_end", "trial_period_days", "trial_settings"],
    })?;
    let currency = line_items.first().map_or_else(|| json!(params.text("currency")), |item| item["currency"].clone());
    let session = json!({
        "id": id,
        "object": KIND,
        "allow_promotion_codes": params.flag("allow_promotion_codes")?,
        "amount_subtotal": totals.subtotal,
        "amount_total": totals.total,
        "billing_address_collection": params.text("billing_address_collection"),
        "cancel_url": params.text("cancel_url"),
        "client_reference_id": params.text("client_reference_id"),
        "created": now,
        "currency": currency,
        "customer": params.text("customer"),
        "customer_creation": if params.has("customer") { None } else { Some(if mode == "subscription" { "always" } else { params.text("customer_creation").unwrap_or("if_required") }) },
        "customer_details": details_of(world, params),
        "customer_email": params.text("customer_email"),
        "discounts": discounts.iter().map(|one| json!({"coupon": one["coupon"], "promotion_code": one["promotion_code"]})).collect::<Vec<_>>(),
        "expires_at": expires_at,
        "locale": params.text("locale"),
        "metadata": metadata(params),
        "mode": mode,
        "payment_method_collection": if mode == "subscription" { Some(params.text("payment_method_collection").unwrap_or("always")) } else { None },
        "payment_status": if mode == "setup" { "no_payment_required" } else { "unpaid" },
        "submit_type": params.text("submit_type"),
        "success_url": success_url,
        "total_details": {"amount_discount": totals.subtotal - totals.total, "amount_shipping": 0, "amount_tax": 0},
        "url": format!("{}/c/pay/{id}", world.base_url),
    });
    world.insert(KIND, document::with(session));
    world.secrets.checkout.insert(id.clone(), CheckoutDetails { line_items, data, discounts });
    retrieve(world, &id)
}

pub fn retrieve(world: &World, id: &str) -> Result<Value, StripeError> {
    world.require(KIND, id, "id").cloned()
}

pub fn update(world: &mut World, id: &str, params: &Params) -> Result<Value, StripeError> {
    params.only(&["metadata"])?;
    world.require(KIND, id, "id")?;
    world.change(KIND, id, |session| merge_metadata(&mut session["metadata"], params));
    retrieve(world, id)
}

pub fn expire(world: &mut World, id: &str) -> Result<Value, StripeError> {
    let status = world.require(KIND, id, "id")?.text("status").unwrap_or_default();
    if status != "open" {
        let message =
            format!("Only Checkout Sessions with a status in [\"open\"] can be expired. This Checkout Session has a status of {status}.");
        return Err(StripeError::refused(&message));
    }
    expire_due(world, id);
    retrieve(world, id)
}

pub fn expire_due(world: &mut World, id: &str) {
    world.change(KIND, id, |session| {
        session["status"] = json!("expired");
        session["url"] = Value::Null;
    });
    world.emit("checkout.session.expired", KIND, id);
}

pub fn list(world: &World, params: &Params) -> Result<Value, StripeError> {
    let filters = ["customer", "payment_intent", "status", "subscription"];
    page("/v1/checkout/sessions", params, &filters, world.all(KIND), |session| {
        filters.iter().all(|name| params.text(name).is_none_or(|wanted| session.text(name) == Some(wanted)))
    })
}

pub fn line_items(world: &World, id: &str, params: &Params) -> Result<Value, StripeError> {
    params.only(&["limit", "starting_after", "ending_before"])?;
    world.require(KIND, id, "id")?;
    let rows = world.secrets.checkout.get(id).map(|details| details.line_items.clone()).unwrap_or_default();
    page_of(&format!("/v1/checkout/sessions/{id}/line_items"), params, rows)
}

/// What is shown only where it is asked for.
pub fn included(world: &World, session: &Value, name: &str) -> Option<Value> {
    if name != "line_items" {
        return None;
    }
    line_items(world, session.text("id")?, &Params::default()).ok()
}

/// What Stripe does and the twin does not: said, and not ignored.
fn refuse_what_is_left_out(params: &Params) -> Result<(), StripeError> {
    for name in ["automatic_tax", "invoice_creation", "tax_id_collection"] {
        if params.part_or_empty(name).flag("enabled")? == Some(true) {
            return Err(StripeError::unknown_parameter(&format!("{name}[enabled]")));
        }
    }
    if params.texts("allowed_payment_method_types").iter().any(|kind| *kind != "card") {
        return Err(StripeError::invalid("allowed_payment_method_types", "The twin knows cards only."));
    }
    match params.text("ui_mode") {
        None | Some("hosted_page") => Ok(()),
        Some(_) => Err(StripeError::invalid("ui_mode", "The twin has hosted pages only.")),
    }
}

fn read_line_items(world: &mut World, params: &Params, mode: &str) -> Result<Vec<Value>, StripeError> {
    let mut items = Vec::new();
    for part in params.parts("line_items") {
        part.only(&["price", "price_data", "quantity"])?;
        let price = match part.part("price_data") {
            Some(data) => prices::create(world, &data)?,
            None => world.require("price", part.required("price")?, &part.name("price"))?.clone(),
        };
        if mode == "payment" && price.text("type") == Some("recurring") {
            let message = "You specified `payment` mode but passed a recurring price. Either switch to `subscription` mode or use only one-time prices.";
            return Err(StripeError::invalid(&part.name("price"), message));
        }
        let metered = prices::is_metered(&price);
        let quantity = part.integer("quantity")?;
        if quantity.is_none() && !metered {
            return Err(StripeError::missing_parameter(&part.name("quantity")));
        }
        let amount = if metered { 0 } else { prices::amount_of(&price, quantity.unwrap_or(1)) };
        items.push(json!({
            "id": world.new_id("li_", 24),
            "object": "item",
            "adjustable_quantity": null,
            "amount_discount": 0,
            "amount_subtotal": amount,
            "amount_tax": 0,
            "amount_total": amount,
            "currency": price["currency"],
            "description": product_name(world, &price),
            "metadata": {},
            "price": price,
            "quantity": quantity,
        }));
    }
    let recurring: Vec<_> = items.iter().map(|item| &item["price"]).filter(|price| !price["recurring"].is_null()).collect();
    match mode {
        "subscription" if recurring.is_empty() => {
            let message = "You must provide at least one recurring price in `subscription` mode when using prices.";
            return Err(StripeError::invalid("line_items", message));
        }
        "subscription" => require_one_rhythm(&recurring)?,
        "payment" if items.is_empty() => return Err(StripeError::missing_parameter("line_items")),
        _ => {}
    }
    Ok(items)
}

/// What the page asks for now.
struct Totals {
    subtotal: i64,
    total: i64,
}

impl Totals {
    fn of(world: &World, items: &[Value], discounts: &[Value], params: &Params) -> Self {
        let data = params.part_or_empty("subscription_data");
        let is_trial = data.has("trial_end") || data.has("trial_period_days");
        let counted = items.iter().filter(|item| !is_trial || item["price"]["recurring"].is_null());
        let subtotal: i64 = counted.map(|item| item.int("amount_subtotal")).sum();
        Self { subtotal, total: coupons::reduced(world, subtotal, discounts) }
    }
}

/// What is known of the person before the page is filled in.
fn details_of(world: &World, params: &Params) -> Value {
    let customer = params.text("customer").and_then(|id| world.get("customer", id));
    let email = params.text("customer_email").or_else(|| customer.and_then(|customer| customer.text("email")));
    if customer.is_none() && email.is_none() {
        return Value::Null;
    }
    json!({
        "address": null,
        "business_name": null,
        "email": email,
        "individual_name": null,
        "name": null,
        "phone": null,
        "tax_exempt": "none",
        "tax_ids": null,
    })
}
