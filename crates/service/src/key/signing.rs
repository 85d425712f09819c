//! The keys by which client tokens are signed: made by the servers, replaced every month, published a day before they are used and for
//! a while afterwards.

use super::eddsa::{self, SEED_BYTES};
use crate::{Services, seal::SealKey};
use domain::Timestamp;
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
/// No token is good for longer than an hour.
const USABLE_MS: i64 = REPLACED_AFTER_MS + PUBLISHED_BEFORE_MS + 2 * 3_600_000;

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
        let mut keys = self.store.signing_keys().list().await?;
        keys.retain(|key| is_usable(key, now));
        Ok(keys)
    }

    /// The key that signs now, by its name, and its seed. Where one is to follow it, that is made.
    pub(super) async fn signing_key(&self) -> Result<(String, Vec<u8>), SigningError> {
        let now = self.store.now().await?;
        let seal = self.signing_seal().await?;
        let mut keys = self.store.signing_keys().list().await?;
        if is_replacement_due(&keys, now) {
            let (id, seed) = (chance::new_id().simple().to_string(), chance::random_bytes::<SEED_BYTES>()?);
            let public_key = eddsa::public_key(&seed).map(base64url).ok_or(SigningError::Sealed)?;
            let new = SigningKey { sealed_seed: seal.seal(&purpose(&id), &seed)?, id, public_key, created_at: now };
            let newest = keys.first().map(|key| key.id.clone());
            self.store.signing_keys().add(new, newest.as_deref(), now.plus_ms(-USABLE_MS)).await?;
            keys = self.store.signing_keys().list().await?;
        }
        keys.retain(|key| is_usable(key, now));
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

fn is_usable(key: &SigningKey, now: Timestamp) -> bool {
    key.created_at.plus_ms(USABLE_MS) > now
}

/// Of `keys`, the newest first.
fn is_replacement_due(keys: &[SigningKey], now: Timestamp) -> bool {
    keys.first().is_none_or(|newest| newest.created_at.plus_ms(REPLACED_AFTER_MS) <= now)
}

/// The newest that was published for long enough; where there is none, the oldest.
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

    fn key(id: &str, age_days: i64) -> SigningKey {
        let created_at = NOW.plus_ms(-age_days * DAY_MS);
        SigningKey { id: id.into(), public_key: String::new(), sealed_seed: String::new(), created_at }
    }

    #[test]
    fn a_key_is_published_for_a_day_before_it_signs_and_until_no_token_of_it_is_good() {
        let signs = |keys: &[SigningKey]| signer(keys, NOW).map(|key| key.id.clone());
        assert_eq!((signs(&[]), signs(&[key("first", 0)])), (None, Some("first".into())));
        assert_eq!(signs(&[key("new", 0), key("old", 30)]), Some("old".into()));
        assert_eq!(signs(&[key("new", 1), key("old", 31)]), Some("new".into()));
        assert!(is_usable(&key("old", 31), NOW) && !is_usable(&key("old", 32), NOW));
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
