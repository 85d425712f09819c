//! A person pays: customer, payment method, subscription or payment come into being, and the session is complete.

use serde_json::{Value, json};

use super::sessions::KIND;
use crate::account::catalog::coupons;
use crate::account::customers;
use crate::account::payments::{intents, methods, setups};
use crate::billing::subscriptions::{self, Extra, Item, Wanted};
use crate::cards::{Decline, TestCard};
use crate::wire::answer::StripeError;
use crate::wire::request::Params;
use crate::world::{CheckoutDetails, Fields, World, metadata, pass_through};

/// What a person typed.
#[derive(Clone, Default, Debug)]
pub struct Entered {
    pub email: String,
    pub name: String,
    pub card: String,
    pub country: String,
    pub postal_code: String,
    pub promotion_code: String,
    /// The owner of the card has agreed to what the bank asked.
    pub agreed: bool,
}

/// Pays an open session. Nothing comes of a card that refuses, but for the failed charge.
///
/// # Errors
/// When the session is not open, the card refuses, or something is missing.
pub fn pay(world: &mut World, id: &str, entered: &Entered) -> Result<(), StripeError> {
    let session = world.require(KIND, id, "id")?.clone();
    if session.text("status") != Some("open") {
        return Err(StripeError::refused("This checkout session is not open any more."));
    }
    let mut details = world.secrets.checkout.get(id).cloned().unwrap_or_default();
    if !entered.promotion_code.is_empty() {
        let code = coupons::typed(world, &entered.promotion_code);
        details.discounts = vec![code.ok_or_else(|| StripeError::refused("This code is invalid."))?];
    }
    let due = coupons::reduced(world, session.int("amount_subtotal"), &details.discounts);
    let needs_card = due > 0 || session.text("payment_method_collection") != Some("if_required");
    let card = if needs_card || !entered.card.is_empty() { Some(read_card(&entered.card)?) } else { None };
    if let Some(decline) = card.and_then(|card| refusal(world, &session, card, due)) {
        leave_trace(world, &session, card, due);
        return Err(StripeError::declined(decline, json!({})));
    }
    if card.is_some_and(TestCard::asks_its_owner) && !entered.agreed {
        return Err(StripeError::declined(Decline::AuthenticationRequired, json!({})));
    }
    let customer = customer_of(world, &session, entered)?;
    let method = card.map(|card| keep_card(world, card, customer.as_deref(), entered)).transpose()?;
    world.secrets.agreed.extend(method.clone());
    let made = match session.text("mode") {
        Some("payment") => take_payment(world, &session, &details, customer.as_deref(), method.as_deref(), due)?,
        Some("setup") => set_up(world, &details, customer.as_deref(), method.as_deref())?,
        _ => subscribe(world, &details, customer.as_deref().unwrap_or_default(), method.clone())?,
    };
    // What was agreed to is this payment, not the next one.
    method.map(|method| world.secrets.agreed.remove(&method));
    world.change(KIND, id, |session| finish(session, &made, customer.as_deref(), entered, &details, due));
    world.emit("checkout.session.completed", KIND, id);
    Ok(())
}

