//! API keys: made, shown once, rotated, revoked; and what opens a request.

mod client_token;
mod eddsa;
pub mod projects;
mod secret;
mod signing;

pub use client_token::{CLIENT_TOKEN_S_DEFAULT, CLIENT_TOKEN_S_MAX, ClientToken, ClientTokenRequest, MintError};
pub use signing::{KeySet, PublicKey, SigningError};

use crate::{AccessError, Services};
use client_token::TokenError;
use domain::{
    Actor, ApiKeyId, Forbidden, KeyOwner, Membership, Permission, ProjectId, Scopes, Timestamp, billing::REQUESTS_PER_MINUTE_MAX,
};
use std::time::Duration;
use store::{ApiKey, Asked, FoundKey, KeyTerms, NewApiKey, NoKey, StoreError, chance::NoRandomness, clock::Instant};

pub const NAME_CHARS_MAX: usize = 100;
/// For how long a key that is rotated lives on, in milliseconds.
pub const OVERLAP_MS_DEFAULT: i64 = DAY_MS;
pub const OVERLAP_MS_MAX: i64 = 7 * DAY_MS;
const DAY_MS: i64 = 24 * 3_600_000;
/// As many as any plan has.
const LIVE_SHOWN: u64 = 1000;
const ENDED_SHOWN: u64 = 50;

#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    #[error(transparent)]
    Forbidden(#[from] Forbidden),
    #[error("give the key a name of 1 to {NAME_CHARS_MAX} characters")]
    Name,
    #[error("a key cannot expire in the past")]
    Expiry,
    #[error("a key makes 1 to {} requests a minute", domain::grouped(REQUESTS_PER_MINUTE_MAX.into()))]
    RequestsPerMinute,
    #[error("the old key lives on for 0 to 7 days")]
    Overlap,
    #[error("there is no such project, or it is archived")]
    Project,
    #[error("there is no such key, or it opens nothing any more")]
    Unknown,
    #[error("this key was rotated before: rotate the one that replaced it")]
    Rotated,
    #[error("at most {keys_max} keys can be in use at the same time: revoke one first")]
    TooMany { keys_max: u32 },
    #[error("the system has no randomness to give")]
    Random(#[from] NoRandomness),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl KeyError {
    fn of(error: NoKey, keys_max: u32) -> Self {
        match error {
            NoKey::TooMany => Self::TooMany { keys_max },
            NoKey::NoProject => Self::Project,
            NoKey::Unknown => Self::Unknown,
            NoKey::Rotated => Self::Rotated,
            NoKey::Store(error) => Self::Store(error),
        }
    }
}

fn check_requests(per_minute: Option<u32>) -> Result<(), KeyError> {
    match per_minute {
        Some(requests) if !(1..=REQUESTS_PER_MINUTE_MAX).contains(&requests) => Err(KeyError::RequestsPerMinute),
        _ => Ok(()),
    }
}

/// A key that somebody wants.
#[derive(Debug, Clone, Default)]
pub struct KeyRequest {
    pub name: String,
    /// `None`: the default one.
    pub project: Option<ProjectId>,
    /// `None`: all.
    pub scopes: Option<Scopes>,
    /// `None`: never.
    pub expires_at: Option<Timestamp>,
    /// `None`: as many as its tenant.
    pub requests_per_minute: Option<u32>,
}

/// A key just made: the only moment at which its secret is known.
#[derive(Debug, Clone)]
pub struct NewKey {
    pub secret: String,
    pub key: ApiKey,
}

/// By what a request was opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Opened {
    pub owner: KeyOwner,
    /// When the client token ends by which it was; `None`: it was the key itself.
    pub token_until: Option<Timestamp>,
}

