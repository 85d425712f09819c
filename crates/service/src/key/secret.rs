//! What a key looks like: `rm_live_` + 30 random characters + a checksum of six. 178 bits; only the SHA-256 is stored.
//!
//! The checksum lets a scanner tell a leaked key from any other text, and us refuse a mistyped one without
//! asking the database.

use domain::ApiKeyId;
use sha2::{Digest, Sha256};
use store::{
    KeySecret,
    chance::{self, NoRandomness},
};

const PREFIX: &str = "rm_live_";
const RANDOM_CHARS: usize = 30;
const CHECKSUM_CHARS: usize = 6;
const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// What its owner is shown once, and what is kept of it.
pub(super) fn new_secret() -> Result<(String, KeySecret), NoRandomness> {
    let secret = random_secret()?;
    let kept = KeySecret {
        id: ApiKeyId::from_uuid(chance::new_id()),
        hint: format!("{}…{}", &secret[..PREFIX.len() + 4], &secret[secret.len() - 4..]),
        secret_sha256: digest(&secret),
    };
    Ok((secret, kept))
}

/// By which a key is found.
pub(super) fn digest(secret: &str) -> [u8; 32] {
    Sha256::digest(secret.as_bytes()).into()
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

pub(super) fn is_well_formed(secret: &str) -> bool {
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

    /// `docs/how-to/scan-for-leaked-keys.md` shows one, for scanners to be tried on.
    #[test]
    fn the_key_of_the_how_to_is_well_formed() {
        let body = "Example0Example0Example0Exampl";
        let key = format!("{PREFIX}{body}{}", checksum(body));
        assert!(is_well_formed(&key) && include_str!("../../../../docs/how-to/scan-for-leaked-keys.md").contains(&key));
    }
}
