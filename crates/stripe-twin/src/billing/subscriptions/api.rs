//! Reading subscriptions, and their items as things of their own.

use serde_json::{Value, json};

use super::document::KIND;
use super::update::update;
use crate::wire::answer::StripeError;
use crate::wire::request::Params;
use crate::world::{Fields, World, page, page_of};

const CHANGES: [&str; 5] = ["payment_behavior", "proration_behavior", "proration_date", "off_session", "subscription"];

pub fn retrieve(world: &World, id: &str) -> Result<Value, StripeError> {
    world.require(KIND, id, "id").cloned()
}

/// Without a status those that are not over.
pub fn list(world: &World, params: &Params) -> Result<Value, StripeError> {
    let status = params.text("status");
    let filters = ["collection_method", "customer", "price", "status", "test_clock"];
    page("/v1/subscriptions", params, &filters, world.all(KIND), |subscription| {
        let state = subscription.text("status").unwrap_or_default();
        let fits = match status {
            None => !matches!(state, "canceled" | "incomplete_expired"),
            Some("all") => true,
            Some("ended") => matches!(state, "canceled" | "incomplete_expired"),
            Some(status) => state == status,
        };
        let same = |name: &str| params.text(name).is_none_or(|wanted| subscription.text(name) == Some(wanted));
        let has_price = params
            .text("price")
            .is_none_or(|wanted| subscription.elements("items").iter().any(|item| item["price"].text("id") == Some(wanted)));
        fits && has_price && same("collection_method") && same("customer") && same("test_clock")
    })
}

pub fn list_items(world: &World, params: &Params) -> Result<Value, StripeError> {
    params.only(&["subscription", "limit", "starting_after", "ending_before"])?;
    let subscription = world.require(KIND, params.required("subscription")?, "subscription")?;
    page_of("/v1/subscription_items", params, subscription.elements("items").to_vec())
}

pub fn retrieve_item(world: &World, id: &str) -> Result<Value, StripeError> {
    let all = world.all(KIND);
    let found = all.iter().flat_map(|subscription| subscription.elements("items")).find(|item| item.text("id") == Some(id));
    found.cloned().ok_or_else(|| StripeError::missing("subscription_item", id, "id"))
}

pub fn create_item(world: &mut World, params: &Params) -> Result<Value, StripeError> {
    let subscription = params.required("subscription")?.to_owned();
    world.require(KIND, &subscription, "subscription")?;
    let after = change(world, &subscription, params, json!({}))?;
    after.elements("items").last().cloned().ok_or_else(|| StripeError::missing_parameter("price"))
}

pub fn update_item(world: &mut World, id: &str, params: &Params) -> Result<Value, StripeError> {
    let subscription = retrieve_item(world, id)?.text("subscription").unwrap_or_default().to_owned();
    change(world, &subscription, params, json!({"id": id}))?;
    retrieve_item(world, id)
}

pub fn delete_item(world: &mut World, id: &str, params: &Params) -> Result<Value, StripeError> {
    let subscription = retrieve_item(world, id)?.text("subscription").unwrap_or_default().to_owned();
    change(world, &subscription, params, json!({"id": id, "deleted": "true"}))?;
    Ok(json!({"id": id, "object": "subscription_item", "deleted": true}))
}

/// A change of one item is a change of its subscription.
fn change(world: &mut World, subscription: &str, params: &Params, mut item: Value) -> Result<Value, StripeError> {
    let mut whole = json!({});
    for name in params.names().filter(|name| !matches!(*name, "expand" | "subscription")) {
        let target = if CHANGES.contains(&name) { &mut whole } else { &mut item };
        target[name] = params.tree(name);
    }
    whole["items"] = json!([item]);
    update(world, subscription, &Params::new(whole))
}
