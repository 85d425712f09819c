//! Requests that were refused a moment ago, of clients that count their tries: such a client sends the same once more.
//!
//! Nothing was stored of them, so a later try would find the job of another request that is alike, and the one of its own would never be
//! made. It is known to this process alone, and only on SQLite: of several servers another one may take the next try in, and what is noted here
//! would then answer for a try of another request, of which a second job would be made.

use crate::{Store, SubmitError, clock::Instant, rows::unconfirmed::Sender};
use domain::{ApiKeyId, TenantId};
use sea_orm::{ConnectionTrait, DbBackend};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

/// Clients that are told to wait for up to a minute come back when it is over, and others after eight seconds at the most; a busy machine takes
/// them a little later.
pub(super) const KEPT: Duration = Duration::from_secs(75);
/// A client that is told that the database does not answer is told to wait for five seconds.
const UNANSWERED_KEPT: Duration = Duration::from_secs(20);
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

/// A try that was refused, as were all before it.
#[derive(Debug, Clone, Copy)]
struct RefusedTry {
    retry_count: u32,
    until: Instant,
}

/// For how long it is noted that a try was refused so. `None`: its client does not try again, or it may be taken in all the same.
pub(crate) const fn kept(error: &SubmitError) -> Option<Duration> {
    match error {
        SubmitError::NotAdmitted(error) if error.passes() => Some(KEPT),
        SubmitError::Store(_) => Some(UNANSWERED_KEPT),
        SubmitError::NotAdmitted(_) | SubmitError::KeyReused | SubmitError::Deleted(_) | SubmitError::Unknown => None,
    }
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
    fn note(&self, sender: Sender, fingerprint: &str, kept: Duration) {
        let now = Instant::now();
        self.lock().add(Request::of(sender, fingerprint), RefusedTry { retry_count: sender.retry_count, until: now + kept }, now);
    }

    /// Whether the try before this one was refused, and all before that. Each answers for one, as does an earlier one of which a try behind it
    /// was refused before it came here: it is nobody's any more.
    pub(crate) fn take(&self, sender: Sender, fingerprint: &str) -> bool {
        let (request, now, mut noted) = (Request::of(sender, fingerprint), Instant::now(), self.lock());
        let Some(tries) = noted.of_requests.get_mut(&request) else { return false };
        tries.retain(|refused| refused.is_fresh(now));
        let earlier = tries.iter().enumerate().filter(|(_, refused)| refused.retry_count < sender.retry_count);
        let latest = earlier.max_by_key(|(_, refused)| refused.retry_count).map(|(place, _)| place);
        let taken = latest.map(|place| tries.swap_remove(place));
        if tries.is_empty() {
            noted.of_requests.remove(&request);
        }
        taken.is_some_and(|refused| refused.retry_count + 1 == sender.retry_count)
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
    fn is_fresh(self, now: Instant) -> bool {
        now < self.until
    }
}

impl Request {
    fn of(sender: Sender, fingerprint: &str) -> Self {
        Self { tenant: sender.tenant, api_key: sender.api_key, fingerprint: fingerprint.to_owned() }
    }
}

impl Store {
    pub(super) fn note_refused(&self, sender: Sender, fingerprint: &str, kept: Duration) {
        if self.db.get_database_backend() == DbBackend::Sqlite {
            self.refused_tries.note(sender, fingerprint, kept);
        }
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
        let refused = |at: Instant| RefusedTry { retry_count: 0, until: at + KEPT };
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
            noted.add(request("same"), RefusedTry { retry_count: 0, until: now + KEPT }, now);
        }
        assert_eq!(noted.of_requests[&request("same")].len(), TRIES_MAX);
    }
}
