//! The address of an account: seen to be its owner's, and changed.

use super::{ConfirmError, MailRefused};
use crate::{Services, mail};
use domain::{
    Actor, Email, Forbidden, Membership, Permission,
    account::{
        mail::Mail,
        token::{Purpose, SpentToken},
    },
};
use store::{Asked, EmailChange, StoreError};

#[derive(Debug, thiserror::Error)]
pub enum EmailError {
    #[error(transparent)]
    Spent(#[from] SpentToken),
    #[error("there is an account with this email address already")]
    Taken,
    #[error("that is your address already")]
    Same,
    #[error(transparent)]
    Confirm(#[from] ConfirmError),
    #[error(transparent)]
    Mail(#[from] MailRefused),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<Forbidden> for EmailError {
    fn from(forbidden: Forbidden) -> Self {
        ConfirmError::from(forbidden).into()
    }
}

impl From<domain::EmailError> for EmailError {
    fn from(error: domain::EmailError) -> Self {
        MailRefused::from(error).into()
    }
}

impl Services {
    /// Mails the link once more by which an address is confirmed.
    ///
    /// # Errors
    /// [`EmailError`]: too many mails, or the database does not answer.
    pub async fn send_verification(&self, actor: Actor, email: &Email, address: &str) -> Result<(), EmailError> {
        let Membership { user, .. } = actor.require_membership(Permission::ManageAccount)?;
        self.count_mail(email, address).await?;
        Ok(self.store.accounts().ask_for_mail(&Mail::VerifyEmail { user }).await?)
    }

    /// Which address a link would confirm.
    ///
    /// # Errors
    /// [`EmailError::Spent`] when it confirms none.
    pub async fn look_at_email(&self, token: &str, purpose: Purpose) -> Result<Email, EmailError> {
        Ok(self.store.accounts().look_at_token(mail::digest(token), purpose).await??.email)
    }

    /// The address to which the link was mailed is seen to be its owner's.
    ///
    /// # Errors
    /// [`EmailError::Spent`] when the link confirms none.
    pub async fn verify_email(&self, token: &str, address: &str) -> Result<Email, EmailError> {
        Ok(self.store.accounts().verify_email(mail::digest(token), address).await??)
    }

    /// Has a link mailed to the address that somebody wants from now on; it is theirs once they come with it.
    ///
    /// # Errors
    /// [`EmailError`] says why no mail is sent.
    pub async fn ask_for_email(&self, actor: Actor, email: &str, password: &str, address: &str) -> Result<Email, EmailError> {
        let Membership { user, .. } = actor.require_membership(Permission::ManageAccount)?;
        let email: Email = email.parse()?;
        self.confirm(user, address, password).await?;
        match self.store.accounts().by_email(&email).await? {
            Some(other) if other.membership.user == user => return Err(EmailError::Same),
            Some(_) => return Err(EmailError::Taken),
            None => {}
        }
        self.count_mail(&email, address).await?;
        self.store.accounts().ask_for_email(Asked { user, address }, &email).await?;
        Ok(email)
    }

    /// The address to which the link was mailed is the account's from now on; the one of before is told.
    ///
    /// # Errors
    /// [`EmailError`] when the link changes none, or somebody else has the address meanwhile.
    pub async fn change_email(&self, token: &str, address: &str) -> Result<Email, EmailError> {
        match self.store.accounts().change_email(mail::digest(token), address).await?? {
            EmailChange::Changed(email) => Ok(email),
            EmailChange::Taken => Err(EmailError::Taken),
        }
    }
}
