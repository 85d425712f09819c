//! Billing meters.

use serde_json::{Value, json};

use crate::wire::answer::StripeError;
use crate::wire::request::Params;
use crate::world::{Fields, World, page};

pub const KIND: &str = "billing.meter";

pub fn create(world: &mut World, params: &Params) -> Result<Value, StripeError> {
    params.only(&["customer_mapping", "default_aggregation", "display_name", "event_name", "event_time_window", "value_settings"])?;
    let event_name = params.required("event_name")?;
    let display_name = params.required("display_name")?;
    let aggregation = params.part("default_aggregation").ok_or_else(|| StripeError::missing_parameter("default_aggregation"))?;
    let formula = aggregation.choice("formula", &["count", "last", "sum"])?;
    let formula = formula.ok_or_else(|| StripeError::missing_parameter("default_aggregation[formula]"))?;
    let taken = |meter: &&Value| meter.text("event_name") == Some(event_name) && meter.text("status") == Some("active");
    if world.all(KIND).iter().any(taken) {
        let message = format!("A meter already exists with the event name {event_name}.");
        return Err(StripeError::invalid("event_name", &message));
    }
    let (mapping, values) = (params.part_or_empty("customer_mapping"), params.part_or_empty("value_settings"));
    let id = world.new_id("mtr_test_", 24);
    let now = world.now();
    let meter = json!({
        "id": id,
        "object": KIND,
        "created": now,
        "customer_mapping": {
            "event_payload_key": mapping.text("event_payload_key").unwrap_or("stripe_customer_id"),
            "type": "by_id",
        },
        "default_aggregation": {"formula": formula},
        "display_name": display_name,
        "event_name": event_name,
        "event_time_window": params.choice("event_time_window", &["day", "hour"])?,
        "livemode": false,
        "status": "active",
        "status_transitions": {"deactivated_at": null},
        "updated": now,
        "value_settings": {"event_payload_key": values.text("event_payload_key").unwrap_or("value")},
    });
    world.insert(KIND, meter);
    world.emit("billing.meter.created", KIND, &id);
    retrieve(world, &id)
}

pub fn retrieve(world: &World, id: &str) -> Result<Value, StripeError> {
    world.require(KIND, id, "id").cloned()
}

pub fn update(world: &mut World, id: &str, params: &Params) -> Result<Value, StripeError> {
    params.only(&["display_name"])?;
    world.require(KIND, id, "id")?;
    let now = world.now();
    world.update(KIND, id, "billing.meter.updated", |meter| {
        if let Some(name) = params.text("display_name") {
            meter["display_name"] = json!(name);
        }
        meter["updated"] = json!(now);
    });
    retrieve(world, id)
}

pub fn set_active(world: &mut World, id: &str, active: bool) -> Result<Value, StripeError> {
    world.require(KIND, id, "id")?;
    let now = world.now();
    let event = if active { "billing.meter.reactivated" } else { "billing.meter.deactivated" };
    world.change(KIND, id, |meter| {
        meter["status"] = json!(if active { "active" } else { "inactive" });
        meter["status_transitions"]["deactivated_at"] = if active { Value::Null } else { json!(now) };
        meter["updated"] = json!(now);
    });
    world.emit(event, KIND, id);
    retrieve(world, id)
}

pub fn list(world: &World, params: &Params) -> Result<Value, StripeError> {
    page("/v1/billing/meters", params, &["status"], world.all(KIND), |meter| {
        params.text("status").is_none_or(|status| meter.text("status") == Some(status))
    })
}
