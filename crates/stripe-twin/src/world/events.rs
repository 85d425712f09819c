//! What has happened: each event holds its object as it was at that moment.

use serde_json::{Map, Value, json};

use super::{API_VERSION, Fields, World};

/// The request that makes events happen; none while time passes.
#[derive(Clone, Default)]
pub struct Cause {
    pub request: Option<String>,
    pub idempotency_key: Option<String>,
}

impl World {
    pub fn set_cause(&mut self, cause: Cause) {
        self.cause = cause;
    }

    /// Tells of an object as it is now.
    pub fn emit(&mut self, event: &str, kind: &str, id: &str) {
        if let Some(object) = self.get(kind, id).cloned() {
            self.emit_object(event, object, None);
        }
    }

    /// The same, with what the changed fields were before. Nothing happens where nothing was changed.
    pub fn emit_change(&mut self, event: &str, kind: &str, id: &str, before: &Value) {
        let Some(object) = self.get(kind, id).cloned() else { return };
        let previous = changed(before, &object);
        if !previous.is_empty() {
            self.emit_object(event, object, Some(Value::Object(previous)));
        }
    }

    /// Tells of an object that is stored nowhere, or no more.
    pub fn emit_object(&mut self, event: &str, mut object: Value, previous: Option<Value>) {
        if object.text("object") == Some("webhook_endpoint") {
            object.as_object_mut().map(|fields| fields.remove("secret"));
        }
        let clock = object.text("test_clock").map(str::to_owned);
        let clock = clock.or_else(|| object.id_of("customer").and_then(|customer| self.clock_of(customer)));
        let mut data = json!({"object": object});
        if let Some(previous) = previous {
            data["previous_attributes"] = previous;
        }
        let id = self.new_id("evt_", 24);
        let event = json!({
            "id": id,
            "object": "event",
            "api_version": API_VERSION,
            "created": self.now_on(clock.as_deref()),
            "data": data,
            "livemode": false,
            "pending_webhooks": 0,
            "request": {"id": self.cause.request, "idempotency_key": self.cause.idempotency_key},
            "type": event,
        });
        self.undelivered.push(event.clone());
        self.insert("event", event);
    }

    /// Hands over what has happened since the last call.
    pub fn take_undelivered(&mut self) -> Vec<Value> {
        std::mem::take(&mut self.undelivered)
    }
}

/// The fields that differ, as they were before.
fn changed(before: &Value, after: &Value) -> Map<String, Value> {
    let empty = Map::new();
    let (before, after) = (before.as_object().unwrap_or(&empty), after.as_object().unwrap_or(&empty));
    let names = before.keys().chain(after.keys().filter(|name| !before.contains_key(*name)));
    let value = |fields: &Map<String, Value>, name: &String| fields.get(name).cloned().unwrap_or(Value::Null);
    names.filter(|name| before.get(*name) != after.get(*name)).map(|name| (name.clone(), value(before, name))).collect()
}
