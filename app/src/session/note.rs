//! Words kept for a page in the visitor's own browser.

use crate::http::{cookie, own_cookie, set_cookie};
use axum::http::HeaderValue;
use serde::{Serialize, de::DeserializeOwned};

/// Twice as many, as hexadecimal digits, and a name fit into the 4096 bytes of a cookie.
const NOTE_BYTES: usize = 1900;

/// A day: who is signed out may have to wait before signing in again.
const NOTE_SECONDS: i64 = 24 * 60 * 60;

/// As much of what was typed into one field as a note has room for.
pub fn noteworthy(typed: &str) -> String {
    typed.chars().take(254).collect()
}

/// Keeps a few words for the next look at `page`, in the visitor's own browser: no row for a stranger. Only the
/// server reads the cookie, but it is not sealed: secrets go by `flash`. Says whether they are kept: a cookie does not
/// hold more than `NOTE_BYTES` of them.
pub fn note<T: Serialize>(page: &str, words: &T) -> bool {
    let hex = in_hex(words);
    if let Some(hex) = &hex {
        set_cookie(&note_name(page), page, hex, NOTE_SECONDS);
    }
    hex.is_some()
}

/// The cookie by which [`note`] keeps words, for an answer that no page makes. `None`: it does not hold them.
pub fn note_cookie<T: Serialize>(page: &str, words: &T, is_https: bool) -> Option<HeaderValue> {
    own_cookie((note_name(page).as_str(), in_hex(words)?.as_str()), page, NOTE_SECONDS, is_https)
}

/// `None`: they are more than a cookie holds.
fn in_hex<T: Serialize>(words: &T) -> Option<String> {
    let json = serde_json::to_vec(words).unwrap_or_default();
    (json.len() <= NOTE_BYTES).then(|| hex::encode(json))
}

/// Takes out what was noted for `page`.
pub fn noted<T: DeserializeOwned>(page: &str) -> Option<T> {
    noted_if(page, |_| true)
}

/// Takes out what was noted for `page` if it is meant for who looks at it. What is meant for somebody else stays for them.
pub fn noted_if<T: DeserializeOwned>(page: &str, is_meant: impl FnOnce(&T) -> bool) -> Option<T> {
    let hex = cookie(&note_name(page))?;
    let noted: Option<T> = hex::decode(hex).ok().and_then(|json| serde_json::from_slice(&json).ok());
    if noted.as_ref().is_some_and(|noted| !is_meant(noted)) {
        return None;
    }
    set_cookie(&note_name(page), page, "", 0);
    noted
}

fn note_name(page: &str) -> String {
    format!("note{}", page.replace('/', "-"))
}
