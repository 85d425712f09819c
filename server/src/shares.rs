//! How much of the server one tenant, and one visitor's address, may hold at once, so that none of them can
//! take it from the others.

use crate::config::Limits;
use domain::TenantId;
use std::{
    collections::HashMap,
    hash::Hash,
    net::{IpAddr, Ipv6Addr},
    sync::{Arc, Mutex, PoisonError, Weak},
    time::Duration,
};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};

/// A request beyond its tenant's share waits so long for another to end: a short burst is no reason to refuse.
const PATIENCE: Duration = Duration::from_secs(2);
/// Of connections that are told that they are too many.
const REFUSALS: usize = 256;
const REFUSALS_PER_ADDRESS: usize = 4;

/// Held as long as what it was taken for goes on.
pub type Share = OwnedSemaphorePermit;

pub struct Shares {
    connections: Arc<Semaphore>,
    refusals: Arc<Semaphore>,
    /// Connections of visitors who come by themselves, requests of those who come by a proxy.
    addresses: PerHolder<IpAddr>,
    refused_addresses: PerHolder<IpAddr>,
    requests: PerHolder<TenantId>,
    streams: PerHolder<TenantId>,
}

impl Shares {
    pub fn new(limits: &Limits) -> Self {
        Self {
            connections: Arc::new(Semaphore::new(limits.connections_max)),
            refusals: Arc::new(Semaphore::new(REFUSALS)),
            addresses: PerHolder::of(limits.connections_per_address_max),
            refused_addresses: PerHolder::of(REFUSALS_PER_ADDRESS),
            requests: PerHolder::of(limits.requests_per_tenant_max),
            streams: PerHolder::of(limits.streams_per_tenant_max),
        }
    }

    /// `None`: the server is full.
    pub fn connection(&self) -> Option<Share> {
        Arc::clone(&self.connections).try_acquire_owned().ok()
    }

    /// `None`: this visitor has as much as one gets.
    pub fn visitor(&self, address: IpAddr) -> Option<Share> {
        self.addresses.try_take(network(address))
    }

    /// `None`: too many are being refused already, or too many of this address.
    pub fn refusal(&self, address: IpAddr) -> Option<(Share, Share)> {
        let own = self.refused_addresses.try_take(network(address))?;
        Some((own, Arc::clone(&self.refusals).try_acquire_owned().ok()?))
    }

    pub async fn request(&self, tenant: TenantId) -> Option<Share> {
        self.requests.take(tenant, PATIENCE).await
    }

    pub fn stream(&self, tenant: TenantId) -> Option<Share> {
        self.streams.try_take(tenant)
    }
}

/// Whose address this is: with IPv6 a visitor has a network of 2^64 addresses.
const fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> 64 << 64)),
        address => address,
    }
}

/// The same number of shares for each holder. Holders that hold nothing cost nothing.
struct PerHolder<K> {
    each: usize,
    holders: Mutex<HashMap<K, Weak<Semaphore>>>,
}

impl<K: Eq + Hash> PerHolder<K> {
    fn of(each: usize) -> Self {
        Self { each, holders: Mutex::default() }
    }

    fn try_take(&self, holder: K) -> Option<Share> {
        self.shares_of(holder).try_acquire_owned().ok()
    }

    async fn take(&self, holder: K, patience: Duration) -> Option<Share> {
        timeout(patience, self.shares_of(holder).acquire_owned()).await.ok()?.ok()
    }

    fn shares_of(&self, holder: K) -> Arc<Semaphore> {
        let mut holders = self.holders.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(shares) = holders.get(&holder).and_then(Weak::upgrade) {
            return shares;
        }
        if holders.len() == holders.capacity() {
            holders.retain(|_, shares| shares.strong_count() > 0);
        }
        let shares = Arc::new(Semaphore::new(self.each));
        holders.insert(holder, Arc::downgrade(&shares));
        shares
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_holder_at_its_limit_takes_nothing_from_another_and_shares_come_back() {
        let shares = PerHolder::of(2);
        let (first, second) = (shares.try_take("ada"), shares.try_take("ada"));
        assert!(first.is_some() && second.is_some() && shares.try_take("ada").is_none());
        assert!(shares.try_take("eve").is_some());
        drop(first);
        assert!(shares.try_take("ada").is_some());
    }

    #[test]
    fn holders_that_hold_nothing_are_forgotten() {
        let shares = PerHolder::of(1);
        for holder in 0..10_000 {
            assert!(shares.try_take(holder).is_some());
        }
        assert!(shares.holders.lock().unwrap().len() < 100);
    }

    #[test]
    fn an_ipv6_visitor_is_its_network() {
        let network = |text: &str| network(text.parse().unwrap()).to_string();
        assert_eq!(network("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
        assert_eq!(network("::ffff:192.0.2.1"), "192.0.2.1");
    }
}
