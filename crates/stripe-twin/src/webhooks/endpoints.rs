//! Webhook endpoints. The secret is shown once, where one is created.

use serde_json::{Value, json};

use crate::wire::answer::StripeError;
use crate::wire::request::Params;
use crate::world::{API_VERSION, Fields, World, merge_metadata, metadata, page};

pub const KIND: &str = "webhook_endpoint";

pub fn create(world: &mut World, params: &Params) -> Result<Value, StripeError> {
    params.only(&["api_version", "description", "enabled_events", "metadata", "url"])?;
    let url = params.required("url")?;
    check_url(url)?;
    let events = params.texts("enabled_events");
    if events.is_empty() {
        return Err(StripeError::missing_parameter("enabled_events"));
    }
    let secret = world.new_id("whsec_", 32);
    let id = add(world, url, &events, &secret);
    world.change(KIND, &id, |endpoint| {
        endpoint["description"] = json!(params.text("description"));
        endpoint["metadata"] = metadata(params);
        endpoint["api_version"] = json!(params.text("api_version"));
    });
    world.require(KIND, &id, "id").cloned()
}

/// Also the one of the command line.
pub fn add(world: &mut World, url: &str, events: &[&str], secret: &str) -> String {
    let id = world.new_id("we_", 24);
    let endpoint = json!({
        "id": id,
        "object": KIND,
        "api_version": API_VERSION,
        "application": null,
        "created": world.now(),
        "description": null,
        "enabled_events": events,
        "livemode": false,
        "metadata": {},
        "secret": secret,
        "status": "enabled",
        "url": url,
    });
    world.insert(KIND, endpoint);
    id
}

pub fn retrieve(world: &World, id: &str) -> Result<Value, StripeError> {
    world.require(KIND, id, "id").map(without_secret)
}

pub fn update(world: &mut World, id: &str, params: &Params) -> Result<Value, StripeError> {
    params.only(&["description", "disabled", "enabled_events", "metadata", "url"])?;
    world.require(KIND, id, "id")?;
    if let Some(url) = params.text("url") {
        check_url(url)?;
    }
    let disabled = params.flag("disabled")?;
    world.change(KIND, id, |endpoint| {
        merge_metadata(&mut endpoint["metadata"], params);
        if let Some(url) = params.text("url") {
            endpoint["url"] = json!(url);
        }
        if params.has("description") {
            endpoint["description"] = json!(params.text("description"));
        }
        if params.has("enabled_events") {
            endpoint["enabled_events"] = json!(params.texts("enabled_events"));
        }
        if let Some(disabled) = disabled {
            endpoint["status"] = json!(if disabled { "disabled" } else { "enabled" });
        }
    });
    retrieve(world, id)
}

pub fn delete(world: &mut World, id: &str) -> Result<Value, StripeError> {
    world.require(KIND, id, "id")?;
    world.remove(KIND, id);
    Ok(json!({"id": id, "object": KIND, "deleted": true}))
}

pub fn list(world: &World, params: &Params) -> Result<Value, StripeError> {
    let rows: Vec<_> = world.all(KIND).into_iter().map(without_secret).collect();
    page("/v1/webhook_endpoints", params, &[], rows.iter().collect(), |_| true)
}

/// Those that want to hear of this.
pub fn listening(world: &World, event: &str) -> Vec<Value> {
    let wants = |endpoint: &&Value| {
        let events = endpoint.elements("enabled_events");
        endpoint.text("status") == Some("enabled") && events.iter().any(|wanted| wanted == "*" || wanted == event)
    };
    let mut listening: Vec<_> = world.all(KIND).into_iter().filter(wants).cloned().collect();
    listening.reverse();
    listening
}

fn check_url(url: &str) -> Result<(), StripeError> {
    if url.starts_with("http://") {
        return Ok(());
    }
    Err(StripeError::invalid("url", "The twin delivers to addresses that begin with http:// only."))
}

fn without_secret(endpoint: &Value) -> Value {
    let mut shown = endpoint.clone();
    shown.as_object_mut().map(|fields| fields.remove("secret"));
    shown
}
