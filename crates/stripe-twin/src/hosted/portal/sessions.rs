//! One visit of a customer to the portal. Whoever has its address is that customer.

use serde_json::{Value, json};

use super::{configurations, flows};
use crate::wire::answer::StripeError;
use crate::wire::request::Params;
use crate::world::{Fields, World};

pub const KIND: &str = "billing_portal.session";

pub fn create(world: &mut World, params: &Params) -> Result<Value, StripeError> {
    params.only(&["configuration", "customer", "flow_data", "locale", "return_url"])?;
    let customer = params.required("customer")?.to_owned();
    if world.require("customer", &customer, "customer")?.is("deleted") {
        return Err(StripeError::missing("customer", &customer, "customer"));
    }
    let configuration = match params.text("configuration") {
        Some(id) => world.require(configurations::KIND, id, "configuration").map(|_| id.to_owned())?,
        None => configurations::default(world)?,
    };
    let fallback = world.get(configurations::KIND, &configuration).map(|one| one["default_return_url"].clone());
    let flow = params.part("flow_data").map(|flow| flows::read(world, &customer, &flow)).transpose()?;
    let id = world.new_id("bps_", 24);
    let secret = world.new_id("test_", 40);
    let session = json!({
        "id": id,
        "object": KIND,
        "configuration": configuration,
        "created": world.now(),
        "customer": customer,
        "customer_account": null,
        "flow": flow,
        "livemode": false,
        "locale": params.text("locale"),
        "on_behalf_of": null,
        "return_url": params.text("return_url").map_or_else(|| fallback.unwrap_or_default(), |url| json!(url)),
        "url": format!("{}/p/session/{secret}", world.base_url),
    });
    world.insert(KIND, session.clone());
    world.emit("billing_portal.session.created", KIND, &id);
    Ok(session)
}

/// By the secret at the end of its address.
pub fn by_secret<'a>(world: &'a World, secret: &str) -> Option<&'a Value> {
    let ends = |session: &&Value| session.text("url").is_some_and(|url| url.rsplit('/').next() == Some(secret));
    world.all(KIND).into_iter().find(ends)
}
