//! Where a request really comes from, also when proxies stand in front of us.

use crate::context::Context;
use axum::{
    extract::{ConnectInfo, Request, State},
    http::{HeaderMap, HeaderValue},
    middleware::Next,
    response::Response,
};
use ipnet::IpNet;
use std::net::{IpAddr, SocketAddr};

/// A visitor for whom a proxy of ours speaks.
#[derive(Debug, Clone, Copy)]
pub struct Forwarded(pub IpAddr);

/// Replaces the address of a proxy that we trust by that of the visitor it speaks for.
pub async fn locate(State(context): State<Context>, mut request: Request, next: Next) -> Response {
    if let Some(ConnectInfo(peer)) = request.extensions().get::<ConnectInfo<SocketAddr>>().copied() {
        let address = visitor(peer.ip(), request.headers(), &context.trusted_proxies);
        request.extensions_mut().insert(ConnectInfo(SocketAddr::new(address, peer.port())));
        if context.is_proxy(peer.ip()) {
            request.extensions_mut().insert(Forwarded(address));
        }
    }
    next.run(request).await
}

/// Each proxy appends whom it heard: read from the end, the first that is no proxy of ours is the visitor.
fn visitor(peer: IpAddr, headers: &HeaderMap, proxies: &[IpNet]) -> IpAddr {
    let lines = headers.get_all("x-forwarded-for").iter().map(HeaderValue::as_bytes);
    let hops: Vec<_> = lines.flat_map(|line| line.split(|byte| *byte == b',')).map(hop).collect();
    let mut address = peer.to_canonical();
    for hop in hops.into_iter().rev() {
        match hop {
            Some(before) if proxies.iter().any(|network| network.contains(&address)) => address = before.to_canonical(),
            _ => break,
        }
    }
    address
}

/// Each for itself: the visitor may have sent anything before what our proxy appended.
fn hop(text: &[u8]) -> Option<IpAddr> {
    str::from_utf8(text).ok()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One byte a character, so that not all of it is UTF-8.
    fn latin_1(text: &str) -> Vec<u8> {
        text.chars().map(|character| u8::try_from(character).unwrap()).collect()
    }

    #[test]
    fn only_trusted_proxies_are_believed() {
        let proxies = ["10.0.0.0/8".parse().unwrap(), "::1/128".parse().unwrap()];
        for (peer, forwarded, expected) in [
            ("192.0.2.1", "198.51.100.7", "192.0.2.1"),
            ("10.1.1.1", "198.51.100.7", "198.51.100.7"),
            ("10.1.1.1", "\u{e9}, 198.51.100.7", "198.51.100.7"),
            ("10.1.1.1", "198.51.100.7, \u{e9}", "10.1.1.1"),
            ("::ffff:10.1.1.1", "198.51.100.7", "198.51.100.7"),
            ("10.1.1.1", "203.0.113.9, 198.51.100.7", "198.51.100.7"),
            ("10.1.1.1", "198.51.100.7, 10.2.2.2", "198.51.100.7"),
            ("10.1.1.1", "nonsense", "10.1.1.1"),
            ("10.1.1.1", "198.51.100.7, nonsense", "10.1.1.1"),
            ("10.1.1.1", "", "10.1.1.1"),
        ] {
            let headers =
                HeaderMap::from_iter([("x-forwarded-for".parse().unwrap(), HeaderValue::from_bytes(&latin_1(forwarded)).unwrap())]);
            assert_eq!(visitor(peer.parse().unwrap(), &headers, &proxies).to_string(), expected, "{peer} {forwarded}");
        }
    }
}
