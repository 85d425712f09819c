//! Browsers that have been signed in to an account before. They are asked to wait for their own mistakes only, so
//! that nobody keeps the owner of an account out by guessing at it from elsewhere.
//!
//! Such a browser keeps a cookie: a token for each account, sealed under a key that all servers share and bound to
//! the email address. It signs nobody in; who copies it gains a few tries.

use crate::{Services, seal::SealKey};
use store::{StoreError, chance::NoRandomness};

/// Accounts that one browser is known to.
const ACCOUNTS_MAX: usize = 5;
const KEY_SETTING: &str = "known_browsers_key";

impl Services {
    /// What the browser with this cookie is called in the account's tries; `None` when it is not known there.
    pub(super) async fn known_browser(&self, mail: &str, cookie: Option<&str>) -> Result<Option<String>, KnownBrowserError> {
        let Some(cookie) = cookie.filter(|cookie| !cookie.is_empty()) else { return Ok(None) };
        let key = self.browser_key().await?;
        let mut tokens = cookie.split('.').take(ACCOUNTS_MAX);
        Ok(tokens.find(|token| key.open(&purpose(mail), token).is_some()).map(ToOwned::to_owned))
    }

    /// The cookie by which this browser is known from now on, here and where it was known before.
    pub(super) async fn remembered_browser(&self, mail: &str, cookie: Option<&str>) -> Result<String, KnownBrowserError> {
        let key = self.browser_key().await?;
        let others = cookie.unwrap_or_default().split('.').filter(|token| !token.is_empty() && key.open(&purpose(mail), token).is_none());
        let fresh = key.seal(&purpose(mail), &[])?;
        let kept = others.filter(|token| token.len() == fresh.len()).take(ACCOUNTS_MAX - 1);
        Ok(kept.fold(fresh.clone(), |cookie, token| format!("{cookie}.{token}")))
    }

    /// Drawn once by whichever server needs it first.
    async fn browser_key(&self) -> Result<&SealKey, KnownBrowserError> {
        let settle = || async {
            let fresh = SealKey::random()?.hex();
            let shared = self.store.settings().settle(KEY_SETTING, &fresh).await?;
            SealKey::of_hex(&shared).ok_or(KnownBrowserError::Key)
        };
        self.browser_key.get_or_try_init(settle).await
    }
}

fn purpose(mail: &str) -> String {
    format!("known browser of {mail}")
}

#[derive(Debug, thiserror::Error)]
pub enum KnownBrowserError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the system has no randomness to give")]
    Random(#[from] NoRandomness),
    #[error("the key shared by all servers is none")]
    Key,
}
