//! Whether this process runs, and whether the product around it can take work.

use crate::{context::Context, readiness::Found};
use axum::{Json, extract::State, http::StatusCode};
use serde_json::{Value, json};

/// The process answers; that is all this says.
pub async fn alive() -> Json<Value> {
    Json(json!({ "status": "ok" }))
}

/// Database, object store and workers; 503 and the missing one by name unless all answer.
pub async fn ready(State(context): State<Context>) -> (StatusCode, Json<Value>) {
    let Found { database, objects, workers } = context.last_look.of(&context.services).await;
    let server = if context.stopping.is_cancelled() { "stopping" } else { "ok" };
    let ready = [database, objects, workers, server].iter().all(|check| *check == "ok");
    let (status, code) = if ready { ("ready", StatusCode::OK) } else { ("unavailable", StatusCode::SERVICE_UNAVAILABLE) };
    let checks = json!({ "database": database, "objects": objects, "workers": workers, "server": server });
    (code, Json(json!({ "status": status, "checks": checks })))
}
