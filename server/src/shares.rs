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
    sync::{OwnedSemaphorePermit, Semaphore, SemaphorePermit},
    time::timeout,
};

/// A request beyond its tenant's share waits so long for another to end: a short burst is no reason to refuse.
const PATIENCE: Duration = Duration::from_secs(2);
/// Of connections that are told that they are too many.
const REFUSALS: usize = 256;
const REFUSALS_PER_ADDRESS: usize = 4;
/// Of bodies that are read only to be thrown away.
const DRAINS: usize = 64;
/// One address, and one organization's network, has at most so much of what all have.
const PART: usize = 4;
/// Of the bodies of requests that are arriving or being worked on.
const BODY_BYTES: usize = 64 * 1024 * 1024;
const BODY_BYTES_PER_SITE: usize = BODY_BYTES / 8;
/// Of answers that were made and not read.
const UNREAD_BYTES_PER_SITE: usize = 8 * 1024 * 1024;
/// Requests of one site for which an answer is being made.
const ANSWERING_PER_SITE: usize = 8;
/// What keeping one more piece of a body costs, however small it is.
const PIECE_BYTES: usize = 128;
/// An IPv6 visitor has a network of 2^64 addresses, an organization 2^16 of those.
const VISITOR_BITS: u32 = 64;
const SITE_BITS: u32 = 48;

/// Held as long as what it was taken for goes on.
pub type Share = OwnedSemaphorePermit;

pub struct Shares {
    connections: Arc<Semaphore>,
    refusals: Arc<Semaphore>,
    /// Connections of visitors who come by themselves, requests of those who come by a proxy.
    addresses: PerHolder<IpAddr>,
    sites: PerHolder<IpAddr>,
    refused_sites: PerHolder<IpAddr>,
    bodies: Arc<Semaphore>,
    drains: Arc<Semaphore>,
    bodies_of_sites: PerHolder<IpAddr>,
    unread_of_sites: PerHolder<IpAddr>,
    answering: PerHolder<IpAddr>,
    requests: PerHolder<TenantId>,
    streams: PerHolder<TenantId>,
}

impl Shares {
    pub fn new(limits: &Limits) -> Self {
        let part = (limits.connections_max / PART).max(1);
        Self {
            connections: Arc::new(Semaphore::new(limits.connections_max)),
            refusals: Arc::new(Semaphore::new(REFUSALS)),
            addresses: PerHolder::of(limits.connections_per_address_max.min(part)),
            sites: PerHolder::of(part),
            refused_sites: PerHolder::of(REFUSALS_PER_ADDRESS),
            bodies: Arc::new(Semaphore::new(BODY_BYTES)),
            drains: Arc::new(Semaphore::new(DRAINS)),
            bodies_of_sites: PerHolder::of(BODY_BYTES_PER_SITE),
            unread_of_sites: PerHolder::of(UNREAD_BYTES_PER_SITE),
            answering: PerHolder::of(ANSWERING_PER_SITE),
            requests: PerHolder::of(limits.requests_per_tenant_max),
            streams: PerHolder::of(limits.streams_per_tenant_max),
        }
    }

    /// `None`: the server is full.
    pub fn connection(&self) -> Option<Share> {
        Arc::clone(&self.connections).try_acquire_owned().ok()
    }

    /// `None`: this visitor has as much as one gets.
    pub fn visitor(&self, address: IpAddr) -> Option<(Share, Share)> {
        let of_site = self.sites.try_take(network(address, SITE_BITS))?;
        Some((of_site, self.addresses.try_take(network(address, VISITOR_BITS))?))
    }

    /// `None`: too many are being refused already, or too many of this address.
    pub fn refusal(&self, address: IpAddr) -> Option<(Share, Share)> {
        let own = self.refused_sites.try_take(network(address, SITE_BITS))?;
        Some((own, Arc::clone(&self.refusals).try_acquire_owned().ok()?))
    }

    /// For the body of a request that is about to arrive. It holds nothing yet.
    pub fn body(&self, address: Option<IpAddr>) -> BodyRoom {
        let of_site = address.map(|address| self.bodies_of_sites.shares_of(network(address, SITE_BITS)));
        let parts = [Some(Arc::clone(&self.bodies)), of_site].into_iter().flatten();
        BodyRoom { parts: parts.map(|room| (room, 0)).collect() }
    }

    /// While an answer to this address is made. `None`: too many of its site are.
    pub async fn answering(&self, address: IpAddr) -> Option<Share> {
        self.answering.take(network(address, SITE_BITS), PATIENCE).await
    }

    /// For an answer to this address. `None`: its site leaves too much unread.
    pub fn answer(&self, address: IpAddr) -> Option<AnswerRoom> {
        let room = self.unread_of_sites.shares_of(network(address, SITE_BITS));
        (room.available_permits() > 0).then_some(AnswerRoom { room, kept: None })
    }

    /// The same for one that may take so many bytes, which are kept for it.
    pub async fn answer_of(&self, address: IpAddr, bytes: usize) -> Option<AnswerRoom> {
        let mut answer = self.answer(address)?;
        if bytes > 0 {
            let kept = Arc::clone(&answer.room).acquire_many_owned(u32::try_from(bytes).ok()?);
            answer.kept = Some(timeout(PATIENCE, kept).await.ok()?.ok()?);
        }
        Some(answer)
    }

