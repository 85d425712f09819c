//! Whether a webhook is Stripe's: its signature over the bytes that came, and how old it is.
//!
//! The crate of Stripe's events checks it together with the whole event, and so refuses what a later version of the API sends. Here nothing
//! but the bytes counts.

use domain::Timestamp;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// How far the time of a signature may lie from ours.
pub const TOLERANCE_S: i64 = 300;
/// Real headers have a tenth of it.
const HEADER_BYTES_MAX: usize = 4096;

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SignatureError {
    #[error("there is no signature, or it cannot be read")]
    Malformed,
    #[error("the signature is older than five minutes, or of the future")]
    Time,
    #[error("the signature is not that of this text")]
    Wrong,
}

/// Checks the `Stripe-Signature` header of a webhook. Any of the `secrets` will do, so that they can be changed.
///
/// # Errors
/// [`SignatureError`]: whoever sent it is not Stripe.
pub fn verify(body: &[u8], header: &str, secrets: &[String], now: Timestamp) -> Result<(), SignatureError> {
    if header.len() > HEADER_BYTES_MAX {
        return Err(SignatureError::Malformed);
    }
    let (mut time, mut signatures) = (None, Vec::new());
    for part in header.split(',') {
        match part.trim().split_once('=') {
            Some(("t", text)) if time.is_none() => time = Some((text, text.parse::<i64>().map_err(|_| SignatureError::Malformed)?)),
            // A second time would leave it open which one was signed.
            Some(("t", _)) => return Err(SignatureError::Malformed),
            Some(("v1", text)) => signatures.extend(hex::decode(text)),
            _ => {}
        }
    }
    let (text, time) = time.ok_or(SignatureError::Malformed)?;
    if signatures.is_empty() {
        return Err(SignatureError::Malformed);
    }
    let is_signed = |secret: &String| {
        let Ok(mac) = Hmac::<Sha256>::new_from_slice(secret.as_bytes()) else { return false };
        let mac = mac.chain_update(text.as_bytes()).chain_update(b".").chain_update(body);
        signatures.iter().any(|signature| mac.clone().verify_slice(signature).is_ok())
    };
    if !secrets.iter().any(is_signed) {
        return Err(SignatureError::Wrong);
    }
    if (now.unix_seconds() - time).abs() > TOLERANCE_S { Err(SignatureError::Time) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 1_800_000_000;

    fn signed(time: &str, body: &str, secret: &str) -> String {
        let mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
        hex::encode(mac.chain_update(format!("{time}.{body}").as_bytes()).finalize().into_bytes())
    }

    fn check(header: &str) -> Result<(), SignatureError> {
        verify(b"{}", header, &["new".to_owned(), "old".to_owned()], Timestamp::from_ms(NOW * 1000))
    }

    #[test]
    fn what_stripe_signs_is_taken_and_nothing_else() {
        let at = |time: i64, secret: &str| format!("t={time},v1={}", signed(&time.to_string(), "{}", secret));
        for good in [at(NOW, "new"), at(NOW, "old"), at(NOW - 300, "new"), at(NOW + 300, "new")] {
            assert_eq!(check(&good), Ok(()), "{good}");
        }
        let right = signed(&NOW.to_string(), "{}", "new");
        assert_eq!(check(&format!("t={NOW},v1={},v1={right},v0=aa", "00".repeat(32))), Ok(()));
        for (header, error) in [
            (at(NOW - 301, "new"), SignatureError::Time),
            (at(NOW + 301, "new"), SignatureError::Time),
            (at(NOW, "other"), SignatureError::Wrong),
            (format!("t={NOW},v1={}", signed(&NOW.to_string(), "{ }", "new")), SignatureError::Wrong),
            (format!("t={NOW},v0={right}"), SignatureError::Malformed),
            (format!("t={NOW},t={NOW},v1={right}"), SignatureError::Malformed),
            (format!("t={},v1={right}", NOW + 1), SignatureError::Wrong),
            (format!("v1={right}"), SignatureError::Malformed),
            (format!("t={NOW}"), SignatureError::Malformed),
            (format!("t=x,v1={right}"), SignatureError::Malformed),
            (format!("t={NOW},v1={right}{}", "x".repeat(1 << 20)), SignatureError::Malformed),
            (String::new(), SignatureError::Malformed),
        ] {
            assert_eq!(check(&header), Err(error), "{}", &header[..header.len().min(120)]);
        }
        assert_eq!(verify(b"{}", &at(NOW, ""), &[], Timestamp::from_ms(NOW * 1000)), Err(SignatureError::Wrong));
    }
}