/// Why a request was not opened.
#[derive(Debug, thiserror::Error)]
pub enum NotOpened {
    #[error("this is no key of ours, or one that was revoked")]
    Key,
    #[error("this key has expired")]
    KeyExpired,
    #[error("this is no client token of ours, or its key opens nothing any more")]
    Token,
    #[error("this client token has expired")]
    TokenExpired,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Services {
    /// A key for everything, in the default project, that speaks for the user who acts, from this network address.
    ///
    /// # Errors
    /// [`KeyError`]; no key was made.
    pub async fn create_key(&self, actor: Actor, name: &str, address: &str) -> Result<NewKey, KeyError> {
        self.create_key_for(actor, KeyRequest { name: name.to_owned(), ..KeyRequest::default() }, address).await
    }

    /// A key that speaks for the user who acts, from this network address.
    ///
    /// # Errors
    /// [`KeyError`]; no key was made.
    pub async fn create_key_for(&self, actor: Actor, request: KeyRequest, address: &str) -> Result<NewKey, KeyError> {
        let Membership { tenant, user, .. } = actor.require_membership(Permission::ManageKeys)?;
        let KeyRequest { name, project, scopes, expires_at, requests_per_minute } = request;
        let name = visible_name(&name).ok_or(KeyError::Name)?;
        check_requests(requests_per_minute)?;
        if let Some(at) = expires_at
            && at <= self.store.now().await?
        {
            return Err(KeyError::Expiry);
        }
        let project = project.unwrap_or(ProjectId::default_of(tenant));
        let terms = KeyTerms { project, scopes: scopes.unwrap_or(Scopes::ALL), expires_at, requests_per_minute };
        let (secret, kept) = secret::new_secret()?;
        let new = NewApiKey { secret: kept, user, name, terms };
        let tenant = self.store.tenant(tenant);
        let keys_max = tenant.credits().plan().await?.keys_max;
        let key = tenant.api_keys().create(new, keys_max.into(), address).await.map_err(|error| KeyError::of(error, keys_max))?;
        Ok(NewKey { secret, key })
    }

    /// So many requests a minute from the next one on; `None`: as many as the tenant.
    ///
    /// # Errors
    /// [`KeyError`]; the key is as it was.
    pub async fn limit_key(&self, actor: Actor, id: ApiKeyId, requests_per_minute: Option<u32>, address: &str) -> Result<(), KeyError> {
        let Membership { tenant, user, .. } = actor.require_membership(Permission::ManageKeys)?;
        check_requests(requests_per_minute)?;
        let keys = self.store.tenant(tenant).api_keys();
        let is_known = keys.set_requests_per_minute(Asked { user, address }, id, requests_per_minute).await?;
        if is_known { Ok(()) } else { Err(KeyError::Unknown) }
    }

    /// Another key with the same project, scopes and limits; the old one lives on for `overlap_ms`. It speaks for the user who acts.
    ///
    /// # Errors
    /// [`KeyError`]; no key was made, and the old one is as it was.
    pub async fn rotate_key(&self, actor: Actor, id: ApiKeyId, overlap_ms: i64, address: &str) -> Result<NewKey, KeyError> {
        let Membership { tenant, user, .. } = actor.require_membership(Permission::ManageKeys)?;
        if !(0..=OVERLAP_MS_MAX).contains(&overlap_ms) {
            return Err(KeyError::Overlap);
        }
        let (secret, kept) = secret::new_secret()?;
        let tenant = self.store.tenant(tenant);
        let keys_max = tenant.credits().plan().await?.keys_max;
        let rotated = tenant.api_keys().rotate(Asked { user, address }, id, kept, overlap_ms, keys_max.into()).await;
        Ok(NewKey { secret, key: rotated.map_err(|error| KeyError::of(error, keys_max))? })
    }

    /// The keys in use, newest first, and behind them those that were revoked or expired last.
    ///
    /// # Errors
    /// [`AccessError`] when `actor` may not see them, or the database does not answer.
    pub async fn list_keys(&self, actor: Actor) -> Result<Vec<ApiKey>, AccessError> {
        let keys = self.tenant_of(actor, Permission::ManageKeys)?.api_keys();
        let mut listed = keys.list_live(LIVE_SHOWN).await?;
        listed.extend(keys.list_ended(ENDED_SHOWN).await?);
        Ok(listed)
    }

    /// `false`: no such key, or it opened nothing before.
    ///
    /// # Errors
    /// [`AccessError`] when `actor` may not revoke it, or the database does not answer.
    pub async fn revoke_key(&self, actor: Actor, id: ApiKeyId, address: &str) -> Result<bool, AccessError> {
        let Membership { tenant, user, .. } = actor.require_membership(Permission::ManageKeys)?;
        Ok(self.store.tenant(tenant).api_keys().revoke(Asked { user, address }, id, ENDED_SHOWN).await?)
    }

    /// For whom a request speaks that brings `secret`: a key, or a client token of this `issuer`. The database is asked each time, so
    /// what has ended opens nothing from that moment on.
    ///
    /// # Errors
    /// [`NotOpened`].
    pub async fn open(&self, secret: &str, issuer: &str) -> Result<Opened, NotOpened> {
        if client_token::looks_like_one(secret) {
            return self.open_by_token(secret, issuer).await;
        }
        if !secret::is_well_formed(secret) {
            return Err(NotOpened::Key);
        }
        match self.store.accounts().by_key(secret::digest(secret)).await? {
            FoundKey::Live(owner) => Ok(Opened { owner, token_until: None }),
            FoundKey::Expired(_) => Err(NotOpened::KeyExpired),
            FoundKey::None => Err(NotOpened::Key),
        }
    }

    async fn open_by_token(&self, token: &str, issuer: &str) -> Result<Opened, NotOpened> {
        let checked = self.check_client_token(token, issuer).await.map_err(|error| match error {
            TokenError::Invalid => NotOpened::Token,
            TokenError::Expired => NotOpened::TokenExpired,
            TokenError::Store(error) => error.into(),
        })?;
        match self.store.accounts().by_key_id(checked.key).await? {
            FoundKey::Live(owner) => {
                let owner = KeyOwner { scopes: owner.scopes.and(checked.scopes), ..owner };
                Ok(Opened { owner, token_until: Some(checked.until) })
            }
            FoundKey::Expired(_) | FoundKey::None => Err(NotOpened::Token),
        }
    }

    /// When the client token ends by which something was opened, by the clock that only runs forward; `None`: it was opened by the key itself.
    ///
    /// # Errors
    /// [`StoreError`] when the database does not answer.
    pub async fn token_ends(&self, opened: Opened) -> Result<Option<Instant>, StoreError> {
        let Some(until) = opened.token_until else { return Ok(None) };
        let left_ms = until.ms_since(self.store.now().await?);
        Ok(Some(Instant::now() + Duration::from_millis(left_ms)))
    }

    /// Whether what was opened by this key may stay open. Many who ask at once ask the database once.
    ///
    /// # Errors
    /// [`StoreError`] when the database does not answer.
    pub async fn is_open(&self, owner: KeyOwner) -> Result<bool, StoreError> {
        let store = self.store.clone();
        let ask = move || async move { store.tenant(owner.membership.tenant).api_keys().is_live(owner.key).await };
        self.live_keys.get(owner.key, ask).await
    }
}

/// A name that can be read; `None`: it is none, too long, or has characters that are not seen.
pub(crate) fn visible_name(name: &str) -> Option<String> {
    let name = name.trim();
    let is_readable = !name.is_empty() && name.chars().count() <= NAME_CHARS_MAX && !name.chars().any(domain::text::is_hidden);
    is_readable.then(|| name.to_owned())
}
