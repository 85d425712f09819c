//! Hashing passwords: argon2id at OWASP's minimum (19 MiB, two passes), a few at a time.
//!
//! Each hash takes 19 MiB and a core for some tens of milliseconds, so their number at once is capped: a
//! flood of sign-ins waits instead of taking all memory, and is turned away when it waits too long.

use argon2::{Argon2, PasswordHasher, PasswordVerifier, password_hash::phc::PasswordHash};
use std::{
    sync::{Arc, LazyLock},
    time::Duration,
};
use tokio::{sync::Semaphore, time::timeout};

const AT_ONCE: usize = 2;
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

#[derive(Clone)]
pub struct Passwords {
    turns: Arc<Semaphore>,
}

impl Passwords {
    pub(crate) fn new() -> Self {
        Self { turns: Arc::new(Semaphore::new(AT_ONCE)) }
    }

    pub(crate) async fn hash(&self, password: &str) -> Result<String, HashError> {
        let password = password.to_owned();
        self.in_turn(move || hash_now(&password)).await?
    }

    /// Whether `password` belongs to `hash`; without a hash it works as long and answers no.
    pub(crate) async fn verify(&self, password: &str, hash: Option<&str>) -> Result<bool, HashError> {
        let (password, known) = (password.to_owned(), hash.is_some());
        let hash = hash.map(ToOwned::to_owned);
        let matches = self.in_turn(move || verify_now(&password, hash.as_deref().unwrap_or(&NOBODY))).await?;
        Ok(matches && known)
    }

    async fn in_turn<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, HashError> {
        let turn = timeout(PATIENCE, Arc::clone(&self.turns).acquire_owned()).await.map_err(|_| HashError::Busy)?;
        let turn = turn.map_err(|error| HashError::Argon(error.to_string()))?;
        let done = tokio::task::spawn_blocking(move || {
            let result = work();
            drop(turn);
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
        let hash = passwords.hash("correct horse").await.unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
        assert!(passwords.verify("correct horse", Some(&hash)).await.unwrap());
        assert!(!passwords.verify("wrong horse", Some(&hash)).await.unwrap());
        assert!(!passwords.verify("nobody has this password", None).await.unwrap());
    }

    #[tokio::test]
    async fn who_waits_too_long_is_told_so_before_the_request_is_given_up() {
        let passwords = Passwords::new();
        let _others = Arc::clone(&passwords.turns).acquire_many_owned(2).await.unwrap();
        let answer = timeout(Duration::from_secs(8), passwords.verify("correct horse", None)).await;
        assert!(matches!(answer, Ok(Err(HashError::Busy))), "{answer:?}");
    }
}
