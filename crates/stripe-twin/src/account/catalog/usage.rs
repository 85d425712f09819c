//! What meters are told, and what they make of it.

use serde_json::{Value, json};

use super::meters;
use crate::wire::answer::StripeError;
use crate::wire::request::Params;
use crate::world::{Fields, World, page_of};

const EVENT: &str = "billing.meter_event";
const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// Takes usage in, once for each identifier within a day.
pub fn report(world: &mut World, params: &Params) -> Result<Value, StripeError> {
    params.only(&["event_name", "identifier", "payload", "timestamp"])?;
    let event_name = params.required("event_name")?.to_owned();
    let payload = params.part("payload").ok_or_else(|| StripeError::missing_parameter("payload"))?;
    let meter = active_meter(world, &event_name)?;
    let customer_key = meter["customer_mapping"].text("event_payload_key").unwrap_or_default().to_owned();
    let value_key = meter["value_settings"].text("event_payload_key").unwrap_or_default().to_owned();
    let customer = payload.required(&customer_key)?.to_owned();
    let param = payload.name(&customer_key);
    if world.require("customer", &customer, &param)?.is("deleted") {
        return Err(StripeError::missing("customer", &customer, &param));
    }
    let is_count = meter["default_aggregation"].text("formula") == Some("count");
    if !is_count && payload.number(&value_key)?.is_none() {
        return Err(StripeError::missing_parameter(&payload.name(&value_key)));
    }
    let now = world.now_for(&customer);
    let timestamp = params.integer("timestamp")?.unwrap_or(now);
    check_timestamp(timestamp, now)?;
    let identifier = params.text("identifier").map_or_else(|| world.new_id("", 32), str::to_owned);
    claim_identifier(world, &identifier, now)?;
    let event = json!({
        "object": EVENT,
        "created": now,
        "event_name": event_name,
        "identifier": identifier,
        "livemode": false,
        "payload": payload.to_value(),
        "timestamp": timestamp,
    });
    let mut stored = event.clone();
    stored["id"] = json!(world.new_id("mev_", 24));
    stored["meter"] = meter["id"].clone();
    stored["of"] = json!(customer);
    stored["value"] = json!(payload.number(&value_key)?.unwrap_or(1.0));
    world.insert(EVENT, stored);
    Ok(event)
}

/// Takes usage back that came within the last day.
pub fn adjust(world: &mut World, params: &Params) -> Result<Value, StripeError> {
    params.only(&["event_name", "type", "cancel"])?;
    let (event_name, kind) = (params.required("event_name")?, params.required("type")?);
    let cancel = params.part("cancel").ok_or_else(|| StripeError::missing_parameter("cancel"))?;
    let identifier = cancel.required("identifier")?;
    let matches = |event: &&Value| event.text("identifier") == Some(identifier) && event.text("event_name") == Some(event_name);
    let found = world.all(EVENT).into_iter().find(matches).and_then(|event| event.text("id")).map(str::to_owned);
    let found = found.ok_or_else(|| StripeError::missing("meter_event", identifier, &cancel.name("identifier")))?;
    world.remove(EVENT, &found);
    Ok(json!({
        "object": "billing.meter_event_adjustment",
        "cancel": {"identifier": identifier},
        "event_name": event_name,
        "livemode": false,
        "status": "complete",
        "type": kind,
    }))
}

/// `/v1/billing/meters/{id}/event_summaries`: for the whole span, or by hour or day.
pub fn summaries(world: &World, meter: &str, params: &Params) -> Result<Value, StripeError> {
    params.only(&["customer", "start_time", "end_time", "value_grouping_window", "limit", "starting_after", "ending_before"])?;
    let stored = world.require(meters::KIND, meter, "id")?;
    let customer = params.required("customer")?;
    let time = |name: &str| params.integer(name)?.ok_or_else(|| StripeError::missing_parameter(name));
    let (start, end) = (time("start_time")?, time("end_time")?);
    if start >= end || start % MINUTE != 0 || end % MINUTE != 0 {
        return Err(StripeError::invalid("start_time", "Start and end must be aligned with minute boundaries, and in order."));
    }
    let window = match params.choice("value_grouping_window", &["hour", "day"])? {
        Some("hour") => HOUR,
        Some(_) => DAY,
        None => end - start,
    };
    let mut rows = Vec::new();
    let mut from = start;
    while from < end {
        let to = (from + window).min(end);
        let events = events_within(world, meter, customer, from, to);
        if !events.is_empty() || window == end - start {
            rows.push(json!({
                "id": format!("mtrusg_test_{from}{to}"),
                "object": "billing.meter_event_summary",
                "aggregated_value": aggregate(stored, &events),
                "end_time": to,
                "livemode": false,
                "meter": meter,
                "start_time": from,
            }));
        }
        from = to;
    }
    rows.reverse();
    page_of(&format!("/v1/billing/meters/{meter}/event_summaries"), params, rows)
}

/// What a meter counted for a customer from one second up to another, as units of a price.
pub fn units(world: &World, meter: &str, customer: &str, from: i64, to: i64) -> i64 {
    let Some(stored) = world.get(meters::KIND, meter) else { return 0 };
    aggregate(stored, &events_within(world, meter, customer, from, to)).round() as i64
}

/// The earliest first.
fn events_within<'a>(world: &'a World, meter: &str, customer: &str, from: i64, to: i64) -> Vec<&'a Value> {
    let within = |event: &&Value| {
        event.text("meter") == Some(meter) && event.text("of") == Some(customer) && (from..to).contains(&event.int("timestamp"))
    };
    let mut events: Vec<_> = world.all(EVENT).into_iter().rev().filter(within).collect();
    events.sort_by_key(|event| event.int("timestamp"));
    events
}

fn aggregate(meter: &Value, events: &[&Value]) -> f64 {
    let value = |event: &&Value| event["value"].as_f64().unwrap_or(0.0);
    match meter["default_aggregation"].text("formula") {
        Some("count") => events.len() as f64,
        Some("last") => events.last().map_or(0.0, value),
        _ => events.iter().map(value).sum(),
    }
}

fn active_meter(world: &World, event_name: &str) -> Result<Value, StripeError> {
    let named: Vec<_> = world.all(meters::KIND).into_iter().filter(|meter| meter.text("event_name") == Some(event_name)).collect();
    let active = named.iter().find(|meter| meter.text("status") == Some("active"));
    active.map(|meter| (*meter).clone()).ok_or_else(|| {
        let (code, what) = if named.is_empty() { ("no_meter", "No meter found") } else { ("archived_meter", "The meter is not active") };
        StripeError::coded(code, &format!("{what} with the event name {event_name}."))
    })
}

fn check_timestamp(timestamp: i64, now: i64) -> Result<(), StripeError> {
    if timestamp > now + 5 * MINUTE {
        let message = "The timestamp is more than five minutes in the future.";
        return Err(StripeError::coded("timestamp_in_future", message));
    }
    if timestamp < now - 35 * DAY {
        return Err(StripeError::coded("timestamp_too_far_in_past", "The timestamp is more than 35 days in the past."));
    }
    Ok(())
}

fn claim_identifier(world: &mut World, identifier: &str, now: i64) -> Result<(), StripeError> {
    let seen = world.secrets.usage_identifiers.get(identifier);
    if seen.is_some_and(|seen| now < seen + DAY) {
        let message = format!("An event already exists with identifier {identifier}.");
        return Err(StripeError::coded("duplicate_meter_event", &message));
    }
    world.secrets.usage_identifiers.insert(identifier.to_owned(), now);
    Ok(())
}
