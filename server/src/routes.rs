//! The whole router: which path leads where, and what every request passes on its way.

use crate::{
    api, batches,
    context::Context,
    error::ApiError,
    files::{exports, mails, media, outputs},
    http::{Audience, body, compression, csrf, headers, health, in_flight, metrics, pages, panics, sessions, target, visitor},
    live, request_id, webhooks,
};
use app::ApiReference;
use axum::{
    Json, Router,
    extract::{Request, State},
    http::header,
    middleware::{from_fn, from_fn_with_state},
    response::IntoResponse,
    routing::{get, post},
};
use domain::Catalog;
use std::{path::Path, sync::Arc};

/// Every route, ready to be served. `site` is the folder of the built pages.
pub fn router(context: &Context, site: &Path) -> Router {
    let (api, documents) = api::router(context);
    let documents = Arc::new(documents);
    let served = Arc::clone(&documents);
    let reference = ApiReference(Arc::new(move |catalog: &Catalog| documents.of(catalog)));
    let plain = Router::new()
        .route("/healthz", get(health::alive))
        .route("/livez", get(health::alive))
        .route("/readyz", get(health::ready))
        .route("/metrics", get(metrics::show))
        .route("/webhooks/stripe", post(webhooks::stripe))
        .route("/openapi.json", get(|State(context): State<Context>| async move { served.current(&context.services).await }))
        .route("/.well-known/jwks.json", get(public_keys))
        .route("/outputs/{token}/{file}", get(outputs::send))
        .with_state(context.clone());
    let private = Router::new()
        .route("/live/videos/{id}/events", get(live::events_for_pages))
        .route("/usage.csv", get(exports::usage))
        .route("/ledger.csv", get(exports::own_ledger))
        .route("/admin/ledger.csv", get(exports::ledger))
        .route("/numbers.csv", get(exports::own_numbers))
        .route("/admin/numbers.csv", get(exports::installation_numbers))
        .route("/media/videos/{id}/{file}", get(media::file_for_pages))
        .route(body::BATCH_UPLOAD, post(batches::upload))
        .route("/batches/{batch_id}/output.jsonl", get(batches::output))
        .route("/batches/{batch_id}/errors.jsonl", get(batches::errors))
        .route("/batches/{batch_id}/videos.zip", get(batches::videos))
        .route("/mails/{id}", get(mails::show))
        .layer(from_fn_with_state(context.clone(), in_flight::of_session))
        .with_state(context.clone());
    let browser = pages::router(context, site, reference)
        .merge(private)
        .layer(from_fn(sessions::keep_from_changing))
        .layer(sessions::layer(context))
        .layer(from_fn_with_state(context.clone(), csrf::protect));
    let router = Router::new()
        .merge(plain)
        .merge(browser)
        .merge(api)
        .merge(api::compatible::router(context))
        .layer(from_fn_with_state((context.limits.request_deadline, Arc::clone(&context.shares)), body::guard))
        .layer(compression::layer())
        .layer(from_fn(panics::catch))
        .layer(from_fn(api::cors::allow))
        .layer(from_fn_with_state(context.clone(), in_flight::of_visitor))
        .layer(from_fn(target::require_path))
        .layer(from_fn(api::compatible::say_as_they_do))
        .layer(from_fn_with_state(context.is_https(), headers::protect))
        .layer(from_fn_with_state(context.clone(), visitor::locate))
        .layer(from_fn_with_state(Arc::clone(&context.services.metrics), metrics::count))
        .layer(from_fn_with_state(request_id::Listeners::of(&context.services), request_id::identify));
    match &context.fal_host {
        Some(host) => Router::new().fallback_service(router).layer(from_fn_with_state(Arc::clone(host), api::compatible::at_fal_host)),
        None => router,
    }
}

/// By which anybody can tell that a client token was made here.
async fn public_keys(State(context): State<Context>) -> Result<impl IntoResponse, ApiError> {
    let keys = context.services.public_keys().await?;
    Ok(([(header::CACHE_CONTROL, "public, max-age=300")], Json(keys)))
}

/// What answers on a connection too many.
pub fn refusing(context: &Context) -> Router {
    Router::new()
        .route("/healthz", get(health::alive))
        .route("/livez", get(health::alive))
        .fallback(|request: Request| async move { Audience::of(&request).refuse(ApiError::TooManyConnections) })
        .layer(from_fn_with_state(context.is_https(), headers::protect))
        .layer(from_fn_with_state(Arc::clone(&context.services.metrics), metrics::count))
        .layer(from_fn_with_state(request_id::Listeners::of(&context.services), request_id::identify))
}
