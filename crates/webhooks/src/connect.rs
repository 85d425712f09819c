//! Connections to receivers: the address is looked up, checked, and connected to in one place.

use domain::webhook::{Network, may_reach};
use futures::{FutureExt, future::BoxFuture};
use hyper::Uri;
use hyper_util::rt::TokioIo;
use std::{
    io,
    net::{IpAddr, SocketAddr},
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};
use tokio::{net::TcpStream, sync::Semaphore, time::timeout};
use tower_service::Service;

/// Of the addresses that a name leads to, so many are tried.
const ADDRESSES_TRIED: usize = 4;
/// For one of them.
const CONNECTED_WITHIN: Duration = Duration::from_secs(4);
/// Names that are looked up at once: each holds a thread until the system answers.
const LOOK_UPS_AT_ONCE: usize = 64;

/// Where names lead.
pub trait Resolve: Send + Sync {
    fn resolve(&self, name: String) -> BoxFuture<'static, io::Result<Vec<IpAddr>>>;
}

/// As this machine looks names up.
pub struct System {
    at_once: Arc<Semaphore>,
}

impl Default for System {
    fn default() -> Self {
        Self { at_once: Arc::new(Semaphore::new(LOOK_UPS_AT_ONCE)) }
    }
}

impl Resolve for System {
    fn resolve(&self, name: String) -> BoxFuture<'static, io::Result<Vec<IpAddr>>> {
        let at_once = Arc::clone(&self.at_once);
        async move {
            let turn = at_once.acquire_owned().await.map_err(io::Error::other)?;
            // One that nobody waits for any more has its turn until the system has answered.
            let looking = tokio::spawn(async move {
                let found = tokio::net::lookup_host((name, 0)).await.map(|found| found.map(|address| address.ip()).collect());
                drop(turn);
                found
            });
            looking.await.map_err(io::Error::other)?
        }
        .boxed()
    }
}

/// Why there is no connection. Both kinds of the first say the same: whoever names a host learns nothing of names within our own network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ConnectError {
    #[error("the host has no address on the public internet")]
    NoAddress,
    #[error("the host does not take connections at that port")]
    Refused,
}

/// Connects to hosts that may be reached.
#[derive(Clone)]
pub struct Guarded {
    pub resolver: Arc<dyn Resolve>,
    pub allowed: Arc<[Network]>,
}

impl Guarded {
    async fn connect(self, target: Uri) -> Result<TokioIo<TcpStream>, ConnectError> {
        let is_encrypted = target.scheme_str() == Some("https");
        let port = target.port_u16().unwrap_or(if is_encrypted { 443 } else { 80 });
        let host = target.host().unwrap_or_default().trim_start_matches('[').trim_end_matches(']').to_owned();
        let addresses = match host.parse::<IpAddr>() {
            Ok(address) => vec![address],
            Err(_) => self.resolver.resolve(host).await.map_err(|_| ConnectError::NoAddress)?,
        };
        let reachable = addresses.into_iter().filter(|address| may_reach(*address, port, is_encrypted, &self.allowed));
        let mut error = ConnectError::NoAddress;
        for address in reachable.take(ADDRESSES_TRIED) {
            match timeout(CONNECTED_WITHIN, TcpStream::connect(SocketAddr::new(address, port))).await {
                Ok(Ok(stream)) => return Ok(TokioIo::new(stream)),
                Ok(Err(_)) | Err(_) => error = ConnectError::Refused,
            }
        }
        Err(error)
    }
}

impl Service<Uri> for Guarded {
    type Response = TokioIo<TcpStream>;
    type Error = ConnectError;
    type Future = BoxFuture<'static, Result<Self::Response, ConnectError>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), ConnectError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, target: Uri) -> Self::Future {
        self.clone().connect(target).boxed()
    }
}
