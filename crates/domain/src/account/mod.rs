//! What counts as an email address and as a password: the same rule in the browser and on the server.

pub mod mail;
pub mod rate;
pub mod token;
pub mod tries;

use serde::{Deserialize, Serialize};
use std::{collections::HashSet, fmt, str::FromStr};

/// An email address, lower-cased: the name under which a person signs in.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Email(String);

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("that does not look like an email address")]
pub struct EmailError;

impl Email {
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What stands before the `@`.
    #[must_use]
    pub fn local_part(&self) -> &str {
        self.0.split_once('@').map_or("", |(local, _)| local)
    }

    /// Whether a text says this address, and not only as a part of a longer one.
    #[must_use]
    pub fn is_said_in(&self, text: &str) -> bool {
        let text = text.to_lowercase();
        text.match_indices(&self.0).any(|(at, said)| {
            let (before, behind) = (&text[..at], &text[at + said.len()..]);
            // A full stop behind it may be that of a sentence.
            let behind = behind.strip_prefix('.').unwrap_or(behind);
            !before.ends_with(is_of_address) && !behind.starts_with(|sign| is_of_address(sign) && sign != '.')
        })
    }
}

/// What stands next to others in an address. Quotes may, but mostly stand around one.
fn is_of_address(sign: char) -> bool {
    sign.is_alphanumeric() || ".!%+_~-@".contains(sign)
}

impl fmt::Display for Email {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for Email {
    type Err = EmailError;

    /// Only what can be told without sending a mail: one `@`, both sides filled, at most 254 bytes,
    /// no white space, no control characters.
    fn from_str(text: &str) -> Result<Self, EmailError> {
        let text = text.trim().to_lowercase();
        let (local, host) = text.rsplit_once('@').ok_or(EmailError)?;
        let clean = !text.chars().any(|c| c.is_whitespace() || c.is_control() || matches!(c, '<' | '>' | '"' | ','));
        let host_ok = !host.is_empty() && !host.starts_with('.') && !host.ends_with('.') && !host.contains("..");
        if clean && host_ok && !local.is_empty() && !local.contains('@') && text.len() <= 254 { Ok(Self(text)) } else { Err(EmailError) }
    }
}

pub const PASSWORD_CHARS_MIN: usize = 8;
/// Bounds the work of one argon2 call.
pub const PASSWORD_BYTES_MAX: usize = 1024;

/// Why a password is too weak or cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PasswordError {
    #[error("use at least {PASSWORD_CHARS_MIN} characters")]
    TooShort,
    #[error("use a shorter one: at most {} plain letters, or fewer others", crate::grouped(PASSWORD_BYTES_MAX as u64))]
    TooLong,
    #[error("that password is among the first anyone would guess")]
    Common,
    #[error("use more different characters")]
    Monotonous,
    #[error("do not use your email address as the password")]
    IsMail,
}

/// Checks a password someone wants to take. Length and guessability count, character classes do not
/// (NIST SP 800-63B, section 5.1.1.2).
///
/// # Errors
/// The first [`PasswordError`] that applies.
pub fn check_password(password: &str, email: &Email) -> Result<(), PasswordError> {
    let lower = password.to_lowercase();
    let stem = lower.trim_end_matches(|c: char| c.is_ascii_digit() || c.is_ascii_punctuation());
    if password.chars().count() < PASSWORD_CHARS_MIN {
        Err(PasswordError::TooShort)
    } else if password.len() > PASSWORD_BYTES_MAX {
        Err(PasswordError::TooLong)
    } else if lower == email.as_str() || stem == email.local_part() {
        Err(PasswordError::IsMail)
    } else if COMMON.contains(&lower.as_str()) || COMMON.contains(&stem) {
        Err(PasswordError::Common)
    } else if lower.chars().collect::<HashSet<_>>().len() < 4 {
        Err(PasswordError::Monotonous)
    } else {
        Ok(())
    }
}

/// Stems of the passwords at the top of every leaked list; digits and signs behind them change nothing.
const COMMON: &[&str] = &[
    "password",
    "passw0rd",
    "p@ssw0rd",
    "p@ssword",
    "12345678",
    "123456789",
    "1234567890",
    "87654321",
    "qwerty",
    "qwertyuiop",
    "qwerty123",
    "asdfghjkl",
    "zxcvbnm",
    "1q2w3e4r",
    "1q2w3e4r5t",
    "1qaz2wsx",
    "qazwsxedc",
    "iloveyou",
    "sunshine",
    "princess",
    "football",
    "baseball",
    "welcome",
    "letmein",
    "trustno1",
    "superman",
    "batman",
    "starwars",
    "whatever",
    "computer",
    "internet",
    "administrator",
    "admin",
    "changeme",
    "secret",
    "monkey",
    "dragon",
    "master",
    "michael",
    "jennifer",
    "abcdefgh",
    "abcd1234",
    "abc12345",
    "reelmill",
    "test",
    "testtest",
    "default",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn mail() -> Email {
        "grace.hopper@example.com".parse().unwrap()
    }

    #[test]
    fn an_address_is_told_from_a_longer_one_that_ends_or_begins_like_it() {
        let ada: Email = "ada@example.com".parse().unwrap();
        for text in [
            "ada@example.com",
            "Of ADA@example.com.",
            "(ada@example.com)",
            "xada@example.com, ada@example.com: both",
            "ada@example.com.\n\nLook",
        ] {
            assert!(ada.is_said_in(text), "{text}");
        }
        for text in
            ["canada@example.com", "is.ada@example.com", "ada@example.com.au", "ada@example.community", "émada@example.com", "ada@example"]
        {
            assert!(!ada.is_said_in(text), "{text}");
        }
    }

    #[test]
    fn mail_addresses_are_lower_cased_and_trimmed() {
        assert_eq!(" Ada@Example.COM ".parse::<Email>().unwrap().as_str(), "ada@example.com");
    }

    #[test]
    fn what_cannot_be_a_mail_address_is_refused() {
        for text in ["", "ada", "@example.com", "ada@", "a b@c.d", "a@b@c", "a@.com", "a@b..c", "a\0@b.c", "<a@b.c>"] {
            assert_eq!(text.parse::<Email>(), Err(EmailError), "{text:?}");
        }
        assert!(format!("{}@b.c", "a".repeat(300)).parse::<Email>().is_err());
    }

    #[test]
    fn guessable_passwords_are_refused_with_the_reason() {
        let check = |password: &str| check_password(password, &mail());
        assert_eq!(check("short"), Err(PasswordError::TooShort));
        assert_eq!(check("Password123!"), Err(PasswordError::Common));
        assert_eq!(check("aaaaaaaaaaab"), Err(PasswordError::Monotonous));
        assert_eq!(check("grace.hopper1"), Err(PasswordError::IsMail));
        assert_eq!(check(&"ab3d".repeat(300)), Err(PasswordError::TooLong));
        assert_eq!(check("correct horse battery staple"), Ok(()));
        assert_eq!(check("пароль-из-слов"), Ok(()));
    }
}
