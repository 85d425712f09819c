//! Somebody who has given the right password, and not the code yet: nobody is signed in by that.

use super::{services, session};
use crate::fault::Fault;
use domain::{Timestamp, UserId};
use serde::{Deserialize, Serialize};
use service::{User, account::PasswordMark};
use time::Duration;
use tower_sessions::Expiry;

const SLOT: &str = "pending sign-in";
/// A phone is at hand by then.
const GOOD_FOR: Duration = Duration::minutes(10);

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PendingSignIn {
    pub user: UserId,
    /// Of the password that was given: with another one the sign-in begins anew.
    #[serde(default)]
    pub password: PasswordMark,
    until: Timestamp,
    pub next: String,
}

/// Keeps who is to give a code, under a new id of the session, which ends when they may not give it any more: else whoever has a password
/// could fill the table.
pub async fn begin_pending(user: &User, next: &str) -> Result<(), Fault> {
    let until = services().store.now().await?.plus_ms(i64::try_from(GOOD_FOR.whole_milliseconds()).unwrap_or_default());
    let session = session().await?;
    session.clear().await;
    session.cycle_id().await?;
    session.set_expiry(Some(Expiry::OnInactivity(GOOD_FOR)));
    Ok(session.insert(SLOT, PendingSignIn { user: user.id, password: user.password.clone(), until, next: next.to_owned() }).await?)
}

/// Who is to give a code.
pub async fn pending() -> Result<Option<PendingSignIn>, Fault> {
    let found: Option<PendingSignIn> = session().await?.get(SLOT).await?;
    let now = services().store.now().await?;
    Ok(found.filter(|found| now < found.until))
}

/// They have.
pub async fn end_pending() -> Result<(), Fault> {
    session().await?.remove_value(SLOT).await?;
    Ok(())
}
