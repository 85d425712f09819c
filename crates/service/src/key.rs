//! API keys: `rm_live_` + 30 random characters + a checksum of six. 178 bits; only the SHA-256 is stored.
//!
//! The checksum lets a scanner tell a leaked key from any other text, and us refuse a mistyped one without
//! asking the database.

use crate::{AccessError, Services};
use domain::{Actor, ApiKeyId, Forbidden, KeyOwner, Membership, Permission};
use sha2::{Digest, Sha256};
use store::{
    ApiKey, Asked, NewApiKey, StoreError,
    chance::{self, NoRandomness},
};

const PREFIX: &str = "rm_live_";
const RANDOM_CHARS: usize = 30;
const CHECKSUM_CHARS: usize = 6;
pub const NAME_CHARS_MAX: usize = 100;
/// As many as any plan has.
const LIVE_SHOWN: u64 = 1000;
const REVOKED_SHOWN: u64 = 50;
const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    #[error(transparent)]
    Forbidden(#[from] Forbidden),
    #[error("give the key a name of 1 to {NAME_CHARS_MAX} characters")]
    Name,
    #[error("at most {keys_max} keys can be in use at the same time: revoke one first")]
    TooMany { keys_max: u32 },
    #[error("the system has no randomness to give")]
    Random(#[from] NoRandomness),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A key just made: the only moment at which its secret is known.
#[derive(Debug, Clone)]
pub struct NewKey {
    pub secret: String,
    pub key: ApiKey,
}

impl Services {
    /// A key that speaks for the user who acts, from this network address.
    ///
    /// # Errors
    /// [`KeyError`]; no key was made.
    pub async fn create_key(&self, actor: Actor, name: &str, address: &str) -> Result<NewKey, KeyError> {
        let Membership { tenant, user, .. } = actor.require_membership(Permission::ManageKeys)?;
        let name = name.trim();
        if name.is_empty() || name.chars().count() > NAME_CHARS_MAX || name.chars().any(char::is_control) {
            return Err(KeyError::Name);
        }
        let secret = random_secret()?;
        let new = NewApiKey {
            id: ApiKeyId::from_uuid(chance::new_id()),
            user,
            name: name.to_owned(),
            hint: format!("{}…{}", &secret[..PREFIX.len() + 4], &secret[secret.len() - 4..]),
            secret_sha256: Sha256::digest(secret.as_bytes()).into(),
        };
        let tenant = self.store.tenant(tenant);
        let keys_max = tenant.credits().plan().await?.keys_max;
        let key = tenant.api_keys().create(new, keys_max.into(), address).await?.ok_or(KeyError::TooMany { keys_max })?;
        Ok(NewKey { secret, key })
    }

    /// The keys in use, newest first, and behind them those that were revoked last.
    ///
    /// # Errors
    /// [`AccessError`] when `actor` may not see them, or the database does not answer.
    pub async fn list_keys(&self, actor: Actor) -> Result<Vec<ApiKey>, AccessError> {
        let keys = self.tenant_of(actor, Permission::ManageKeys)?.api_keys();
        let mut listed = keys.list_live(LIVE_SHOWN).await?;
        listed.extend(keys.list_revoked(REVOKED_SHOWN).await?);
        Ok(listed)
    }

    /// `false`: no such key, or revoked before.
    ///
    /// # Errors
    /// [`AccessError`] when `actor` may not revoke it, or the database does not answer.
    pub async fn revoke_key(&self, actor: Actor, id: ApiKeyId, address: &str) -> Result<bool, AccessError> {
        let Membership { tenant, user, .. } = actor.require_membership(Permission::ManageKeys)?;
        Ok(self.store.tenant(tenant).api_keys().revoke(Asked { user, address }, id, REVOKED_SHOWN).await?)
    }

    /// For whom `secret` speaks; `None` when it is no key of ours or revoked.
    ///
    /// # Errors
    /// [`StoreError`] when the database does not answer.
    pub async fn authenticate_key(&self, secret: &str) -> Result<Option<KeyOwner>, StoreError> {
        if !is_well_formed(secret) {
            return Ok(None);
        }
        self.store.accounts().by_key(Sha256::digest(secret.as_bytes()).into()).await
    }
}

/// Draws each character evenly: bytes of 248 and more would favour the first ones and are thrown away.
fn random_secret() -> Result<String, NoRandomness> {
    let mut body = String::with_capacity(RANDOM_CHARS);
    while body.len() < RANDOM_CHARS {
        let bytes: [u8; 64] = chance::random_bytes()?;
        let missing = RANDOM_CHARS - body.len();
        let even = bytes.into_iter().filter(|byte| *byte < 248).map(|byte| char::from(BASE62[usize::from(byte % 62)]));
        body.extend(even.take(missing));
    }
    let checksum = checksum(&body);
    Ok(format!("{PREFIX}{body}{checksum}"))
}

/// CRC-32 of the random part, six characters of base 62, most significant first.
fn checksum(body: &str) -> String {
    let mut rest = crc32fast::hash(body.as_bytes()) as usize;
    let mut digits = [b'0'; CHECKSUM_CHARS];
    for digit in digits.iter_mut().rev() {
        *digit = BASE62[rest % 62];
        rest /= 62;
    }
    digits.iter().map(|digit| char::from(*digit)).collect()
}

fn is_well_formed(secret: &str) -> bool {
    let Some(rest) = secret.strip_prefix(PREFIX) else { return false };
    rest.len() == RANDOM_CHARS + CHECKSUM_CHARS
        && rest.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && checksum(&rest[..RANDOM_CHARS]) == rest[RANDOM_CHARS..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_well_formed_and_unlike_any_other() {
        let (a, b) = (random_secret().unwrap(), random_secret().unwrap());
        assert!(is_well_formed(&a) && is_well_formed(&b));
        assert_ne!(a, b);
        assert_eq!(a.len(), 44);
    }

    #[test]
    fn a_mistyped_secret_is_told_by_its_checksum() {
        let secret = random_secret().unwrap();
        let mut typo = secret.clone().into_bytes();
        typo[12] = if typo[12] == b'x' { b'y' } else { b'x' };
        for wrong in [String::from_utf8(typo).unwrap(), secret[1..].to_owned(), format!("{secret}0"), "rm_live_é".repeat(6), String::new()]
        {
            assert!(!is_well_formed(&wrong), "{wrong}");
        }
    }
}
