//! The whole router: which path leads where, and what every request passes on its way.

use crate::{
    api,
    config::{Limits, PublicUrl},
    http::{Audience, body, compression, csrf, headers, health, in_flight, pages, panics, request_id, sessions, target, visitor},
    live, media,
    shares::Shares,
};
use axum::{
    Json, Router,
    extract::Request,
    middleware::{from_fn, from_fn_with_state},
    routing::get,
};
use ipnet::IpNet;
use service::Services;
use std::{net::IpAddr, path::Path, sync::Arc};
use tokio_util::sync::CancellationToken;

/// What handlers need beside the request.
#[derive(Clone)]
pub struct Context {
    pub services: Services,
    /// Where browsers find us, when that is not simply where we listen.
    pub public_url: Option<Arc<PublicUrl>>,
    /// Whose word on where a request comes from is taken.
    pub trusted_proxies: Arc<[IpNet]>,
    pub limits: Limits,
    pub shares: Arc<Shares>,
    /// What `/readyz` says for a second.
    pub last_look: Arc<health::LastLook>,
    /// Set when the server is to stop: streams end then.
    pub stopping: CancellationToken,
}

impl Context {
    #[must_use]
    pub fn new(services: Services, public_url: Option<PublicUrl>) -> Self {
        let limits = Limits::default();
        let shares = Arc::new(Shares::new(&limits));
        let (public_url, trusted_proxies) = (public_url.map(Arc::new), Arc::default());
        let (last_look, stopping) = (Arc::default(), CancellationToken::new());
        Self { services, public_url, trusted_proxies, limits, shares, last_look, stopping }
    }

    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Self {
        Self { shares: Arc::new(Shares::new(&limits)), limits, ..self }
    }

    pub(crate) fn is_proxy(&self, address: IpAddr) -> bool {
        self.trusted_proxies.iter().any(|network| network.contains(&address.to_canonical()))
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
        .layer(from_fn_with_state(context.clone(), in_flight::of_session))
        .with_state(context.clone());
    let browser = pages::router(context, site, document)
        .merge(private)
        .layer(sessions::layer(context))
        .layer(from_fn_with_state(context.clone(), csrf::protect));
    Router::new()
        .merge(plain)
        .merge(browser)
        .merge(api)
        .layer(from_fn_with_state((context.limits.request_deadline, Arc::clone(&context.shares)), body::guard))
        .layer(compression::layer())
        .layer(from_fn(panics::catch))
        .layer(from_fn_with_state(context.clone(), in_flight::of_visitor))
        .layer(from_fn(target::require_path))
        .layer(from_fn_with_state(context.is_https(), headers::protect))
        .layer(from_fn_with_state(context.clone(), visitor::locate))
        .layer(from_fn(request_id::identify))
}

/// What answers on a connection too many.
pub fn refusing(context: &Context) -> Router {
    Router::new()
        .route("/healthz", get(health::alive))
        .fallback(|request: Request| async move { Audience::of(&request).refuse(api::ApiError::TooManyConnections) })
        .layer(from_fn_with_state(context.is_https(), headers::protect))
        .layer(from_fn(request_id::identify))
}
