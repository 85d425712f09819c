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
    sync::{Notify, OwnedSemaphorePermit, Semaphore, SemaphorePermit},
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
/// What a file takes that is stored as it arrives, whatever its size: a part of an object, and what lies between the parts of its body.
pub const UPLOAD_ROOM: usize = 6 * 1024 * 1024;
/// Files that arrive at once. They have a room of their own: one may take an hour, and no other body waits for it.
const UPLOADS: usize = 16;
const UPLOADS_PER_SITE: usize = 4;
/// Of answers that were made and not read.
const UNREAD_BYTES_PER_SITE: usize = 6 * 1024 * 1024;
/// Requests of one site for which an answer is being made.
const ANSWERING_PER_SITE: usize = 8;
/// Of the requests that one tenant may have answered at once, those that wait for a job to end.
const WAITING_PART: usize = 4;
/// Of the files that are fetched by links of one tenant at once, one site has at most so much.
const LINKED_PART: usize = 4;
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
    uploads: Arc<Semaphore>,
    uploads_of_sites: PerHolder<IpAddr>,
    unread_of_sites: PerHolder<IpAddr, Unread>,
    answering: PerHolder<IpAddr>,
    requests: PerHolder<TenantId>,
    linked: PerHolder<TenantId>,
    linked_of_sites: PerHolder<(TenantId, IpAddr)>,
    waiting: PerHolder<TenantId>,
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
            uploads: Arc::new(Semaphore::new(UPLOADS * UPLOAD_ROOM)),
            uploads_of_sites: PerHolder::of(UPLOADS_PER_SITE * UPLOAD_ROOM),
            unread_of_sites: PerHolder::new(Unread::default),
            answering: PerHolder::of(ANSWERING_PER_SITE),
            requests: PerHolder::of(limits.requests_per_tenant_max),
            linked: PerHolder::of(limits.requests_per_tenant_max),
            linked_of_sites: PerHolder::of((limits.requests_per_tenant_max / LINKED_PART).max(1)),
            waiting: PerHolder::of((limits.requests_per_tenant_max / WAITING_PART).max(1)),
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
        BodyRoom::new(&self.bodies, &self.bodies_of_sites, address)
    }

    /// The same for a file.
    pub fn upload(&self, address: Option<IpAddr>) -> BodyRoom {
        BodyRoom::new(&self.uploads, &self.uploads_of_sites, address)
    }

    /// While an answer to this address is made. `None`: too many of its site are.
    pub async fn answering(&self, address: IpAddr) -> Option<Share> {
        self.answering.take(network(address, SITE_BITS), PATIENCE).await
    }

    /// For an answer to this address.
    pub fn answer(&self, address: IpAddr) -> AnswerRoom {
        AnswerRoom { of_site: self.unread_of_sites.of_holder(network(address, SITE_BITS)), kept: Arc::default() }
    }

    /// `None`: too many bodies are being thrown away already.
    pub fn drain(&self) -> Option<Share> {
        Arc::clone(&self.drains).try_acquire_owned().ok()
    }

    pub async fn request(&self, tenant: TenantId) -> Option<Share> {
        self.requests.take(tenant, PATIENCE).await
    }

    /// For a file of this tenant that somebody at this address, whoever that is, fetches by a link: none of its own requests waits for that.
    pub async fn linked(&self, tenant: TenantId, address: Option<IpAddr>) -> Option<(Option<Share>, Share)> {
        let of_site = match address {
            Some(address) => Some(self.linked_of_sites.take((tenant, network(address, SITE_BITS)), PATIENCE).await?),
            None => None,
        };
        Some((of_site, self.linked.take(tenant, PATIENCE).await?))
    }

    /// For an answer that waits for a job to end. `None`: too many do, and it is given at once.
    pub fn waiting(&self, tenant: TenantId) -> Option<Share> {
        self.waiting.try_take(tenant)
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
    fn new(all: &Arc<Semaphore>, of_sites: &PerHolder<IpAddr>, address: Option<IpAddr>) -> Self {
        let of_site = address.map(|address| of_sites.of_holder(network(address, SITE_BITS)));
        let parts = [Some(Arc::clone(all)), of_site].into_iter().flatten();
        Self { parts: parts.map(|room| (room, 0)).collect() }
    }

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

impl BodyRoom {
    /// Takes room until it has so much. `false`: there is none.
    pub fn keep(&mut self, bytes: usize) -> bool {
        self.parts.iter_mut().all(|(room, held)| {
            let missing = bytes.saturating_sub(*held);
            let taken = u32::try_from(missing).is_ok_and(|missing| room.try_acquire_many(missing).map(SemaphorePermit::forget).is_ok());
            *held += if taken { missing } else { 0 };
            taken
        })
    }
}

impl Drop for BodyRoom {
    fn drop(&mut self) {
        self.parts.iter().for_each(|(room, held)| room.add_permits(*held));
    }
}

/// How many bytes one site leaves unread.
#[derive(Default)]
struct Unread {
    bytes: Mutex<usize>,
    read: Notify,
}

impl Unread {
    /// `false`: there is no room for so many more.
    fn try_add(&self, bytes: usize) -> bool {
        let mut unread = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        let fits = *unread < UNREAD_BYTES_PER_SITE && *unread + bytes <= UNREAD_BYTES_PER_SITE;
        *unread += if fits { bytes } else { 0 };
        fits
    }

    fn add(&self, bytes: usize) {
        *self.bytes.lock().unwrap_or_else(PoisonError::into_inner) += bytes;
    }

    fn remove(&self, bytes: usize) {
        *self.bytes.lock().unwrap_or_else(PoisonError::into_inner) -= bytes;
        self.read.notify_waiters();
    }
}

/// Where the unread bytes of one answer are counted.
#[derive(Clone)]
pub struct AnswerRoom {
    of_site: Arc<Unread>,
    /// Counted before the answer is there.
    kept: Arc<Mutex<Option<UnreadBytes>>>,
}

/// Counted until it is dropped.
pub struct UnreadBytes {
    of_site: Arc<Unread>,
    bytes: usize,
}

impl AnswerRoom {
    /// Waits a moment until the answer may have so many bytes, and keeps them for it. `false`: its site leaves too much unread.
    pub async fn keep(&self, bytes: usize) -> bool {
        let kept = async {
            loop {
                let read = self.of_site.read.notified();
                if self.of_site.try_add(bytes) {
                    return;
                }
                read.await;
            }
        };
        let has_room = timeout(PATIENCE, kept).await.is_ok();
        if has_room {
            self.set_kept(Some(self.counted(bytes)));
        }
        has_room
    }

    pub fn has_some(&self) -> bool {
        self.of_site.try_add(0)
    }

    /// Counts bytes that are there, in place of what was kept for them.
    pub fn take(&self, bytes: usize) -> UnreadBytes {
        self.of_site.add(bytes);
        self.set_kept(None);
        self.counted(bytes)
    }

    fn counted(&self, bytes: usize) -> UnreadBytes {
        UnreadBytes { of_site: Arc::clone(&self.of_site), bytes }
    }

    fn set_kept(&self, kept: Option<UnreadBytes>) {
        *self.kept.lock().unwrap_or_else(PoisonError::into_inner) = kept;
    }
}

impl Drop for UnreadBytes {
    fn drop(&mut self) {
        self.of_site.remove(self.bytes);
    }
}

/// The network of so many bits that an IPv6 address lies in; an IPv4 address stands for itself.
const fn network(address: IpAddr, bits: u32) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> (128 - bits) << (128 - bits))),
        address => address,
    }
}

