//! How many wrong passwords are allowed. Counted in the database, so several servers share the count.

use super::SignInError;
use crate::Services;
use store::StoreError;

const WINDOW_MS: i64 = 15 * 60 * 1000;
/// Against guessing one person's password.
const FAILURES_PER_MAIL: u32 = 10;
/// Against trying one password on many people; many people can share an address.
const FAILURES_PER_ADDRESS: u32 = 100;

pub(super) struct Subject {
    pub(super) key: String,
    failures_max: u32,
}

/// The mail address first, then the network address.
pub(super) fn subjects(email: &str, address: &str) -> [Subject; 2] {
    let email: String = email.trim().to_lowercase().replace('\0', "").chars().take(254).collect();
    [
        Subject { key: format!("mail:{email}"), failures_max: FAILURES_PER_MAIL },
        Subject { key: format!("address:{address}"), failures_max: FAILURES_PER_ADDRESS },
    ]
}

impl Services {
    pub(super) async fn refuse_after_too_many_failures(&self, subjects: &[Subject]) -> Result<(), SignInError> {
        for subject in subjects {
            let Some(count) = self.store.accounts().failures(&subject.key).await? else { continue };
            if count.failures >= subject.failures_max {
                let left_ms = count.window_ends_at.ms_since(self.store.now().await?);
                return Err(SignInError::TooManyTries { retry_after_s: left_ms.div_ceil(1000).max(1) });
            }
        }
        Ok(())
    }

    pub(super) async fn count_failure(&self, subjects: &[Subject]) -> Result<SignInError, StoreError> {
        for subject in subjects {
            self.store.accounts().note_failure(&subject.key, WINDOW_MS).await?;
        }
        Ok(SignInError::Wrong)
    }
}
