//! The twin over HTTP: the API below `/v1`, the pages that people see, and the control door below `/_twin`.

mod api;
mod control;
mod expand;
mod idempotency;
mod pages;
mod routes;
mod shared;

use std::sync::Arc;

use axum::Router;
use axum::routing::{any, get, post};

pub use shared::Shared;

pub fn router(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/v1/{*path}", any(api::answer))
        .route("/c/pay/{session}", get(pages::checkout).post(pages::pay))
        .route("/c/pay/{session}/cancel", get(pages::cancel_checkout))
        .route("/p/session/{secret}", get(pages::portal).post(pages::portal_act))
        .route("/invoice/{id}", get(pages::invoice).post(pages::pay_invoice))
        .route("/invoice/{id}/pdf", get(pages::invoice))
        .route("/authenticate/{intent}", get(pages::ask_owner).post(pages::hear_owner))
        .route("/_twin", get(control::overview))
        .route("/_twin/faults", get(control::faults).post(control::set_faults))
        .route("/_twin/deliveries", get(control::deliveries))
        .route("/_twin/deliveries/release", post(control::release))
        .route("/_twin/idle", post(control::wait_until_idle))
        .route("/_twin/events/{id}/redeliver", post(control::redeliver))
        .route("/_twin/events/{id}/drop", post(control::drop_event))
        .route("/_twin/webhooks", post(control::add_webhook))
        .route("/_twin/cards", post(control::set_card))
        .route("/_twin/clock/advance", post(control::advance))
        .route("/_twin/settings", post(control::set_settings))
        .with_state(shared)
}
