//! The public API under `/v1`: the routes, and the only place that knows their JSON.

pub(crate) mod batches;
mod body;
mod caller;
mod client_tokens;
pub mod compatible;
pub mod cors;
mod cost;
pub(crate) mod fields;
pub(crate) mod files;
mod json;
mod layout;
mod models;
mod openapi;
mod operator;
mod query;
mod request;
pub mod scopes;
mod usage;
mod videos;
mod webhooks;
mod wire;

pub use batches::lines::JsonLines;
pub use openapi::Documents;

use crate::{
    context::Context,
    error::{ApiError, ErrorBody},
    http::answers,
};
use axum::{Router, middleware::from_fn_with_state, routing::any};
use std::sync::Arc;
use utoipa_axum::{router::OpenApiRouter, routes};

/// The routes, and the documents that describe every one of them.
pub fn router(context: &Context) -> (Router, Documents) {
    let (documented, document) = OpenApiRouter::with_openapi(openapi::base())
        .routes(routes!(videos::create::create_video, videos::list::list_videos))
        .routes(routes!(videos::read::retrieve_video, videos::change::delete_video))
        .routes(routes!(videos::content::download_video))
        .routes(routes!(videos::layout::video_layout))
        .routes(routes!(videos::change::cancel_video))
        .routes(routes!(videos::create::remix_video))
        .routes(routes!(videos::events::watch_video))
        .routes(routes!(videos::derived::edit_video))
        .routes(routes!(videos::derived::extend_video))
        .routes(routes!(videos::characters::create_character))
        .routes(routes!(videos::characters::retrieve_character))
        .routes(routes!(videos::queue::list_queue))
        .routes(routes!(videos::queue::move_video))
        .routes(routes!(videos::queue::cancel_queue))
        .routes(routes!(files::create_file, files::list_files))
        .routes(routes!(files::retrieve_file, files::delete_file))
        .routes(routes!(files::download_file))
        .routes(routes!(batches::create::create_batch, batches::read::list_batches))
        .routes(routes!(batches::read::retrieve_batch))
        .routes(routes!(batches::read::cancel_batch))
        .routes(routes!(batches::create::retry_batch))
        .routes(routes!(batches::results::batch_results))
        .routes(routes!(usage::usage))
        .routes(routes!(usage::costs))
        .routes(routes!(usage::numbers::overview))
        .routes(routes!(client_tokens::create_client_token))
        .routes(routes!(webhooks::endpoints::create_webhook_endpoint, webhooks::endpoints::list_webhook_endpoints))
        .routes(routes!(
            webhooks::endpoints::retrieve_webhook_endpoint,
            webhooks::endpoints::update_webhook_endpoint,
            webhooks::endpoints::delete_webhook_endpoint
        ))
        .routes(routes!(webhooks::endpoints::rotate_webhook_secret))
        .routes(routes!(webhooks::deliveries::test_webhook_endpoint))
        .routes(routes!(webhooks::deliveries::list_webhook_deliveries))
        .routes(routes!(webhooks::deliveries::replay_webhook_deliveries))
        .routes(routes!(webhooks::deliveries::retrieve_webhook_delivery))
        .routes(routes!(webhooks::deliveries::replay_webhook_delivery))
        .routes(routes!(webhooks::endpoints::list_webhook_event_types))
        .routes(routes!(operator::show_queue, operator::change_queue))
        .routes(routes!(usage::numbers::operator_metrics))
        .routes(routes!(operator::alerts::list_alerts, operator::alerts::create_alert))
        .routes(routes!(operator::alerts::silence_alerts))
        .routes(routes!(operator::alerts::alert_history))
        .routes(routes!(operator::alerts::update_alert, operator::alerts::delete_alert))
        .routes(routes!(models::list_models))
        .routes(routes!(models::retrieve_model))
        .split_for_parts();
    let router = documented
        .route_layer(from_fn_with_state(Arc::clone(&context.shares), answers::bound))
        .route_layer(from_fn_with_state(context.clone(), caller::authenticate))
        .method_not_allowed_fallback(|| async { ApiError::MethodNotAllowed })
        .route("/v1", any(unknown))
        .route("/v1/", any(unknown))
        .route("/v1/{*rest}", any(unknown))
        .with_state(context.clone());
    (router, Documents::new(openapi::with_errors(document)))
}

async fn unknown() -> ApiError {
    ApiError::RouteUnknown
}
