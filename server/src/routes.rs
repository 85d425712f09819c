//! The whole router: which path leads where, and what every request passes on its way.

use crate::{
    api,
    config::PublicUrl,
    http::{body, compression, csrf, headers, health, pages, panics, request_id, sessions, visitor},
    live, media,
};
use axum::{
    Json, Router,
    middleware::{from_fn, from_fn_with_state},
    routing::get,
};
use ipnet::IpNet;
use service::Services;
use std::{path::Path, sync::Arc};
use tokio_util::sync::CancellationToken;

/// What handlers need beside the request.
#[derive(Clone)]
pub struct Context {
    pub services: Services,
    /// Where browsers find us, when that is not simply where we listen.
    pub public_url: Option<Arc<PublicUrl>>,
    /// Whose word on where a request comes from is taken.
    pub trusted_proxies: Arc<[IpNet]>,
    /// Set when the server is to stop: streams end then.
    pub stopping: CancellationToken,
}

impl Context {
    #[must_use]
    pub fn new(services: Services, public_url: Option<PublicUrl>) -> Self {
        Self { services, public_url: public_url.map(Arc::new), trusted_proxies: Arc::default(), stopping: CancellationToken::new() }
    }

    pub(crate) fn is_https(&self) -> bool {
        self.public_url.as_ref().is_some_and(|url| url.is_https())
    }
}

/// Every route, ready to be served. `site` is the folder of the built pages.
pub fn router(context: &Context, site: &Path) -> Router {
    let (api, document) = api::router(context);
    let document = Arc::new(serde_json::to_value(document).unwrap_or_default());
    let served = Json(Arc::clone(&document));
    let plain = Router::new()
        .route("/healthz", get(health::alive))
        .route("/readyz", get(health::ready))
        .route("/openapi.json", get(|| async move { served }))
        .with_state(context.clone());
    let private = Router::new()
        .route("/live/videos/{id}/events", get(live::events_for_pages))
        .route("/media/videos/{id}/{file}", get(media::file_for_pages))
        .with_state(context.clone());
    let browser = pages::router(context, site, document)
        .merge(private)
        .layer(sessions::layer(context))
        .layer(from_fn_with_state(context.clone(), csrf::protect));
    Router::new()
        .merge(plain)
        .merge(browser)
        .merge(api)
        .layer(from_fn(body::guard))
        .layer(compression::layer())
        .layer(from_fn(panics::catch))
        .layer(from_fn_with_state(context.is_https(), headers::protect))
        .layer(from_fn_with_state(context.clone(), visitor::locate))
        .layer(from_fn(request_id::identify))
}
