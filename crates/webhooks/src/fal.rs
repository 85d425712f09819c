//! Signatures as fal's receivers check them: ED25519 over the request, whose it is, when it is sent, and a digest of the body.

use crate::sign::SecretError;
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use ring::{
    digest::{SHA256, digest},
    signature::{Ed25519KeyPair, KeyPair},
};
use std::fmt;

/// By which all of an installation's deliveries to fal's receivers are signed.
pub struct FalKey(Ed25519KeyPair);

impl FalKey {
    pub const SEED_BYTES: usize = 32;

    /// # Errors
    /// [`SecretError`]: these are not the bytes of a seed.
    pub fn of_seed(seed: &[u8]) -> Result<Self, SecretError> {
        Ed25519KeyPair::from_seed_unchecked(seed).map(Self).map_err(|_| SecretError)
    }

    /// The public half, in base64url without padding.
    #[must_use]
    pub fn public(&self) -> String {
        BASE64_URL_SAFE_NO_PAD.encode(self.0.public_key())
    }

    /// Lower-case hexadecimal digits.
    #[must_use]
    pub fn sign(&self, request: &str, user: &str, unix_seconds: i64, body: &str) -> String {
        let signed = format!("{request}\n{user}\n{unix_seconds}\n{}", hex(digest(&SHA256, body.as_bytes()).as_ref()));
        hex(self.0.sign(signed.as_bytes()).as_ref())
    }
}

impl fmt::Debug for FalKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("FalKey")
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ring::signature::{ED25519, UnparsedPublicKey};

    #[test]
    fn a_signature_is_checked_by_the_public_half_over_what_receivers_put_together() {
        let key = FalKey::of_seed(&[7; FalKey::SEED_BYTES]).unwrap();
        let signature = key.sign("req", "user", 1_800_000_000, "{}");
        let bytes: Vec<u8> = (0..signature.len()).step_by(2).map(|at| u8::from_str_radix(&signature[at..at + 2], 16).unwrap()).collect();
        let public = UnparsedPublicKey::new(&ED25519, BASE64_URL_SAFE_NO_PAD.decode(key.public()).unwrap());
        // The SHA-256 of `{}`.
        let of_body = "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a";
        assert!(public.verify(format!("req\nuser\n1800000000\n{of_body}").as_bytes(), &bytes).is_ok());
        assert!(public.verify(format!("req\nuser\n1800000001\n{of_body}").as_bytes(), &bytes).is_err());
        assert!(FalKey::of_seed(&[7; 31]).is_err());
    }
}
