//! A secret on its way to the next page: shown once, within a minute, in the browser that asked for it.
//!
//! It travels sealed in a cookie, and the key to it lies in the session. So neither is worth anything alone, every
//! server can open it, and taking the key out is what makes the first look the last.

use super::{services, session};
use crate::{
    fault::Fault,
    http::{cookie, set_cookie},
};
use domain::Timestamp;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use service::seal::SealKey;
use tower_sessions::Session;

const GOOD_FOR_MS: i64 = 60_000;

/// What the session keeps meanwhile.
#[derive(Serialize, Deserialize)]
struct Lock {
    key: SealKey,
    until: Timestamp,
}

/// Keeps `secret` for the next look at `page`.
pub async fn keep<T: Serialize>(page: &str, secret: &T) -> Result<(), Fault> {
    let plain = serde_json::to_vec(secret).map_err(|error| Fault::internal(&error))?;
    let key = SealKey::random().map_err(|error| Fault::internal(&error))?;
    let sealed = key.seal(page, &plain).map_err(|error| Fault::internal(&error))?;
    let until = services().store.now().await?.plus_ms(GOOD_FOR_MS);
    let session = session().await?;
    session.insert(&slot(page), Lock { key, until }).await?;
    // Now, as nobody would hear of it later.
    session.save().await?;
    set_cookie(&name(page), page, &sealed, GOOD_FOR_MS / 1000);
    Ok(())
}

/// Takes out what was kept for `page`. A second look finds nothing, nor does another session.
pub async fn take<T: DeserializeOwned>(page: &str) -> Result<Option<T>, Fault> {
    let Some(sealed) = cookie(&name(page)) else { return Ok(None) };
    set_cookie(&name(page), page, "", 0);
    let Some(lock) = taken(&session().await?, &slot(page)).await? else { return Ok(None) };
    let is_fresh = services().store.now().await? < lock.until;
    let plain = lock.key.open(page, &sealed).filter(|_| is_fresh);
    Ok(plain.and_then(|plain| serde_json::from_slice(&plain).ok()))
}

/// The session without it is stored before anything is shown.
async fn taken(session: &Session, slot: &str) -> Result<Option<Lock>, Fault> {
    if session.get_value(slot).await?.is_none() {
        return Ok(None);
    }
    let lock = session.remove(slot).await.unwrap_or_default();
    session.save().await?;
    Ok(lock)
}

fn slot(page: &str) -> String {
    format!("flash:{page}")
}

fn name(page: &str) -> String {
    format!("flash{}", page.replace('/', "-"))
}