    /// `None`: too many bodies are being thrown away already.
    pub fn drain(&self) -> Option<Share> {
        Arc::clone(&self.drains).try_acquire_owned().ok()
    }

    pub async fn request(&self, tenant: TenantId) -> Option<Share> {
        self.requests.take(tenant, PATIENCE).await
    }

    pub fn stream(&self, tenant: TenantId) -> Option<Share> {
        self.streams.try_take(tenant)
    }
}

/// What the body of one request holds, of all and of its sender's part.
pub struct BodyRoom {
    parts: Vec<(Arc<Semaphore>, usize)>,
}

impl BodyRoom {
    /// Takes room for another piece. `false`: there is none.
    pub fn take(&mut self, bytes: usize) -> bool {
        let bytes = bytes + PIECE_BYTES;
        let Ok(permits) = u32::try_from(bytes) else { return false };
        self.parts.iter_mut().all(|(room, held)| {
            let taken = room.try_acquire_many(permits).map(SemaphorePermit::forget).is_ok();
            *held += if taken { bytes } else { 0 };
            taken
        })
    }
}

impl Drop for BodyRoom {
    fn drop(&mut self) {
        self.parts.iter().for_each(|(room, held)| room.add_permits(*held));
    }
}

/// Where the unread bytes of one answer are counted.
pub struct AnswerRoom {
    room: Arc<Semaphore>,
    kept: Option<Share>,
}

impl AnswerRoom {
    /// Held until the client has taken the bytes: as much as was kept, or else is there, as the bytes are there already.
    pub fn take(&mut self, bytes: usize) -> Option<Share> {
        if let Some(mut kept) = self.kept.take() {
            return kept.split(bytes.min(kept.num_permits()));
        }
        let held = u32::try_from(bytes.min(self.room.available_permits())).ok()?;
        Arc::clone(&self.room).try_acquire_many_owned(held).ok()
    }
}

/// The network of so many bits that an IPv6 address lies in; an IPv4 address stands for itself.
const fn network(address: IpAddr, bits: u32) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> (128 - bits) << (128 - bits))),
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
        let network = |text: &str, bits| network(text.parse().unwrap(), bits).to_string();
        assert_eq!(network("2001:db8:1:2:3:4:5:6", VISITOR_BITS), "2001:db8:1:2::");
        assert_eq!(network("2001:db8:1:2:3:4:5:6", SITE_BITS), "2001:db8:1::");
        assert_eq!(network("::ffff:192.0.2.1", SITE_BITS), "192.0.2.1");
    }

    /// How many connections `visitors` get one after the other, all together.
    fn connections(limits: &Limits, visitors: impl Iterator<Item = IpAddr>) -> usize {
        let shares = Shares::new(limits);
        let held: Vec<_> = visitors.filter_map(|visitor| Some((shares.visitor(visitor)?, shares.connection()?))).collect();
        held.len()
    }

    #[test]
    fn no_visitor_gets_more_than_a_quarter_of_the_connections() {
        let few = Limits { connections_max: 40, ..Limits::default() };
        let address: IpAddr = "192.0.2.1".parse().unwrap();
        assert_eq!(connections(&few, std::iter::repeat_n(address, 100)), 10);
        let one = Limits { connections_max: 1, ..Limits::default() };
        assert_eq!(connections(&one, std::iter::repeat_n(address, 100)), 1);
    }

    #[test]
    fn the_visitors_of_one_ipv6_site_get_a_quarter_together() {
        let site: Ipv6Addr = "2001:db8:1::".parse().unwrap();
        let visitors = (0..4096_u128).map(|number| IpAddr::V6(Ipv6Addr::from_bits(site.to_bits() | ((number % 4) << 64))));
        assert_eq!(connections(&Limits::default(), visitors), 1024);
    }

    #[test]
    fn a_site_that_reads_nothing_is_refused_until_it_does_and_others_are_not() {
        let shares = Shares::new(&Limits::default());
        let site = |number: u8| IpAddr::from([192, 0, 2, number]);
        let unread = shares.answer(site(1)).unwrap().take(UNREAD_BYTES_PER_SITE + 1);
        assert!(shares.answer(site(1)).is_none() && shares.answer(site(2)).is_some());
        drop(unread);
        assert!(shares.answer(site(1)).is_some());
    }

    #[test]
    fn bodies_have_a_part_for_each_sender_and_a_bound_for_all() {
        let shares = Shares::new(&Limits::default());
        let sender = |number: u8| Some(IpAddr::from([192, 0, 2, number]));
        let bytes = BODY_BYTES_PER_SITE - PIECE_BYTES;
        let mut rooms: Vec<_> = (0..9).map(|number| shares.body(sender(number))).collect();
        assert!(rooms[0].take(bytes) && !shares.body(sender(0)).take(1), "one has its part");
        assert!(rooms[1..8].iter_mut().all(|room| room.take(bytes)) && !rooms[8].take(1), "all have all of it");
        rooms.clear();
        assert!(shares.body(sender(0)).take(bytes), "it comes back");
    }
}
