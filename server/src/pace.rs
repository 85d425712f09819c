//! How many requests a minute keys and their tenants make at this server, and what the answers say of it.
//!
//! Each has one timestamp (see `domain::account::rate`), in memory: a count that servers share would be a write for each request.

use axum::http::{HeaderName, HeaderValue, header};
use domain::{
    ApiKeyId, KeyOwner, TenantId,
    account::rate::{Passage, RequestRate},
    scheduling::WorkRoom,
};
use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};
use store::clock::Instant;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Holder {
    Tenant(TenantId),
    Key(ApiKeyId),
}

/// When the next request of each would arrive if all came evenly, in nanoseconds since this was made.
pub struct Pace {
    since: Instant,
    arrivals: Mutex<HashMap<Holder, u64>>,
}

impl Default for Pace {
    fn default() -> Self {
        Self { since: Instant::now(), arrivals: Mutex::default() }
    }
}

impl Pace {
    /// A request by this key, whose tenant may make so many a minute. One that is refused counts neither for the key nor for the tenant. Of
    /// both limits the one is told that is nearer.
    pub fn ask(&self, owner: &KeyOwner, of_tenant: u32) -> Passage {
        let now_ns = u64::try_from(self.since.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.ask_at(owner, of_tenant, now_ns)
    }

    fn ask_at(&self, owner: &KeyOwner, of_tenant: u32, now_ns: u64) -> Passage {
        let tenant = (Holder::Tenant(owner.membership.tenant), of_tenant);
        let key = owner.requests_per_minute.map(|of_key| (Holder::Key(owner.key), of_key));
        let mut arrivals = self.arrivals.lock().unwrap_or_else(PoisonError::into_inner);
        let asked = [Some(tenant), key].into_iter().flatten();
        let passages: Vec<_> = asked
            .map(|(holder, requests)| {
                let arrival_ns = arrivals.get(&holder).copied().unwrap_or_default();
                (holder, RequestRate::per_minute(requests).ask(arrival_ns, now_ns))
            })
            .collect();
        let nearest = passages
            .iter()
            .map(|(_, passage)| *passage)
            .min_by_key(|passage| (passage.arrival_ns.is_some(), passage.remaining, std::cmp::Reverse(passage.next_in_ns)));
        if passages.iter().all(|(_, passage)| passage.arrival_ns.is_some()) {
            for (holder, passage) in &passages {
                if arrivals.len() == arrivals.capacity() {
                    arrivals.retain(|_, arrival_ns| *arrival_ns > now_ns);
                }
                arrivals.insert(*holder, passage.arrival_ns.unwrap_or_default());
            }
        }
        // There is always the tenant's.
        nearest.unwrap_or(RequestRate::per_minute(of_tenant).ask(0, now_ns))
    }
}

/// Marks an answer that tells what its tenant has open.
#[derive(Debug, Clone, Copy)]
pub struct Room(pub WorkRoom);

/// Requests a minute and open work, as OpenAI's clients read them, and as the IETF's draft on `RateLimit` has them.
pub fn headers(passage: &Passage, room: Option<WorkRoom>) -> Vec<(HeaderName, HeaderValue)> {
    let reset = HeaderValue::try_from(duration(passage.full_in_ns)).unwrap_or(HeaderValue::from_static("0ms"));
    let mut headers = vec![
        (HeaderName::from_static("x-ratelimit-limit-requests"), passage.limit.into()),
        (HeaderName::from_static("x-ratelimit-remaining-requests"), passage.remaining.into()),
        (HeaderName::from_static("x-ratelimit-reset-requests"), reset),
    ];
    let mut policy = format!("\"requests\";q={};w=60", passage.limit);
    let mut limit = format!("\"requests\";r={};t={}", passage.remaining, passage.full_in_ns.div_ceil(1_000_000_000));
    if let Some(WorkRoom { open, open_max }) = room {
        let (all, left) = (open_max.ms() / 1000, open_max.saturating_sub(open).ms() / 1000);
        headers.push((HeaderName::from_static("x-ratelimit-limit-video-seconds"), all.into()));
        headers.push((HeaderName::from_static("x-ratelimit-remaining-video-seconds"), left.into()));
        policy += &format!(", \"open-work\";q={all};reelmill-unit=\"video-seconds\"");
        limit += &format!(", \"open-work\";r={left}");
    }
    let text = |name, text: String| HeaderValue::try_from(text).ok().map(|value| (HeaderName::from_static(name), value));
    headers.extend([text("ratelimit-policy", policy), text("ratelimit", limit)].into_iter().flatten());
    headers
}

/// When to come again: in seconds for everybody, and in milliseconds for who can wait so precisely.
pub fn retry_headers(passage: &Passage) -> [(HeaderName, HeaderValue); 2] {
    let ms = passage.next_in_ns.div_ceil(1_000_000).max(1);
    [(header::RETRY_AFTER, ms.div_ceil(1000).into()), (HeaderName::from_static("retry-after-ms"), ms.into())]
}

/// `6m0s`, `1.5s`, `20ms`
fn duration(ns: u64) -> String {
    let ms = ns.div_ceil(1_000_000);
    match ms {
        0..1000 => format!("{ms}ms"),
        1000..60_000 => format!("{}s", seconds(ms)),
        _ => format!("{}m{}s", ms / 60_000, seconds(ms % 60_000)),
    }
}

fn seconds(ms: u64) -> String {
    let text = format!("{}.{:03}", ms / 1000, ms % 1000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{Membership, ProjectId, Role, Scopes, UserId};

    fn owner(tenant: u128, key: u128, requests_per_minute: Option<u32>) -> KeyOwner {
        let tenant = TenantId::from_uuid(uuid::Uuid::from_u128(tenant));
        let membership = Membership { tenant, user: UserId::from_uuid(uuid::Uuid::nil()), role: Role::Owner };
        let (key, project) = (ApiKeyId::from_uuid(uuid::Uuid::from_u128(key)), ProjectId::default_of(tenant));
        KeyOwner { key, membership, project, scopes: Scopes::ALL, requests_per_minute }
    }

    #[test]
    fn a_key_at_its_limit_takes_nothing_from_the_others_of_its_tenant_and_a_tenant_nothing_from_another() {
        let pace = Pace::default();
        let passes = |owner: &KeyOwner| pace.ask_at(owner, 5, 1000).arrival_ns.is_some();
        let (slow, other, stranger) = (owner(1, 1, Some(2)), owner(1, 2, None), owner(2, 3, None));
        assert_eq!([(); 4].map(|()| passes(&slow)), [true, true, false, false]);
        assert_eq!([(); 4].map(|()| passes(&other)), [true, true, true, false], "what was refused has not counted");
        assert_eq!([(); 6].map(|()| passes(&stranger)), [true, true, true, true, true, false]);
        let told = pace.ask_at(&slow, 5, 1000);
        assert_eq!((told.limit, told.remaining), (2, 0), "the nearer limit is told");
    }

    #[test]
    fn who_has_waited_long_enough_is_forgotten() {
        let pace = Pace::default();
        for key in 0..10_000 {
            pace.ask_at(&owner(key, key, Some(1000)), 1000, u64::try_from(key).unwrap() * 1_000_000_000);
        }
        assert!(pace.arrivals.lock().unwrap().len() < 1000);
    }

    #[test]
    fn open_work_is_told_beside_requests() {
        let passage = RequestRate::per_minute(60).ask(0, 0);
        let room = WorkRoom { open: domain::VideoTime::from_ms(2500), open_max: domain::VideoTime::from_ms(60_000) };
        let told = |room, name: &str| {
            let headers = headers(&passage, room);
            headers.into_iter().find(|(of, _)| of == name).map(|(_, value)| value.to_str().unwrap().to_owned())
        };
        assert_eq!(told(None, "ratelimit").as_deref(), Some("\"requests\";r=59;t=1"));
        assert_eq!(told(Some(room), "ratelimit").as_deref(), Some("\"requests\";r=59;t=1, \"open-work\";r=57"));
        let policy = "\"requests\";q=60;w=60, \"open-work\";q=60;reelmill-unit=\"video-seconds\"";
        assert_eq!(told(Some(room), "ratelimit-policy").as_deref(), Some(policy));
        assert_eq!(
            (told(None, "x-ratelimit-limit-video-seconds"), told(Some(room), "x-ratelimit-remaining-video-seconds")),
            (None, Some("57".into()))
        );
    }

    #[test]
    fn times_are_written_as_openai_does() {
        assert_eq!(
            [0, 20_000_000, 1_500_000_000, 360_000_000_000, 61_230_000_000].map(duration),
            ["0ms", "20ms", "1.5s", "6m0s", "1m1.23s"]
        );
        let passage = RequestRate::per_minute(60).ask(60_000_000_000, 0);
        assert_eq!(retry_headers(&passage).map(|(_, value)| value), [HeaderValue::from(1), HeaderValue::from(1000)]);
    }
}
