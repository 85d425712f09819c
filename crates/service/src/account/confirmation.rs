//! Asking somebody who is signed in for their password once more, before what a stranger at their desk must not do.

use super::{HashError, throttle};
use crate::Services;
use domain::{Forbidden, UserId};
use store::StoreError;

#[derive(Debug, thiserror::Error)]
pub enum ConfirmError {
    #[error("that is not your password")]
    Wrong,
    #[error("you have no password; have a link mailed by which you set one")]
    NoPassword,
    #[error("too many tries; try again in {retry_after_s} seconds")]
    TooManyTries { retry_after_s: u64 },
    #[error(transparent)]
    Forbidden(#[from] Forbidden),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the password could not be checked")]
    Hash(#[from] HashError),
}

impl From<throttle::Refused> for ConfirmError {
    fn from(refused: throttle::Refused) -> Self {
        match refused {
            throttle::Refused::TooManyTries { retry_after_s } => Self::TooManyTries { retry_after_s },
            throttle::Refused::Store(error) => error.into(),
        }
    }
}

impl Services {
    pub(super) async fn confirm(&self, user: UserId, address: &str, password: &str) -> Result<(), ConfirmError> {
        let known = self.store.accounts().by_id(user).await?;
        let hash = known.and_then(|row| row.password_hash).ok_or(ConfirmError::NoPassword)?;
        let counted = self.count_try(throttle::confirmation(user)).await?;
        match self.passwords.verify(&throttle::site(address), password, Some(&hash)).await {
            Ok(true) => Ok(self.forgive(&counted).await?),
            Ok(false) => {
                self.hold(&counted);
                Err(ConfirmError::Wrong)
            }
            // Nobody looked at the password, so it was not wrong.
            Err(error) => {
                self.store.tries().forgive(&counted, &[]).await?;
                Err(error.into())
            }
        }
    }
}