/// What came into being, by the session's fields.
struct Made {
    fields: Vec<(&'static str, Value)>,
    payment_status: &'static str,
}

fn finish(session: &mut Value, made: &Made, customer: Option<&str>, entered: &Entered, details: &CheckoutDetails, due: i64) {
    let subtotal = session.int("amount_subtotal");
    session["status"] = json!("complete");
    session["payment_status"] = json!(made.payment_status);
    session["url"] = Value::Null;
    session["amount_total"] = json!(due);
    session["total_details"]["amount_discount"] = json!(subtotal - due);
    let discounts = details.discounts.iter().map(|one| json!({"coupon": one["coupon"], "promotion_code": one["promotion_code"]}));
    session["discounts"] = discounts.collect();
    for (name, value) in &made.fields {
        session[*name] = value.clone();
    }
    if let Some(customer) = customer {
        session["customer"] = json!(customer);
    }
    session["customer_details"] = json!({
        "address": {
            "city": null,
            "country": if entered.country.is_empty() { None } else { Some(&entered.country) },
            "line1": null,
            "line2": null,
            "postal_code": if entered.postal_code.is_empty() { None } else { Some(&entered.postal_code) },
            "state": null,
        },
        "business_name": null,
        "email": if entered.email.is_empty() { session["customer_details"]["email"].clone() } else { json!(entered.email) },
        "individual_name": null,
        "name": entered.name,
        "phone": null,
        "tax_exempt": "none",
        "tax_ids": [],
    });
}

fn read_card(number: &str) -> Result<TestCard, StripeError> {
    TestCard::numbered(number).ok_or_else(|| StripeError::declined(Decline::IncorrectNumber, json!({})))
}

/// A card that is not charged now may be one that fails when it is.
fn refusal(world: &World, session: &Value, card: TestCard, due: i64) -> Option<Decline> {
    let names = [session.text("customer"), Some(card.number), Some("all")];
    let failing = names.into_iter().flatten().find_map(|name| world.secrets.failing.get(name).copied());
    let when_charged = failing.or_else(|| card.when_charged()).filter(|_| due > 0);
    card.when_attached().or(when_charged)
}

/// A charge that failed, where there was something to charge: its events are all that is heard of it.
fn leave_trace(world: &mut World, session: &Value, card: Option<TestCard>, due: i64) {
    let (Some(card), true) = (card, due > 0) else { return };
    let method = methods::issue(world, card, session.text("customer"));
    world.change("payment_method", &method, |method| method["customer"] = session["customer"].clone());
    let currency = session.text("currency").unwrap_or_default();
    let wanted = intents::Wanted { amount: due, currency, customer: session.text("customer"), description: None };
    let intent = intents::open(world, &wanted);
    intents::charge(world, &intent, &method);
    world.change("payment_method", &method, |method| method["customer"] = Value::Null);
}

/// The session's own, or a new one; a single payment of a guest needs none.
fn customer_of(world: &mut World, session: &Value, entered: &Entered) -> Result<Option<String>, StripeError> {
    if let Some(customer) = session.text("customer") {
        world.require("customer", customer, "customer")?;
        return Ok(Some(customer.to_owned()));
    }
    let wanted = session.text("customer_creation") == Some("always") || session.text("mode") == Some("setup");
    if !wanted {
        return Ok(None);
    }
    let email = session.text("customer_email").unwrap_or(&entered.email);
    let params = Params::new(json!({
        "email": email,
        "name": entered.name,
        "address": {"country": entered.country, "postal_code": entered.postal_code},
    }));
    Ok(customers::create(world, &params)?.text("id").map(str::to_owned))
}

fn keep_card(world: &mut World, card: TestCard, customer: Option<&str>, entered: &Entered) -> Result<String, StripeError> {
    let id = methods::issue(world, card, customer);
    let details = Params::new(json!({
        "email": entered.email,
        "name": entered.name,
        "address": {"country": entered.country, "postal_code": entered.postal_code},
    }));
    world.change("payment_method", &id, |method| method["billing_details"] = methods::billing_details(&details));
    if let Some(customer) = customer {
        methods::attach(world, &id, customer)?;
    }
    Ok(id)
}

fn subscribe(world: &mut World, details: &CheckoutDetails, customer: &str, method: Option<String>) -> Result<Made, StripeError> {
    let data = &details.data;
    let mut wanted = Wanted {
        customer: customer.to_owned(),
        discounts: details.discounts.clone(),
        params: data.clone(),
        default_payment_method: method,
        trial_end: match (data.integer("trial_end")?, data.integer("trial_period_days")?) {
            (Some(end), _) => Some(end),
            (None, days) => days.map(|days| world.now_for(customer) + days * 86_400),
        },
        ..Wanted::default()
    };
    for item in &details.line_items {
        let (price, quantity) = (item["price"].clone(), item.int_or_none("quantity").unwrap_or(1));
        if price["recurring"].is_null() {
            wanted.extras.push(Extra { price, quantity });
        } else {
            wanted.items.push(Item { price, quantity, metadata: json!({}) });
        }
    }
    let id = subscriptions::begin(world, &wanted)?;
    let subscription = world.require("subscription", &id, "id")?;
    let payment_status = if subscription.text("status") == Some("trialing") { "no_payment_required" } else { "paid" };
    let fields = vec![("subscription", json!(id)), ("invoice", subscription["latest_invoice"].clone())];
    Ok(Made { fields, payment_status })
}

fn take_payment(
    world: &mut World,
    session: &Value,
    details: &CheckoutDetails,
    customer: Option<&str>,
    method: Option<&str>,
    due: i64,
) -> Result<Made, StripeError> {
    let (Some(method), true) = (method, due > 0) else {
        return Ok(Made { fields: Vec::new(), payment_status: "no_payment_required" });
    };
    let data = &details.data;
    let currency = session.text("currency").unwrap_or_default();
    let intent = intents::open(world, &intents::Wanted { amount: due, currency, customer, description: data.text("description") });
    world.change(intents::KIND, &intent, |intent| {
        intent["metadata"] = metadata(data);
        pass_through(intent, data, &["receipt_email", "setup_future_usage"]);
    });
    match intents::charge(world, &intent, method) {
        intents::Outcome::Paid => Ok(Made { fields: vec![("payment_intent", json!(intent))], payment_status: "paid" }),
        intents::Outcome::Refused(decline) => Err(intents::refused(world, &intent, decline)),
        intents::Outcome::NeedsAction => Err(StripeError::declined(Decline::AuthenticationRequired, json!({}))),
    }
}

fn set_up(world: &mut World, details: &CheckoutDetails, customer: Option<&str>, method: Option<&str>) -> Result<Made, StripeError> {
    let mut params = details.data.to_value();
    params["customer"] = json!(customer);
    let intent = setups::create(world, &Params::new(params))?;
    let id = intent.text("id").unwrap_or_default();
    if let Some(method) = method {
        setups::confirm(world, id, method)?;
    }
    Ok(Made { fields: vec![("setup_intent", json!(id))], payment_status: "no_payment_required" })
}
