//! The secret that opens `/metrics`. Without one there is no such page.
//!
//! Addresses are not asked: behind a proxy on the same machine every visitor comes from there.

use sha2::{Digest, Sha256};
use std::{fmt, str::FromStr};

const CHARS_MIN: usize = 16;

/// Compared by digest, so that the time it takes says nothing about the token.
#[derive(Clone, PartialEq, Eq)]
pub struct MetricsToken {
    sha256: [u8; 32],
    chars: usize,
}

impl MetricsToken {
    /// How long it is, in characters.
    #[must_use]
    pub const fn chars(&self) -> usize {
        self.chars
    }

    /// Whether the value of an `Authorization` header is `Bearer` and this token.
    #[must_use]
    pub fn is_in(&self, authorization: Option<&str>) -> bool {
        let given = authorization.and_then(|value| value.split_once(' '));
        given.is_some_and(|(scheme, token)| scheme.eq_ignore_ascii_case("bearer") && digest(token.trim()) == self.sha256)
    }
}

fn digest(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}

impl FromStr for MetricsToken {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        let token = text.trim();
        let chars = token.chars().count();
        if chars < CHARS_MIN { Err("at least 16 characters") } else { Ok(Self { sha256: digest(token), chars }) }
    }
}

impl fmt::Debug for MetricsToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MetricsToken")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_whole_token_as_a_bearers_is_taken() {
        let token: MetricsToken = "correct horse battery".parse().unwrap();
        assert!(token.is_in(Some("Bearer correct horse battery")) && token.is_in(Some("bearer correct horse battery")));
        for wrong in [None, Some(""), Some("Bearer"), Some("Bearer "), Some("Bearer correct horse"), Some("Basic correct horse battery")] {
            assert!(!token.is_in(wrong), "{wrong:?}");
        }
    }

    #[test]
    fn a_short_token_is_refused_and_none_is_printed() {
        assert!("".parse::<MetricsToken>().is_err() && "fifteen letters".parse::<MetricsToken>().is_err());
        assert_eq!(format!("{:?}", "correct horse battery".parse::<MetricsToken>().unwrap()), "MetricsToken");
    }
}
