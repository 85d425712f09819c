//! What handlers need beside the request, built once.

use crate::{
    config::{HostName, Limits, PublicUrl},
    pace::Pace,
    readiness::LastLook,
    shares::Shares,
};
use axum::http::{HeaderMap, header};
use ipnet::IpNet;
use service::{Services, telemetry::MetricsToken};
use std::{net::IpAddr, sync::Arc};
use tokio_util::sync::CancellationToken;

#[derive(Clone)]
pub struct Context {
    pub services: Services,
    /// Where browsers find us, when that is not simply where we listen.
    pub public_url: Option<Arc<PublicUrl>>,
    /// Whose word on where a request comes from is taken.
    pub trusted_proxies: Arc<[IpNet]>,
    /// Opens `/metrics`, which is not there without it.
    pub metrics_token: Option<MetricsToken>,
    /// Under which name clients of fal's queue find us, beside the path `/fal`.
    pub fal_host: Option<Arc<HostName>>,
    pub limits: Limits,
    pub shares: Arc<Shares>,
    pub pace: Arc<Pace>,
    /// What `/readyz` says for a second.
    pub last_look: Arc<LastLook>,
    /// Set when the server is to stop: streams end then.
    pub stopping: CancellationToken,
}

impl Context {
    #[must_use]
    pub fn new(services: Services, public_url: Option<PublicUrl>) -> Self {
        let limits = Limits::default();
        let shares = Arc::new(Shares::new(&limits));
        let (public_url, trusted_proxies) = (public_url.map(Arc::new), Arc::default());
        let (pace, last_look, stopping) = (Arc::default(), Arc::default(), CancellationToken::new());
        Self { services, public_url, trusted_proxies, metrics_token: None, fal_host: None, limits, shares, pace, last_look, stopping }
    }

    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Self {
        Self { shares: Arc::new(Shares::new(&limits)), limits, ..self }
    }

    pub(crate) fn is_proxy(&self, address: IpAddr) -> bool {
        self.trusted_proxies.iter().any(|network| network.contains(&address.to_canonical()))
    }

    /// Who client tokens say has made them: the address of this service, where that is known.
    pub(crate) fn issuer(&self) -> &str {
        self.public_url.as_ref().map_or("reelmill", |url| url.origin())
    }

    /// Where whoever sent these headers finds us: the address of this service, where that is known, else what they asked.
    pub(crate) fn origin(&self, headers: &HeaderMap) -> String {
        let asked = || headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or("localhost");
        self.public_url.as_ref().map_or_else(|| format!("http://{}", asked()), |url| url.origin().to_owned())
    }

    pub(crate) fn is_https(&self) -> bool {
        self.public_url.as_ref().is_some_and(|url| url.is_https())
    }
}
