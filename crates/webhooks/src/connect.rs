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
/// Deliveries that are tried at once: 128 of webhooks and 16 of alerts.
const TRIES_AT_ONCE: usize = 128 + 16;
/// Names that are looked up at once: each holds a thread until the system answers, also when its try was given up. There are 512 threads, and
/// turns for twice as many tries as there are at once, so that names whose servers do not answer keep no other waiting.
const LOOK_UPS_AT_ONCE: usize = 2 * TRIES_AT_ONCE;

/// Asks for the addresses of a name.
type LookUp = fn(String) -> BoxFuture<'static, io::Result<Vec<IpAddr>>>;

/// Where names lead.
pub trait Resolve: Send + Sync {
    fn resolve(&self, name: String) -> BoxFuture<'static, io::Result<Vec<IpAddr>>>;
}

/// As this machine looks names up.
pub struct System {
    at_once: Arc<Semaphore>,
    look_up: LookUp,
}

impl Default for System {
    fn default() -> Self {
        Self { at_once: Arc::new(Semaphore::new(LOOK_UPS_AT_ONCE)), look_up }
    }
}

fn look_up(name: String) -> BoxFuture<'static, io::Result<Vec<IpAddr>>> {
    async move { tokio::net::lookup_host((name, 0)).await.map(|found| found.map(|address| address.ip()).collect()) }.boxed()
}

impl Resolve for System {
    fn resolve(&self, name: String) -> BoxFuture<'static, io::Result<Vec<IpAddr>>> {
        let (at_once, look_up) = (Arc::clone(&self.at_once), self.look_up);
        async move {
            let turn = at_once.acquire_owned().await.map_err(io::Error::other)?;
            // One that nobody waits for any more has its turn until the system has answered.
            let looking = tokio::spawn(async move {
                let found = look_up(name).await;
                drop(turn);
                found
            });
            looking.await.map_err(io::Error::other)?
        }
        .boxed()
    }
}

/// Whoever names a host is not to learn from this which names there are within our own network: what there may be is said in one sentence.
pub const NO_ADDRESS: &str =
    "no address of the host on the public internet was found: its name may be misspelled, or it may be in a private network";

/// Why there is no connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ConnectError {
    /// The name cannot be looked up, or it leads to nothing that may be reached.
    #[error("{NO_ADDRESS}")]
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::{future::pending, net::Ipv4Addr};

    const ADDRESS: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 7));

    fn one_answers(name: String) -> BoxFuture<'static, io::Result<Vec<IpAddr>>> {
        if name == "answers.example" { async { Ok(vec![ADDRESS]) }.boxed() } else { pending().boxed() }
    }

    #[tokio::test]
    async fn names_that_hang_hold_no_turn_of_another_also_after_their_tries_were_given_up() {
        let system = System { look_up: one_answers, ..System::default() };
        // All tries at once, all of them given up, and all but one of those behind them.
        for _ in 0..2 * TRIES_AT_ONCE - 1 {
            assert!(system.resolve("hangs.example".into()).now_or_never().is_none());
            tokio::task::yield_now().await;
        }
        let found = timeout(CONNECTED_WITHIN, system.resolve("answers.example".into())).await;
        assert_eq!(found.expect("it has a turn").unwrap(), [ADDRESS]);
    }
}
