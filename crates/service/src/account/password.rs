//! Hashing passwords: argon2id at OWASP's minimum (19 MiB, two passes), a few at a time.
//!
//! Each hash takes 19 MiB and a core for some tens of milliseconds, so their number at once is capped: a
//! flood of sign-ins waits instead of taking all memory, and is turned away when it waits too long. Each network has a
//! line of its own, of bounded length, so that the flood of one leaves others their turn.

use argon2::{Argon2, PasswordHasher, PasswordVerifier, password_hash::phc::PasswordHash};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::{
    collections::HashMap,
    sync::{Arc, LazyLock, Mutex, PoisonError},
    time::Duration,
};
use tokio::{sync::Semaphore, time::timeout};

const AT_ONCE: usize = 2;
/// Waiting or being checked, of one line.
const LINE_MAX: usize = 16;
/// Well below a request's deadline, so that whoever waits too long is told so.
const PATIENCE: Duration = Duration::from_secs(5);

/// Stands in for the hash of an account that does not exist, so that both answers take as long.
static NOBODY: LazyLock<String> = LazyLock::new(|| hash_now("nobody has this password").unwrap_or_default());

#[derive(Debug, thiserror::Error)]
pub enum HashError {
    #[error("too many passwords are being checked at once")]
    Busy,
    #[error("argon2 refused: {0}")]
    Argon(String),
}

/// Tells one password of an account from the next, and nothing of either. What is not known is like none.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PasswordMark(String);

impl PasswordMark {
    /// `None`: of an account without a password.
    pub(super) fn of(hash: Option<&str>) -> Self {
        Self(hex::encode(Sha256::digest(hash.unwrap_or_default())))
    }
}

#[derive(Clone)]
pub struct Passwords {
    turns: Arc<Semaphore>,
    /// How long each line is.
    lines: Lines,
}

type Lines = Arc<Mutex<HashMap<String, usize>>>;

/// A place in a line until this is dropped.
struct Place {
    line: String,
    lines: Lines,
}

impl Place {
    fn take(lines: &Lines, line: &str) -> Option<Self> {
        let mut lengths = lines.lock().unwrap_or_else(PoisonError::into_inner);
        let length = lengths.entry(line.to_owned()).or_default();
        if *length == LINE_MAX {
            return None;
        }
        *length += 1;
        Some(Self { line: line.to_owned(), lines: Arc::clone(lines) })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut lengths = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(length) = lengths.get_mut(&self.line) {
            *length -= 1;
            if *length == 0 {
                lengths.remove(&self.line);
            }
        }
    }
}

impl Passwords {
    pub(crate) fn new() -> Self {
        Self { turns: Arc::new(Semaphore::new(AT_ONCE)), lines: Lines::default() }
    }

    pub(crate) async fn hash(&self, line: &str, password: &str) -> Result<String, HashError> {
        let password = password.to_owned();
        self.in_turn(line, move || hash_now(&password)).await?
    }

    /// Whether `password` belongs to `hash`; without a hash it works as long and answers no.
    pub(crate) async fn verify(&self, line: &str, password: &str, hash: Option<&str>) -> Result<bool, HashError> {
        let (password, known) = (password.to_owned(), hash.is_some());
        let hash = hash.map(ToOwned::to_owned);
        let matches = self.in_turn(line, move || verify_now(&password, hash.as_deref().unwrap_or(&NOBODY))).await?;
        Ok(matches && known)
    }

    async fn in_turn<T: Send + 'static>(&self, line: &str, work: impl FnOnce() -> T + Send + 'static) -> Result<T, HashError> {
        let place = Place::take(&self.lines, line).ok_or(HashError::Busy)?;
        let turn = timeout(PATIENCE, Arc::clone(&self.turns).acquire_owned()).await.map_err(|_| HashError::Busy)?;
        let turn = turn.map_err(|error| HashError::Argon(error.to_string()))?;
        let done = tokio::task::spawn_blocking(move || {
            let result = work();
            drop((turn, place));
            result
        });
        done.await.map_err(|error| HashError::Argon(error.to_string()))
    }
}

fn hash_now(password: &str) -> Result<String, HashError> {
    let hash = Argon2::default().hash_password(password.as_bytes());
    Ok(hash.map_err(|error| HashError::Argon(error.to_string()))?.to_string())
}

fn verify_now(password: &str, hash: &str) -> bool {
    PasswordHash::new(hash).is_ok_and(|hash| Argon2::default().verify_password(password.as_bytes(), &hash).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_password_matches_its_own_hash_only() {
        let passwords = Passwords::new();
        let hash = passwords.hash("a", "correct horse").await.unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
        assert!(passwords.verify("a", "correct horse", Some(&hash)).await.unwrap());
        assert!(!passwords.verify("a", "wrong horse", Some(&hash)).await.unwrap());
        assert!(!passwords.verify("a", "nobody has this password", None).await.unwrap());
    }

    #[tokio::test]
    async fn who_waits_too_long_is_told_so_before_the_request_is_given_up() {
        let passwords = Passwords::new();
        let _others = Arc::clone(&passwords.turns).acquire_many_owned(2).await.unwrap();
        let answer = timeout(Duration::from_secs(8), passwords.verify("a", "correct horse", None)).await;
        assert!(matches!(answer, Ok(Err(HashError::Busy))), "{answer:?}");
    }

    #[tokio::test]
    async fn the_line_of_one_network_leaves_others_their_turn() {
        let passwords = Passwords::new();
        let others = Arc::clone(&passwords.turns).acquire_many_owned(2).await.unwrap();
        let mut flood: Vec<_> = (0..LINE_MAX).map(|_| Box::pin(passwords.verify("flood", "right", None))).collect();
        for one in &mut flood {
            assert!(futures::poll!(one).is_pending());
        }
        assert!(matches!(passwords.verify("flood", "right", None).await, Err(HashError::Busy)));
        let mut owner = Box::pin(passwords.verify("owner", "right", None));
        assert!(futures::poll!(&mut owner).is_pending());
        drop((others, flood));
        assert!(!owner.await.unwrap());
        assert!(passwords.lines.lock().unwrap().is_empty());
    }
}
