//! Secrets and signatures of Standard Webhooks (version 1 of its signatures, HMAC-SHA256).

use base64::{Engine, prelude::BASE64_STANDARD};
use ring::hmac;
use std::fmt;

const PREFIX: &str = "whsec_";
/// The last letters of a secret, by which its owner recognises it.
const HINT_CHARS: usize = 4;

/// What sender and receiver share.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret([u8; Self::BYTES]);

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not the bytes of a secret")]
pub struct SecretError;

impl Secret {
    pub const BYTES: usize = 32;

    #[must_use]
    pub const fn new(bytes: [u8; Self::BYTES]) -> Self {
        Self(bytes)
    }

    #[must_use]
    pub const fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// As receivers are given it.
    #[must_use]
    pub fn text(&self) -> String {
        format!("{PREFIX}{}", BASE64_STANDARD.encode(self.0))
    }

    #[must_use]
    pub fn hint(&self) -> String {
        let text = self.text();
        format!("{PREFIX}…{}", &text[text.len() - HINT_CHARS..])
    }

    /// Of a message that is sent at a moment in unix seconds: `v1,` and 44 letters.
    #[must_use]
    pub fn sign(&self, id: &str, unix_seconds: i64, body: &str) -> String {
        let key = hmac::Key::new(hmac::HMAC_SHA256, &self.0);
        let mut context = hmac::Context::with_key(&key);
        for part in [id, ".", &unix_seconds.to_string(), ".", body] {
            context.update(part.as_bytes());
        }
        format!("v1,{}", BASE64_STANDARD.encode(context.sign()))
    }
}

impl TryFrom<Vec<u8>> for Secret {
    type Error = SecretError;

    fn try_from(bytes: Vec<u8>) -> Result<Self, SecretError> {
        bytes.try_into().map(Self).map_err(|_| SecretError)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_that_of_the_reference_implementations() {
        // As the packages `standardwebhooks` 1.1.0 and `svix` 2.9.1 of Python make it.
        let secret = Secret::new(*b"0123456789abcdef0123456789abcdef");
        assert_eq!(secret.text(), "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=");
        assert_eq!(secret.hint(), "whsec_…ZWY=");
        let signature = secret.sign("evt_1", 1_800_000_000, r#"{"id":"evt_1"}"#);
        assert_eq!(signature, "v1,TZs3TX8SOtE8mxmLafpxHdMpV0co0Q7boKHsbCy5f+8=");
        assert_ne!(signature, secret.sign("evt_1", 1_800_000_001, r#"{"id":"evt_1"}"#));
    }
}
