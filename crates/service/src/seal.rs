//! Small things that travel through a browser and that only we can read or make: XChaCha20-Poly1305 with a random
//! nonce, as hexadecimal digits.

use chacha20poly1305::{
    KeyInit, XChaCha20Poly1305, XNonce,
    aead::{Aead, Payload},
};
use serde::{Deserialize, Serialize};
use std::fmt;
use store::chance::{self, NoRandomness};

const NONCE_BYTES: usize = 24;

/// 256 random bits.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SealKey([u8; 32]);

impl SealKey {
    /// # Errors
    /// When the system has no randomness to give.
    pub fn random() -> Result<Self, NoRandomness> {
        chance::random_bytes().map(Self)
    }

    pub(crate) fn of_hex(text: &str) -> Option<Self> {
        Some(Self(of_hex(text)?.try_into().ok()?))
    }

    pub(crate) fn hex(&self) -> String {
        hex::encode(self.0)
    }

    /// `purpose` has to be named again to open it, so that nothing sealed for one use passes for another.
    ///
    /// # Errors
    /// When the system has no randomness to give.
    pub fn seal(&self, purpose: &str, plain: &[u8]) -> Result<String, NoRandomness> {
        let nonce: [u8; NONCE_BYTES] = chance::random_bytes()?;
        let sealed = self.cipher().encrypt(&XNonce::from(nonce), Payload { msg: plain, aad: purpose.as_bytes() });
        // It fails for texts of 256 GiB only.
        Ok(hex::encode(nonce) + &hex::encode(sealed.unwrap_or_default()))
    }

    /// What was sealed under this key for this purpose; `None` for anything else.
    #[must_use]
    pub fn open(&self, purpose: &str, sealed: &str) -> Option<Vec<u8>> {
        let bytes = of_hex(sealed)?;
        let (nonce, sealed) = bytes.split_first_chunk::<NONCE_BYTES>()?;
        self.cipher().decrypt(&XNonce::from(*nonce), Payload { msg: sealed, aad: purpose.as_bytes() }).ok()
    }

    fn cipher(&self) -> XChaCha20Poly1305 {
        XChaCha20Poly1305::new(&self.0.into())
    }
}

impl fmt::Debug for SealKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SealKey")
    }
}

/// The one spelling that we give: one with capitals would be another text for the same bytes.
fn of_hex(text: &str) -> Option<Vec<u8>> {
    hex::decode(text).ok().filter(|bytes| hex::encode(bytes) == text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_key_and_the_purpose_open_it() {
        let (key, other) = (SealKey::random().unwrap(), SealKey::random().unwrap());
        let sealed = key.seal("keys", b"a secret").unwrap();
        assert_eq!(key.open("keys", &sealed).as_deref(), Some(&b"a secret"[..]));
        assert_eq!((key.open("else", &sealed), other.open("keys", &sealed)), (None, None));
        assert_ne!(sealed, key.seal("keys", b"a secret").unwrap());
        assert_eq!(SealKey::of_hex(&key.hex()), Some(key));
    }

    #[test]
    fn what_was_changed_or_is_no_seal_opens_nothing() {
        let key = SealKey::random().unwrap();
        let sealed = key.seal("keys", b"a secret").unwrap();
        for at in 0..sealed.len() {
            let mut changed = sealed.clone().into_bytes();
            changed[at] = if changed[at] == b'0' { b'1' } else { b'0' };
            assert_eq!(key.open("keys", &String::from_utf8(changed).unwrap()), None);
        }
        assert_eq!(key.open("keys", &sealed.to_uppercase()), None);
        for text in ["", "0", "zz", "é", &"0".repeat(47), &"0".repeat(200)] {
            assert_eq!(key.open("keys", text), None, "{text}");
        }
    }
}
