//! What a customer may do in the portal, and doing it.

use serde_json::{Value, json};

use super::configurations;
use crate::account::catalog::prices;
use crate::account::payments::methods;
use crate::billing::subscriptions;
use crate::cards::{Decline, TestCard};
use crate::wire::answer::StripeError;
use crate::wire::request::Params;
use crate::world::{Fields, World};

/// What a customer asked for.
#[derive(Clone, Debug)]
pub enum Act {
    ChangePlan { subscription: String, price: String, quantity: Option<i64> },
    Cancel { subscription: String },
    Resume { subscription: String },
    AddCard { number: String },
}

/// The prices that a subscription can be changed to: those that the configuration names, or else all that are active and recurring.
pub fn plans<'a>(world: &'a World, session: &Value) -> Vec<&'a Value> {
    let Some(configuration) = session.id_of("configuration").and_then(|id| world.get(configurations::KIND, id)) else { return Vec::new() };
    let update = &configuration["features"]["subscription_update"];
    if !update.is("enabled") {
        return Vec::new();
    }
    let named: Vec<&str> =
        update.elements("products").iter().flat_map(|product| product.elements("prices")).filter_map(Value::as_str).collect();
    let sold = |price: &&Value| price.is("active") && !price["recurring"].is_null() && !prices::is_metered(price);
    let offered = |price: &&Value| named.is_empty() || price.text("id").is_some_and(|id| named.contains(&id));
    let mut plans: Vec<_> = world.all("price").into_iter().filter(sold).filter(offered).collect();
    plans.sort_by_key(|price| price.int("unit_amount"));
    plans
}

pub fn cards<'a>(world: &'a World, customer: &str) -> Vec<&'a Value> {
    world.all("payment_method").into_iter().filter(|method| method.text("customer") == Some(customer)).collect()
}

/// # Errors
/// When the configuration does not allow it, the subscription is another's, or a card refuses.
pub fn act(world: &mut World, session: &Value, act: Act) -> Result<(), StripeError> {
    let configuration = session.id_of("configuration").unwrap_or_default();
    let features = configurations::retrieve(world, configuration)?["features"].clone();
    let customer = session.text("customer").unwrap_or_default();
    let (subscription, params) = match act {
        Act::AddCard { number } => {
            allow(&features, "payment_method_update")?;
            return add_card(world, customer, &number);
        }
        Act::ChangePlan { subscription, price, quantity } => {
            allow(&features, "subscription_update")?;
            let item = licensed_item(world, &subscription).unwrap_or_default();
            let behavior = features["subscription_update"]["proration_behavior"].clone();
            let mut item = json!({"id": item, "price": price});
            if let Some(quantity) = quantity {
                item["quantity"] = json!(quantity.to_string());
            }
            let change = json!({
                "items": [item],
                "proration_behavior": behavior,
                "payment_behavior": "error_if_incomplete",
                "cancel_at_period_end": "false",
            });
            (subscription, change)
        }
        Act::Cancel { subscription } => {
            allow(&features, "subscription_cancel")?;
            if features["subscription_cancel"].text("mode") == Some("immediately") {
                require_own(world, customer, &subscription)?;
                let prorate = features["subscription_cancel"].text("proration_behavior") != Some("none");
                let params = json!({"prorate": prorate.to_string(), "invoice_now": prorate.to_string()});
                return subscriptions::cancel(world, &subscription, &Params::new(params)).map(drop);
            }
            (subscription, json!({"cancel_at_period_end": "true"}))
        }
        Act::Resume { subscription } => (subscription, json!({"cancel_at_period_end": "false"})),
    };
    require_own(world, customer, &subscription)?;
    subscriptions::update(world, &subscription, &Params::new(params)).map(drop)
}

fn allow(features: &Value, name: &str) -> Result<(), StripeError> {
    if features[name].is("enabled") {
        return Ok(());
    }
    Err(StripeError::refused("This portal does not offer that."))
}

fn require_own(world: &World, customer: &str, subscription: &str) -> Result<(), StripeError> {
    if world.require("subscription", subscription, "id")?.text("customer") == Some(customer) {
        return Ok(());
    }
    Err(StripeError::missing("subscription", subscription, "id"))
}

/// The item that a change of plan is about.
fn licensed_item(world: &World, subscription: &str) -> Option<String> {
    let items = world.get("subscription", subscription)?.elements("items");
    items.iter().find(|item| !prices::is_metered(&item["price"]))?.text("id").map(str::to_owned)
}

/// The new card pays from now on.
fn add_card(world: &mut World, customer: &str, number: &str) -> Result<(), StripeError> {
    let card = TestCard::numbered(number).ok_or_else(|| StripeError::declined(Decline::IncorrectNumber, json!({})))?;
    let method = methods::issue(world, card, Some(customer));
    methods::attach(world, &method, customer)?;
    world.update("customer", customer, "customer.updated", |customer| {
        customer["invoice_settings"]["default_payment_method"] = json!(method);
    });
    for subscription in world.ids("subscription") {
        let theirs = world.get("subscription", &subscription).is_some_and(|subscription| {
            let over = matches!(subscription.text("status"), Some("canceled" | "incomplete_expired"));
            subscription.text("customer") == Some(customer) && !over
        });
        if theirs {
            world.update("subscription", &subscription, "customer.subscription.updated", |subscription| {
                subscription["default_payment_method"] = json!(method);
            });
        }
    }
    Ok(())
}