/// The same for each holder, such as a number of shares. Holders that hold nothing cost nothing.
struct PerHolder<K, T = Semaphore> {
    make: Box<dyn Fn() -> T + Send + Sync>,
    holders: Mutex<HashMap<K, Weak<T>>>,
}

impl<K: Eq + Hash> PerHolder<K> {
    fn of(each: usize) -> Self {
        Self::new(move || Semaphore::new(each))
    }

    fn try_take(&self, holder: K) -> Option<Share> {
        self.of_holder(holder).try_acquire_owned().ok()
    }

    async fn take(&self, holder: K, patience: Duration) -> Option<Share> {
        timeout(patience, self.of_holder(holder).acquire_owned()).await.ok()?.ok()
    }
}

impl<K: Eq + Hash, T> PerHolder<K, T> {
    fn new(make: impl Fn() -> T + Send + Sync + 'static) -> Self {
        Self { make: Box::new(make), holders: Mutex::default() }
    }

    fn of_holder(&self, holder: K) -> Arc<T> {
        let mut holders = self.holders.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(shared) = holders.get(&holder).and_then(Weak::upgrade) {
            return shared;
        }
        if holders.len() == holders.capacity() {
            holders.retain(|_, shared| shared.strong_count() > 0);
        }
        let shared = Arc::new((self.make)());
        holders.insert(holder, Arc::downgrade(&shared));
        shared
    }
}

#[cfg(test)]
mod tests;
