//! The keys by which client tokens are signed: made by the servers, replaced every month, published a day before they are used and for
//! a while afterwards. A key signs until the next one was published for a day, however late that one is made: so no token is signed by a key
//! that others have not heard of, or that is forgotten before the token ends.

use super::eddsa::{self, SEED_BYTES};
use crate::{Services, seal::SealKey};
use domain::{Actor, Forbidden, Permission, Timestamp};
use serde::Serialize;
use std::error::Error;
use store::{
    SigningKey, StoreError,
    chance::{self, NoRandomness},
};

const SEAL_SETTING: &str = "signing_keys_key";
const DAY_MS: i64 = 24 * 3_600_000;
/// Then another one is made,
const REPLACED_AFTER_MS: i64 = 30 * DAY_MS;
/// which signs when others have had so long to hear of it.
const PUBLISHED_BEFORE_MS: i64 = DAY_MS;
/// Seconds for which any token is good, at the most.
pub(super) const TOKEN_S_MAX: u32 = 3600;
/// From when a key signs no more until it is forgotten: twice as long as any of its tokens is good.
const USABLE_AFTERWARDS_MS: i64 = 2 * 1000 * TOKEN_S_MAX as i64;

/// Public keys, as `/.well-known/jwks.json` tells them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct KeySet {
    pub keys: Vec<PublicKey>,
}

/// A public key (RFC 8037).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PublicKey {
    pub kty: &'static str,
    pub crv: &'static str,
    pub alg: &'static str,
    #[serde(rename = "use")]
    pub usage: &'static str,
    pub kid: String,
    /// In base64url.
    pub x: String,
}

