//! `/_twin`: what a test or a person asks of the twin that nobody could ask of Stripe. All bodies are JSON. Those that say nothing are read
//! all the same: a connection with an unread rest would be closed.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::Shared;
use crate::cards::Decline;
use crate::lifecycle;
use crate::system::present_ms;
use crate::webhooks::{Delivery, endpoints};
use crate::world::{AfterDunning, Fields};

type Twin = State<Arc<Shared>>;

/// How much there is of everything, and where the deliveries stand.
pub async fn overview(State(shared): Twin) -> Json<Value> {
    let overview = shared.with_both(|world, deliveries| {
        json!({
            "now": world.now(),
            "objects": world.counts(),
            "deliveries": deliveries.counts(),
            "faults": deliveries.faults.to_json(),
            "failing_cards": world.secrets.failing.iter().map(|(card, decline)| (card.clone(), json!(decline.word()))).collect::<serde_json::Map<_, _>>(),
        })
    });
    Json(overview)
}

pub async fn faults(State(shared): Twin) -> Json<Value> {
    Json(shared.with_deliveries(|deliveries| deliveries.faults.to_json()))
}

/// Replaces the faults that are named; `{"reset": true}` ends all of them.
pub async fn set_faults(State(shared): Twin, Json(wanted): Json<Value>) -> Response {
    shared.with_deliveries(|deliveries| {
        let mut faults = if wanted.is("reset") { Default::default() } else { deliveries.faults.clone() };
        let mut named = wanted.clone();
        named.as_object_mut().map(|fields| fields.remove("reset"));
        match faults.change(&named) {
            Ok(()) => {
                deliveries.faults = faults;
                Json(deliveries.faults.to_json()).into_response()
            }
            Err(why) => refusal(&why),
        }
    })
}

/// `?status=delivered`, `?event=evt_1` or all of them.
pub async fn deliveries(State(shared): Twin, Query(query): Query<std::collections::HashMap<String, String>>) -> Json<Value> {
    let fits = |delivery: &&Delivery| {
        query.get("status").is_none_or(|status| delivery.status.name() == status)
            && query.get("event").is_none_or(|event| delivery.event == *event)
            && query.get("type").is_none_or(|kind| delivery.event_type == *kind)
    };
    let found: Vec<_> = shared.with_deliveries(|all| all.all().filter(fits).map(Delivery::to_json).collect());
    Json(json!({"deliveries": found}))
}

/// Lets go what is held, and holds no more.
pub async fn release(State(shared): Twin, _read: Bytes) -> Json<Value> {
    let released = shared.with_deliveries(|deliveries| {
        deliveries.faults.hold = false;
        deliveries.release(present_ms())
    });
    Json(json!({"released": released}))
}

/// Answers when all was delivered, given up or lost, or 504 after `timeout_ms`.
pub async fn wait_until_idle(State(shared): Twin, body: Option<Json<Value>>) -> Response {
    let patience = body.as_ref().and_then(|body| body["timeout_ms"].as_u64()).unwrap_or(10_000);
    if shared.wait_until_idle(Duration::from_millis(patience)).await {
        return Json(json!({"idle": true})).into_response();
    }
    (StatusCode::GATEWAY_TIMEOUT, Json(json!({"idle": false}))).into_response()
}

pub async fn redeliver(State(shared): Twin, Path(id): Path<String>, _read: Bytes) -> Response {
    let endpoints = shared.with_both(|world, deliveries| {
        let event = world.get("event", &id).cloned()?;
        Some(deliveries.repeat(world, &event, present_ms()))
    });
    match endpoints {
        Some(endpoints) => Json(json!({"endpoints": endpoints})).into_response(),
        None => (StatusCode::NOT_FOUND, Json(json!({"error": "there is no such event"}))).into_response(),
    }
}

/// What waits of an event is never delivered.
pub async fn drop_event(State(shared): Twin, Path(id): Path<String>, _read: Bytes) -> Json<Value> {
    Json(json!({"dropped": shared.with_deliveries(|deliveries| deliveries.lose(&id))}))
}

/// `{"url": .., "secret": ..}`: this receiver hears of everything, too.
pub async fn add_webhook(State(shared): Twin, Json(wanted): Json<Value>) -> Response {
    let (Some(url), Some(secret)) = (wanted.text("url"), wanted.text("secret")) else { return refusal("say url and secret") };
    let id = shared.with_world(|world| endpoints::add(world, url, &["*"], secret));
    Json(json!({"endpoint": id})).into_response()
}

/// `{"card": .., "decline": ..}`: a payment method, a customer, a number or `all` fails from now on; without a decline it works again.
pub async fn set_card(State(shared): Twin, Json(wanted): Json<Value>) -> Response {
    let Some(card) = wanted.text("card") else { return refusal("name a card") };
    let decline = match wanted.text("decline").map(Decline::named) {
        Some(None) => return refusal("there is no such decline"),
        Some(Some(decline)) => Some(decline),
        None => None,
    };
    shared.with_world(|world| world.secrets.set_failing(card, decline));
    Json(json!({"card": card, "decline": decline.map(Decline::word)})).into_response()
}

/// `{"seconds": ..}` or `{"to": ..}`, for everything that is on no test clock.
pub async fn advance(State(shared): Twin, Json(wanted): Json<Value>) -> Response {
    let now = shared.with_world(|world| {
        let now = world.now();
        let target = wanted.int_or_none("to").or_else(|| wanted.int_or_none("seconds").map(|seconds| now + seconds))?;
        if target < now {
            return None;
        }
        lifecycle::advance_real(world, target);
        Some(world.now())
    });
    match now {
        Some(now) => Json(json!({"now": now})).into_response(),
        None => refusal("say how many seconds, or to which second of the future"),
    }
}

/// What a merchant sets in the dashboard: `dunning_s`, `after_dunning` (`cancel`, `unpaid`, `past_due`), `draft_s`.
pub async fn set_settings(State(shared): Twin, Json(wanted): Json<Value>) -> Response {
    let after = match wanted.text("after_dunning") {
        None => None,
        Some("cancel") => Some(AfterDunning::Cancel),
        Some("unpaid") => Some(AfterDunning::MarkUnpaid),
        Some("past_due") => Some(AfterDunning::LeavePastDue),
        Some(_) => return refusal("after_dunning is cancel, unpaid or past_due"),
    };
    shared.with_world(|world| {
        let settings = &mut world.settings;
        settings.after_dunning = after.unwrap_or(settings.after_dunning);
        settings.draft_s = wanted.int_or_none("draft_s").unwrap_or(settings.draft_s);
        if wanted.get("dunning_s").is_some() {
            settings.dunning_s = wanted.elements("dunning_s").iter().filter_map(Value::as_i64).collect();
        }
        Json(json!({"dunning_s": settings.dunning_s, "draft_s": settings.draft_s})).into_response()
    })
}

fn refusal(why: &str) -> Response {
    (StatusCode::BAD_REQUEST, Json(json!({"error": why}))).into_response()
}
