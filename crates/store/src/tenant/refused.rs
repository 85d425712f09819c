//! Requests that were refused a moment ago, of clients that count their tries: such a client sends the same once more.
//!
//! Nothing was stored of them, so a later try would find the job of another request that is alike, and the one of its own would never be
//! made. Known to this process alone: the worst that follows elsewhere is that two such requests are answered with one job.

use crate::{clock::Instant, rows::unconfirmed::Sender};
use domain::{ApiKeyId, TenantId};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

/// Clients come back at the moment that they are told, where that is within a minute, and by themselves sooner.
const KEPT: Duration = Duration::from_secs(90);
/// Of all tenants. Beyond it none is noted.
const REQUESTS_MAX: usize = 65_536;
/// Of one request, which many may send that are alike. Beyond it none is noted.
const TRIES_MAX: usize = 1024;

/// What a client sends again is the same in these.
#[derive(PartialEq, Eq, Hash)]
struct Request {
    tenant: TenantId,
    api_key: Option<ApiKeyId>,
    fingerprint: String,
}

/// A try that was refused.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RefusedTry {
    pub retry_count: u32,
    at: Instant,
}

/// Shared by all clones of a store.
#[derive(Clone, Default)]
pub(crate) struct RefusedTries(Arc<Mutex<Noted>>);

#[derive(Default)]
struct Noted {
    of_requests: HashMap<Request, Vec<RefusedTry>>,
    tidied_at: Option<Instant>,
}

impl RefusedTries {
    pub(crate) fn note(&self, sender: Sender, fingerprint: &str) {
        let now = Instant::now();
        self.lock().add(Request::of(sender, fingerprint), RefusedTry { retry_count: sender.retry_count, at: now }, now);
    }

    /// What was taken is for the next try.
    pub(crate) fn put_back(&self, sender: Sender, fingerprint: &str, refused: RefusedTry) {
        self.lock().add(Request::of(sender, fingerprint), refused, Instant::now());
    }

    /// The try that the client repeats by this one, once: the latest of those that were sent less often.
    pub(crate) fn take(&self, sender: Sender, fingerprint: &str) -> Option<RefusedTry> {
        let (request, now, mut noted) = (Request::of(sender, fingerprint), Instant::now(), self.lock());
        let tries = noted.of_requests.get_mut(&request)?;
        tries.retain(|refused| refused.is_fresh(now));
        let earlier = tries.iter().enumerate().filter(|(_, refused)| refused.retry_count < sender.retry_count);
        let latest = earlier.max_by_key(|(_, refused)| refused.retry_count).map(|(place, _)| place);
        let taken = latest.map(|place| tries.swap_remove(place));
        if tries.is_empty() {
            noted.of_requests.remove(&request);
        }
        taken
    }

    fn lock(&self) -> MutexGuard<'_, Noted> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Noted {
    fn add(&mut self, request: Request, refused: RefusedTry, now: Instant) {
        self.tidy(now);
        if self.of_requests.len() >= REQUESTS_MAX {
            return;
        }
        let tries = self.of_requests.entry(request).or_default();
        tries.retain(|known| known.is_fresh(now));
        if tries.len() < TRIES_MAX {
            tries.push(refused);
        }
    }

    /// Once in the time that they are kept: all of them are looked at.
    fn tidy(&mut self, now: Instant) {
        if self.tidied_at.is_none_or(|at| now.duration_since(at) >= KEPT) {
            self.of_requests.retain(|_, tries| tries.iter().any(|refused| refused.is_fresh(now)));
            self.tidied_at = Some(now);
        }
    }
}

impl RefusedTry {
    /// In milliseconds.
    pub(crate) fn ago_ms(self) -> i64 {
        i64::try_from(self.at.elapsed().as_millis()).unwrap_or(i64::MAX)
    }

    fn is_fresh(self, now: Instant) -> bool {
        now.duration_since(self.at) < KEPT
    }
}

impl Request {
    fn of(sender: Sender, fingerprint: &str) -> Self {
        Self { tenant: sender.tenant, api_key: sender.api_key, fingerprint: fingerprint.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    fn request(fingerprint: &str) -> Request {
        Request { tenant: TenantId::from_uuid(Uuid::nil()), api_key: None, fingerprint: fingerprint.to_owned() }
    }

    #[test]
    fn what_was_full_takes_others_once_those_are_not_fresh_any_more() {
        let (mut noted, now) = (Noted::default(), Instant::now());
        let refused = |at| RefusedTry { retry_count: 0, at };
        for n in 0..=REQUESTS_MAX {
            noted.add(request(&n.to_string()), refused(now), now);
        }
        assert_eq!(noted.of_requests.len(), REQUESTS_MAX);
        let later = now + KEPT;
        noted.add(request("another"), refused(later), later);
        assert!(noted.of_requests.keys().eq([&request("another")]));
    }

    #[test]
    fn of_one_request_no_more_are_noted_than_are_looked_through_at_each() {
        let (mut noted, now) = (Noted::default(), Instant::now());
        for _ in 0..=TRIES_MAX {
            noted.add(request("same"), RefusedTry { retry_count: 0, at: now }, now);
        }
        assert_eq!(noted.of_requests[&request("same")].len(), TRIES_MAX);
    }
}
