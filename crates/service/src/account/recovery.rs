//! A forgotten password: a link is mailed to the address, and whoever comes with it sets another.
//!
//! Whether the address is known is found out where the mail is sent, after the answer. So the answer is the same, and takes as
//! long, for one that is not.

use super::{HashError, normal, throttle};
use crate::{
    Services,
    mail::{self, TokenError},
};
use domain::{
    Actor, Email, EmailError, PasswordError, Permission,
    account::{
        check_password,
        mail::Mail,
        token::{Purpose, SpentToken},
    },
};
use store::StoreError;

/// Why no mail was sent to an address.
#[derive(Debug, thiserror::Error)]
pub enum MailRefused {
    #[error(transparent)]
    Email(#[from] EmailError),
    #[error("too many mails; try again in {retry_after_s} seconds")]
    TooMany { retry_after_s: u64 },
    #[error(transparent)]
    Store(#[from] StoreError),
}

#[derive(Debug, thiserror::Error)]
pub enum ResetError {
    #[error(transparent)]
    Spent(#[from] SpentToken),
    #[error(transparent)]
    Password(#[from] PasswordError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the password could not be hashed")]
    Hash(#[from] HashError),
}

impl From<throttle::Refused> for MailRefused {
    fn from(refused: throttle::Refused) -> Self {
        match refused {
            throttle::Refused::TooManyTries { retry_after_s } => Self::TooMany { retry_after_s },
            throttle::Refused::Store(error) => error.into(),
        }
    }
}

impl Services {
    /// Counts a mail that somebody has sent to this address.
    pub(crate) async fn count_mail(&self, email: &Email, address: &str) -> Result<(), MailRefused> {
        let counted = self.count_try(throttle::mail(&normal(email.as_str()), address)).await?;
        self.hold(&counted);
        Ok(())
    }

    /// Counts an invitation that somebody has sent to this address.
    pub(crate) async fn count_invitation(&self, email: &Email, address: &str) -> Result<(), MailRefused> {
        let counted = self.count_try(throttle::invitation(&normal(email.as_str()), address)).await?;
        self.hold(&counted);
        Ok(())
    }

    /// Has a link mailed by which the password of this address is set, if there is such an account.
    ///
    /// # Errors
    /// [`MailRefused`], whether there is one or not.
    pub async fn forgot_password(&self, email: &str, address: &str) -> Result<(), MailRefused> {
        let email: Email = email.parse()?;
        self.count_mail(&email, address).await?;
        Ok(self.store.accounts().ask_for_mail(&Mail::ResetPassword { email }).await?)
    }

    /// Whose password this link would set.
    ///
    /// # Errors
    /// [`ResetError::Spent`] when it sets none.
    pub async fn look_at_reset(&self, token: &str) -> Result<Email, ResetError> {
        let found = self.store.accounts().look_at_token(mail::digest(token), Purpose::ResetPassword).await?;
        Ok(found?.email)
    }

    /// Sets the password of whoever the link was mailed to; all their sessions end.
    ///
    /// # Errors
    /// [`ResetError`]; a password that is refused leaves the link as it was.
    pub async fn reset_password(&self, token: &str, password: &str, address: &str) -> Result<Email, ResetError> {
        let email = self.look_at_reset(token).await?;
        check_password(password, &email)?;
        let hash = self.passwords.hash(&throttle::site(address), password).await?;
        Ok(self.store.accounts().reset_password(mail::digest(token), &hash, address).await??)
    }

    /// A link by which the password of this address is set, for the operator to hand over where no mail arrives.
    ///
    /// # Errors
    /// [`TokenError`] when `actor` may not act for others, or the database does not answer.
    pub async fn reset_link(&self, actor: Actor, email: &Email) -> Result<Option<String>, TokenError> {
        actor.require(Permission::ActForUsers)?;
        let Some(found) = self.store.accounts().by_email(email).await? else { return Ok(None) };
        let user = Some(found.membership.user);
        let token = self.new_token(Purpose::ResetPassword, email, user, None).await?;
        Ok(token.map(|token| format!("/reset-password?token={token}")))
    }
}
