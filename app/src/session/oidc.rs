//! Tries at signing in by the provider that somebody has begun and not come back from, and that a link was allowed.

use super::{services, session};
use crate::fault::Fault;
use domain::{Timestamp, UserId};
use serde::{Deserialize, Serialize};
use service::{SESSION_USER, account::oidc::Attempt};
use time::Duration;
use tower_sessions::Expiry;

const TRIES: &str = "oidc tries";
/// Of one browser at once: each of its tabs may have one.
const TRIES_MAX: usize = 5;
const ALLOWED: &str = "oidc link allowed";
/// Somebody may have to find their phone at the provider.
const GOOD_FOR: Duration = Duration::minutes(10);

/// What is to become of who comes back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum OidcPurpose {
    SignIn,
    /// To this account.
    Link(UserId),
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct OidcTry {
    pub attempt: Attempt,
    pub purpose: OidcPurpose,
    /// Where they wanted to go.
    pub next: String,
    until: Timestamp,
}

/// Keeps a try until its browser comes back.
pub async fn keep_try(attempt: Attempt, purpose: OidcPurpose, next: &str) -> Result<(), Fault> {
    let (session, now) = (session().await?, services().store.now().await?);
    let mut tries: Vec<OidcTry> = session.get(TRIES).await?.unwrap_or_default();
    tries.retain(|kept| now < kept.until);
    if tries.len() >= TRIES_MAX {
        tries.remove(0);
    }
    tries.push(OidcTry { attempt, purpose, next: next.to_owned(), until: later(now) });
    if session.get_value(SESSION_USER).await?.is_none() {
        // The row of a stranger.
        session.set_expiry(Some(Expiry::OnInactivity(GOOD_FOR)));
    }
    Ok(session.insert(TRIES, tries).await?)
}

/// Takes out the try that has this state; a second look finds nothing, nor does another browser.
pub async fn take_try(state: &str) -> Result<Option<OidcTry>, Fault> {
    let session = session().await?;
    let mut tries: Vec<OidcTry> = session.get(TRIES).await?.unwrap_or_default();
    let Some(at) = tries.iter().position(|kept| kept.attempt.state == state) else { return Ok(None) };
    let found = tries.remove(at);
    if session.get_value(SESSION_USER).await?.is_none() {
        session.set_expiry(Some(Expiry::OnInactivity(GOOD_FOR)));
    }
    session.insert(TRIES, tries).await?;
    // Before anybody is asked about it.
    session.save().await?;
    let now = services().store.now().await?;
    Ok(Some(found).filter(|found| now < found.until))
}

/// The user has said their password, and may link an identity.
pub async fn allow_link() -> Result<(), Fault> {
    let until = later(services().store.now().await?);
    Ok(session().await?.insert(ALLOWED, until).await?)
}

pub async fn may_link() -> Result<bool, Fault> {
    let until: Option<Timestamp> = session().await?.get(ALLOWED).await?;
    let now = services().store.now().await?;
    Ok(until.is_some_and(|until| now < until))
}

/// It is asked for again from now on.
pub async fn end_link() -> Result<(), Fault> {
    session().await?.remove_value(ALLOWED).await?;
    Ok(())
}

fn later(now: Timestamp) -> Timestamp {
    now.plus_ms(i64::try_from(GOOD_FOR.whole_milliseconds()).unwrap_or_default())
}
