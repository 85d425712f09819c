//! Requests that were refused a moment ago, of clients that count their tries: such a client sends the same once more.
//!
//! Nothing was stored of them, so a later try would find the job of another request that is alike, and the one of its own would never be
//! made. Known to this process alone: the worst that follows elsewhere is that two such requests are answered with one job.

use crate::rows::unconfirmed::Sender;
use domain::{ApiKeyId, TenantId};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

/// Clients come back at the moment that they are told, where that is within a minute, and by themselves sooner.
const KEPT: Duration = Duration::from_secs(90);
/// Of all tenants. Beyond it none is noted.
const REQUESTS_MAX: usize = 65_536;

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
pub(crate) struct RefusedTries(Arc<Mutex<HashMap<Request, Vec<RefusedTry>>>>);

impl RefusedTries {
    pub(crate) fn note(&self, sender: Sender, fingerprint: &str) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() == all.capacity() {
            all.retain(|_, tries| tries.iter().any(RefusedTry::is_fresh));
        }
        if all.len() < REQUESTS_MAX {
            let tries = all.entry(Request::of(sender, fingerprint)).or_default();
            tries.retain(RefusedTry::is_fresh);
            tries.push(RefusedTry { retry_count: sender.retry_count, at: Instant::now() });
        }
    }

    /// The try that the client repeats by this one, once: the latest of those that were sent less often.
    pub(crate) fn take(&self, sender: Sender, fingerprint: &str) -> Option<RefusedTry> {
        let (request, mut all) = (Request::of(sender, fingerprint), self.0.lock().unwrap_or_else(PoisonError::into_inner));
        let tries = all.get_mut(&request)?;
        tries.retain(RefusedTry::is_fresh);
        let earlier = tries.iter().enumerate().filter(|(_, refused)| refused.retry_count < sender.retry_count);
        let latest = earlier.max_by_key(|(_, refused)| refused.retry_count).map(|(place, _)| place);
        let taken = latest.map(|place| tries.swap_remove(place));
        if tries.is_empty() {
            all.remove(&request);
        }
        taken
    }
}

impl RefusedTry {
    /// In milliseconds.
    pub(crate) fn ago_ms(&self) -> i64 {
        i64::try_from(self.at.elapsed().as_millis()).unwrap_or(i64::MAX)
    }

    fn is_fresh(&self) -> bool {
        self.at.elapsed() < KEPT
    }
}

impl Request {
    fn of(sender: Sender, fingerprint: &str) -> Self {
        Self { tenant: sender.tenant, api_key: sender.api_key, fingerprint: fingerprint.to_owned() }
    }
}
