//! Test clocks: time that stands still for some customers until somebody moves it.

use serde_json::{Value, json};

use super::run_until;
use crate::billing::standing;
use crate::billing::subscriptions::{interval_of, period_of};
use crate::wire::answer::StripeError;
use crate::wire::request::Params;
use crate::world::{Fields, World, page};

const KIND: &str = "test_helpers.test_clock";
const TWO_YEARS: i64 = 2 * 366 * 86_400;

pub fn create(world: &mut World, params: &Params) -> Result<Value, StripeError> {
    params.only(&["frozen_time", "name"])?;
    let frozen = params.integer("frozen_time")?.ok_or_else(|| StripeError::missing_parameter("frozen_time"))?;
    let id = world.new_id("clock_", 24);
    let now = world.now();
    let clock = json!({
        "id": id,
        "object": KIND,
        "created": now,
        "deletes_after": now + 30 * 86_400,
        "frozen_time": frozen,
        "livemode": false,
        "name": params.text("name"),
        "status": "ready",
        "status_details": {},
    });
    world.insert(KIND, clock);
    world.emit("test_helpers.test_clock.created", KIND, &id);
    retrieve(world, &id)
}

pub fn retrieve(world: &World, id: &str) -> Result<Value, StripeError> {
    world.require(KIND, id, "id").cloned()
}

pub fn list(world: &World, params: &Params) -> Result<Value, StripeError> {
    page("/v1/test_helpers/test_clocks", params, &[], world.all(KIND), |_| true)
}

/// All is done when this returns; the answer says `advancing` all the same, as Stripe's does.
pub fn advance(world: &mut World, id: &str, params: &Params) -> Result<Value, StripeError> {
    params.only(&["frozen_time"])?;
    let clock = world.require(KIND, id, "id")?.clone();
    let target = params.integer("frozen_time")?.ok_or_else(|| StripeError::missing_parameter("frozen_time"))?;
    if target <= clock.int("frozen_time") {
        return Err(StripeError::invalid("frozen_time", "The time to advance to must be after the clock's current frozen time."));
    }
    if target > furthest(world, &clock) {
        let message = "The time to advance to cannot be more than two intervals in the future from the shortest subscription in this \
                       test clock, nor more than two years in the future.";
        return Err(StripeError::invalid("frozen_time", message));
    }
    let mut answer = clock;
    answer["status"] = json!("advancing");
    answer["status_details"] = json!({"advancing": {"target_frozen_time": target}});
    world.emit_object("test_helpers.test_clock.advancing", answer.clone(), None);
    run_until(world, Some(id), target);
    world.emit("test_helpers.test_clock.ready", KIND, id);
    Ok(answer)
}

/// Its customers and what is theirs go with it.
pub fn delete(world: &mut World, id: &str) -> Result<Value, StripeError> {
    world.require(KIND, id, "id")?;
    let on_clock = |world: &World, kind: &str| -> Vec<String> {
        let theirs = world.all(kind).into_iter().filter(|object| object.text("test_clock") == Some(id));
        theirs.filter_map(|object| object.text("id")).map(str::to_owned).collect()
    };
    for subscription in on_clock(world, "subscription") {
        let ended = |subscription: &Value| matches!(subscription.text("status"), Some("canceled" | "incomplete_expired"));
        if world.get("subscription", &subscription).is_some_and(|subscription| !ended(subscription)) {
            standing::end(world, &subscription, "cancellation_requested");
        }
    }
    for kind in ["subscription", "invoice", "invoiceitem", "customer"] {
        for object in on_clock(world, kind) {
            world.remove(kind, &object);
        }
    }
    if let Some(clock) = world.remove(KIND, id) {
        world.emit_object("test_helpers.test_clock.deleted", clock, None);
    }
    Ok(json!({"id": id, "object": KIND, "deleted": true}))
}

/// Moves everything that is on no test clock into the future.
pub fn advance_real(world: &mut World, target: i64) {
    run_until(world, None, target);
    world.move_to(target);
}

fn furthest(world: &World, clock: &Value) -> i64 {
    let now = clock.int("frozen_time");
    let on_clock = world.all("subscription").into_iter().filter(|subscription| {
        let over = matches!(subscription.text("status"), Some("canceled" | "incomplete_expired"));
        subscription["test_clock"] == clock["id"] && !over
    });
    let ends = on_clock.filter_map(|subscription| {
        let interval = interval_of(&subscription.elements("items").first()?["price"]);
        Some(interval.after(now, 2).max(period_of(subscription).end))
    });
    ends.min().unwrap_or(now + TWO_YEARS)
}
