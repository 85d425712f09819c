//! Whether this process runs, and whether the product around it can take work.

use crate::Context;
use axum::{Json, extract::State, http::StatusCode};
use serde_json::{Value, json};
use std::{error::Error, time::Duration};
use tokio::time::timeout;

const PATIENCE: Duration = Duration::from_secs(3);

/// The process answers; that is all this says.
pub async fn alive() -> Json<Value> {
    Json(json!({ "status": "ok" }))
}

/// Database, object store and workers; 503 and the missing one by name unless all answer.
pub async fn ready(State(context): State<Context>) -> (StatusCode, Json<Value>) {
    let Context { services, stopping, .. } = context;
    let (database, objects, workers) = tokio::join!(
        timeout(PATIENCE, services.store.ping()),
        timeout(PATIENCE, services.objects.ping()),
        timeout(PATIENCE, services.has_workers()),
    );
    let database = verdict("database", database);
    let is_wrong_store = matches!(&objects, Ok(Err(error)) if error.is_of_wrong_store());
    let objects = verdict("object store", objects);
    let objects = if is_wrong_store { "not the store of this database" } else { objects };
    let workers = match workers {
        Ok(Ok(true)) => "ok",
        Ok(Ok(false)) => "no live worker for every stage",
        _ => "unknown",
    };
    let server = if stopping.is_cancelled() { "stopping" } else { "ok" };
    let ready = [database, objects, workers, server].iter().all(|check| *check == "ok");
    let (status, code) = if ready { ("ready", StatusCode::OK) } else { ("unavailable", StatusCode::SERVICE_UNAVAILABLE) };
    let checks = json!({ "database": database, "objects": objects, "workers": workers, "server": server });
    (code, Json(json!({ "status": status, "checks": checks })))
}

fn verdict<T, E: Error + 'static>(name: &str, answer: Result<Result<T, E>, tokio::time::error::Elapsed>) -> &'static str {
    match answer {
        Ok(Ok(_)) => "ok",
        Ok(Err(error)) => {
            tracing::warn!(error = &error as &dyn Error, "not ready: the {name} answers with an error");
            "failing"
        }
        Err(_) => "not answering",
    }
}
