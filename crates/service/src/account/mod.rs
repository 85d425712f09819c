//! Signing up and signing in.

mod password;
mod throttle;

pub use password::{HashError, Passwords};

use crate::Services;
use domain::{Email, EmailError, PasswordError, TenantId, UserId, account::check_password};
use store::{Credentials, NewAccount, StoreError};
use throttle::{Refused, Subject};
use uuid::Uuid;

/// Who is signed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    pub id: UserId,
    pub tenant: TenantId,
    pub email: Email,
    pub is_operator: bool,
}

#[derive(Debug, thiserror::Error)]
pub enum SignUpError {
    #[error(transparent)]
    Email(#[from] EmailError),
    #[error(transparent)]
    Password(#[from] PasswordError),
    #[error("there is an account with this email address already")]
    EmailTaken,
    #[error("too many tries; try again in {retry_after_s} seconds")]
    TooManyTries { retry_after_s: u64 },
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the password could not be hashed")]
    Hash(#[from] HashError),
}

#[derive(Debug, thiserror::Error)]
pub enum SignInError {
    /// Says nothing about which of the two was wrong, nor whether the account exists.
    #[error("email address or password is wrong")]
    Wrong,
    #[error("too many tries; try again in {retry_after_s} seconds")]
    TooManyTries { retry_after_s: u64 },
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the password could not be checked")]
    Hash(#[from] HashError),
}

impl From<Refused> for SignUpError {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::TooManyTries { retry_after_s } => Self::TooManyTries { retry_after_s },
            Refused::Store(error) => error.into(),
        }
    }
}

impl From<Refused> for SignInError {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::TooManyTries { retry_after_s } => Self::TooManyTries { retry_after_s },
            Refused::Store(error) => error.into(),
        }
    }
}

impl From<Credentials> for User {
    fn from(row: Credentials) -> Self {
        Self { id: row.user, tenant: row.tenant, email: row.email, is_operator: row.is_operator }
    }
}

impl Services {
    /// Signing up by a visitor from this network address, of which each has so many tries.
    ///
    /// # Errors
    /// [`SignUpError`] names what to change; nothing was stored.
    pub async fn sign_up_from(&self, address: &str, email: &str, password: &str) -> Result<User, SignUpError> {
        self.count_try(&Subject::sign_ups(address)).await?;
        self.sign_up(email, password).await
    }

    /// Makes a tenant with its first user. The first account of all is the operator's.
    ///
    /// # Errors
    /// [`SignUpError`] names what to change; nothing was stored.
    pub async fn sign_up(&self, email: &str, password: &str) -> Result<User, SignUpError> {
        let email: Email = email.parse()?;
        check_password(password, &email)?;
        let password_hash = self.passwords.hash(password).await?;
        let account =
            NewAccount { tenant: TenantId::from_uuid(Uuid::now_v7()), user: UserId::from_uuid(Uuid::now_v7()), email, password_hash };
        let created = self.store.accounts().create(account).await?;
        created.map(User::from).ok_or(SignUpError::EmailTaken)
    }

    /// Checks email address and password. `address` is the visitor's network address: it and the mail
    /// address are each allowed a number of failures in a window, and no more at once than one by one.
    ///
    /// # Errors
    /// [`SignInError`]; an unknown address costs as much time as a wrong password.
    pub async fn sign_in(&self, email: &str, password: &str, address: &str) -> Result<User, SignInError> {
        let (mail, address) = (Subject::mail(email), Subject::address(address));
        self.count_try(&mail).await?;
        self.count_try(&address).await?;
        let known = match email.parse::<Email>() {
            Ok(email) => self.store.accounts().by_email(&email).await?,
            Err(EmailError) => None,
        };
        let hash = known.as_ref().map(|row| row.password_hash.as_str());
        let right = self.passwords.verify(password, hash).await?;
        let row = known.filter(|_| right).ok_or(SignInError::Wrong)?;
        self.forgive(&mail, &address).await?;
        Ok(row.into())
    }

    /// The user of a running session; `None` once the account is gone.
    ///
    /// # Errors
    /// [`StoreError`] when the database does not answer.
    pub async fn user(&self, id: UserId) -> Result<Option<User>, StoreError> {
        Ok(self.store.accounts().by_id(id).await?.map(User::from))
    }

    /// The user with this email address, for the operator's command line.
    ///
    /// # Errors
    /// [`StoreError`] when the database does not answer.
    pub async fn user_by_email(&self, email: &Email) -> Result<Option<User>, StoreError> {
        Ok(self.store.accounts().by_email(email).await?.map(User::from))
    }
}
