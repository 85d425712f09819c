//! A visit to the portal for one purpose: `flow_data`.

use serde_json::{Value, json};

use crate::wire::answer::StripeError;
use crate::wire::request::Params;
use crate::world::{Fields, World};

const TYPES: [&str; 4] = ["payment_method_update", "subscription_cancel", "subscription_update", "subscription_update_confirm"];

/// The flow as a session shows it.
///
/// # Errors
/// When the purpose is unknown, or it is about another customer's subscription.
pub fn read(world: &World, customer: &str, flow: &Params) -> Result<Value, StripeError> {
    flow.only(&["after_completion", "subscription_cancel", "subscription_update", "subscription_update_confirm", "type"])?;
    let kind = flow.choice("type", &TYPES)?.ok_or_else(|| StripeError::missing_parameter(&flow.name("type")))?;
    let mut shown = json!({
        "after_completion": after_completion(&flow.part_or_empty("after_completion"))?,
        "customer_update": null,
        "subscription_cancel": null,
        "subscription_pause": null,
        "subscription_update": null,
        "subscription_update_confirm": null,
        "type": kind,
    });
    if kind == "payment_method_update" {
        return Ok(shown);
    }
    let details = flow.part(kind).ok_or_else(|| StripeError::missing_parameter(&flow.name(kind)))?;
    let subscription = details.required("subscription")?;
    let param = details.name("subscription");
    if world.require("subscription", subscription, &param)?.text("customer") != Some(customer) {
        return Err(StripeError::missing("subscription", subscription, &param));
    }
    shown[kind] = json!({"subscription": subscription});
    if kind == "subscription_cancel" {
        shown[kind]["retention"] = Value::Null;
    } else if kind == "subscription_update_confirm" {
        shown[kind]["discounts"] = Value::Null;
        shown[kind]["items"] = items(world, &details)?;
    }
    Ok(shown)
}

/// The subscription that a visit is about.
pub fn subscription_of(session: &Value) -> Option<&str> {
    let flow = &session["flow"];
    flow[flow.text("type")?].text("subscription")
}

/// Where the customer goes when it is done, if not back to the portal.
pub fn destination(session: &Value) -> Option<&str> {
    let after = &session["flow"]["after_completion"];
    if after.text("type") == Some("redirect") { after["redirect"].text("return_url") } else { None }
}

fn after_completion(params: &Params) -> Result<Value, StripeError> {
    let kind = params.choice("type", &["portal_homepage", "redirect"])?.unwrap_or("portal_homepage");
    let redirect = params.part_or_empty("redirect");
    let redirect = if kind == "redirect" { json!({"return_url": redirect.required("return_url")?}) } else { Value::Null };
    Ok(json!({"hosted_confirmation": null, "redirect": redirect, "type": kind}))
}

fn items(world: &World, details: &Params) -> Result<Value, StripeError> {
    let read = |part: &Params| {
        part.only(&["id", "price", "quantity"])?;
        let price = part.required("price")?;
        world.require("price", price, &part.name("price"))?;
        let mut item = json!({"id": part.required("id")?, "price": price});
        if let Some(quantity) = part.integer("quantity")? {
            item["quantity"] = json!(quantity);
        }
        Ok(item)
    };
    details.parts("items").iter().map(read).collect()
}
