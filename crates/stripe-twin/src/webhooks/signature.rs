//! `Stripe-Signature`: the time and the HMAC-SHA256 of time and body.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// The header for this body, signed at this second.
pub fn sign(secret: &str, body: &str, second: i64) -> String {
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(secret.as_bytes()) else { return String::new() };
    mac.update(format!("{second}.{body}").as_bytes());
    format!("t={second},v1={}", hex::encode(mac.finalize().into_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_the_hmac_of_time_and_body() {
        // `printf '1700000000.{}' | openssl dgst -sha256 -hmac whsec_test`
        let expected = "t=1700000000,v1=35495024f4ef3f94e5a93e22221544c4b75e9a42300cd965ab81cb85cd994e91";
        assert_eq!(sign("whsec_test", "{}", 1_700_000_000), expected);
    }
}