#[derive(Debug, thiserror::Error)]
pub enum SigningError {
    #[error(transparent)]
    Forbidden(#[from] Forbidden),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the system has no randomness to give")]
    Random(#[from] NoRandomness),
    #[error("a signing key cannot be opened: the key in `settings` is another one")]
    Sealed,
}

impl Services {
    /// The keys whose tokens are good.
    ///
    /// # Errors
    /// [`StoreError`] when the database does not answer.
    pub async fn public_keys(&self) -> Result<KeySet, StoreError> {
        let key = |key: SigningKey| PublicKey { kty: "OKP", crv: "Ed25519", alg: "EdDSA", usage: "sig", kid: key.id, x: key.public_key };
        Ok(KeySet { keys: self.usable_keys().await?.into_iter().map(key).collect() })
    }

    /// The newest first.
    pub(super) async fn usable_keys(&self) -> Result<Vec<SigningKey>, StoreError> {
        let now = self.store.now().await?;
        Ok(usable(self.store.signing_keys().list().await?, now))
    }

    /// Makes the key that is to follow the one that signs, once that is a month old; and the first one.
    ///
    /// # Errors
    /// [`SigningError`] when this is not `actor`'s work, the database does not answer or no key can be made.
    pub async fn replace_signing_key(&self, actor: Actor) -> Result<(), SigningError> {
        actor.require(Permission::Maintain)?;
        let now = self.store.now().await?;
        let keys = self.store.signing_keys().list().await?;
        if is_replacement_due(&keys, now) { self.add_signing_key(&self.signing_seal().await?, keys, now).await } else { Ok(()) }
    }

    /// Adds one, unless another server does, and forgets those whose tokens have all ended.
    async fn add_signing_key(&self, seal: &SealKey, keys: Vec<SigningKey>, now: Timestamp) -> Result<(), SigningError> {
        let (id, seed) = (chance::new_id().simple().to_string(), chance::random_bytes::<SEED_BYTES>()?);
        let public_key = eddsa::public_key(&seed).map(base64url).ok_or(SigningError::Sealed)?;
        let new = SigningKey { sealed_seed: seal.seal(&purpose(&id), &seed)?, id, public_key, created_at: now };
        let newest = keys.first().map(|key| key.id.clone());
        let oldest = usable(keys, now).last().map_or(now, |key| key.created_at);
        Ok(self.store.signing_keys().add(new, newest.as_deref(), oldest).await?)
    }

    /// The key that signs now, by its name, and its seed. Where there is none at all yet, one is made.
    pub(super) async fn signing_key(&self) -> Result<(String, Vec<u8>), SigningError> {
        let now = self.store.now().await?;
        let seal = self.signing_seal().await?;
        let mut keys = self.store.signing_keys().list().await?;
        if keys.is_empty() {
            self.add_signing_key(&seal, keys, now).await?;
            keys = self.store.signing_keys().list().await?;
        }
        let key = signer(&keys, now).ok_or(SigningError::Sealed)?;
        let seed = seal.open(&purpose(&key.id), &key.sealed_seed);
        let seed =
            seed.ok_or(SigningError::Sealed).inspect_err(|error| tracing::error!(error = error as &dyn Error, "no token can be signed"))?;
        Ok((key.id.clone(), seed))
    }

    /// Drawn once by whichever server needs it first.
    async fn signing_seal(&self) -> Result<SealKey, SigningError> {
        let shared = self.store.settings().settle(SEAL_SETTING, &SealKey::random()?.hex()).await?;
        SealKey::of_hex(&shared).ok_or(SigningError::Sealed)
    }
}

fn purpose(id: &str) -> String {
    format!("seed of the signing key {id}")
}

/// Of `keys`, the newest first, those whose tokens may be good: all that the next one has not replaced long enough ago.
fn usable(mut keys: Vec<SigningKey>, now: Timestamp) -> Vec<SigningKey> {
    let is_replaced = |next: &SigningKey| next.created_at.plus_ms(PUBLISHED_BEFORE_MS + USABLE_AFTERWARDS_MS) <= now;
    let newest_that_replaced = keys.iter().position(is_replaced);
    keys.truncate(newest_that_replaced.map_or(keys.len(), |at| at + 1));
    keys
}

/// Of `keys`, the newest first.
fn is_replacement_due(keys: &[SigningKey], now: Timestamp) -> bool {
    keys.first().is_none_or(|newest| newest.created_at.plus_ms(REPLACED_AFTER_MS) <= now)
}

/// Of `keys`, the newest first: the newest that was published for long enough; where there is none, the oldest.
fn signer(keys: &[SigningKey], now: Timestamp) -> Option<&SigningKey> {
    keys.iter().find(|key| key.created_at.plus_ms(PUBLISHED_BEFORE_MS) <= now).or(keys.last())
}

/// As RFC 7515 writes bytes: without padding.
fn base64url(bytes: Vec<u8>) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let bits = chunk.iter().fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        let digits = (0..=chunk.len()).map(|at| char::from(DIGITS[(bits >> (18 - 6 * at)) as usize & 63]));
        text.extend(digits);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_ms(1_800_000_000_000);
    const HOUR_MS: i64 = 3_600_000;

    fn key(id: &str, age_days: i64) -> SigningKey {
        aged(id, age_days * DAY_MS)
    }

    fn aged(id: &str, age_ms: i64) -> SigningKey {
        SigningKey { id: id.into(), public_key: String::new(), sealed_seed: String::new(), created_at: NOW.plus_ms(-age_ms) }
    }

    fn usable_ids(keys: Vec<SigningKey>) -> Vec<String> {
        usable(keys, NOW).into_iter().map(|key| key.id).collect()
    }

    #[test]
    fn a_key_signs_until_the_next_was_published_for_a_day_however_old_it_is() {
        for age_days in [0, 31, 32, 400] {
            assert_eq!(usable_ids(vec![key("only", age_days)]), ["only"]);
            assert_eq!(signer(&[key("only", age_days)], NOW).unwrap().id, "only");
            let late = [aged("late", DAY_MS - 1), key("old", age_days + 1)];
            assert_eq!(signer(&late, NOW).unwrap().id, "old");
        }
    }

    #[test]
    fn who_signed_last_is_known_until_its_last_token_has_ended_and_longer() {
        // Signed a moment before the next one had its day, a token is good for an hour.
        let after = |ms: i64| usable_ids(vec![aged("new", DAY_MS + ms), key("old", 400), key("older", 430)]);
        assert_eq!([0, HOUR_MS, 2 * HOUR_MS - 1].map(|ms| after(ms).len()), [2, 2, 2]);
        assert_eq!(after(0), ["new", "old"]);
        assert_eq!(after(2 * HOUR_MS), ["new"]);
    }

    #[test]
    fn a_key_is_published_for_a_day_before_it_signs_and_until_no_token_of_it_is_good() {
        let signs = |keys: &[SigningKey]| signer(keys, NOW).map(|key| key.id.clone());
        assert_eq!((signs(&[]), signs(&[key("first", 0)])), (None, Some("first".into())));
        assert_eq!(signs(&[key("new", 0), key("old", 30)]), Some("old".into()));
        assert_eq!(signs(&[key("new", 1), key("old", 31)]), Some("new".into()));
        assert!(is_replacement_due(&[], NOW) && is_replacement_due(&[key("a", 30)], NOW));
        assert!(!is_replacement_due(&[key("a", 29), key("b", 60)], NOW));
    }

    #[test]
    fn bytes_are_written_as_the_standard_does() {
        // RFC 4648, section 10, and RFC 8037, appendix A.2.
        assert_eq!(["", "f", "fo", "foo", "foob"].map(|text| base64url(text.into())), ["", "Zg", "Zm8", "Zm9v", "Zm9vYg"]);
        let seed = hex::decode("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60").unwrap();
        assert_eq!(base64url(eddsa::public_key(&seed).unwrap()), "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo");
    }
}
