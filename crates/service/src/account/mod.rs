//! Signing up and signing in, and what a person changes of their own account.

mod browser;
mod confirmation;
mod email;
pub mod oidc;
mod own;
mod password;
mod recovery;
mod second_factor;
#[cfg(test)]
mod tests;
pub(crate) mod throttle;
mod totp;
mod viewing;

pub use browser::KnownBrowserError;
pub use confirmation::ConfirmError;
pub use email::EmailError as OwnEmailError;
pub use own::{ChangePasswordError, DeleteError};
pub use password::{HashError, PasswordMark, Passwords};
pub use recovery::{MailRefused, ResetError};
pub use second_factor::{CodeError, SecondFactorState, Setup};
pub(crate) use throttle::RefusedTries;
pub use viewing::{Viewed, ViewingError};

use crate::{AccessError, Services};
use domain::{Actor, Email, EmailError, Membership, PasswordError, Permission, Role, TenantId, UserId, account::check_password};
use store::{Credentials, NewAccount, OwnTenant, StoreError, chance};
use throttle::Refused;

/// Who is signed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    pub id: UserId,
    pub tenant: TenantId,
    /// In that tenant.
    pub role: Role,
    pub email: Email,
    pub is_operator: bool,
    /// The address was seen to be theirs.
    pub is_verified: bool,
    /// Signing in takes a code besides the password.
    pub has_second_factor: bool,
    /// Of the password that they had when this was read.
    pub password: PasswordMark,
    /// Where they belong, of somebody who belongs to several tenants and looks at a page.
    pub tenants: Vec<OwnTenant>,
    /// Of an operator who looks at the pages of `tenant` without belonging to it.
    pub viewed: Option<Viewed>,
}

impl User {
    #[must_use]
    pub const fn membership(&self) -> Membership {
        Membership { tenant: self.tenant, user: self.id, role: self.role }
    }

    /// As whom they act in their tenant.
    #[must_use]
    pub const fn actor(&self) -> Actor {
        if self.viewed.is_some() { Actor::Observer(self.membership()) } else { Actor::User(self.membership()) }
    }

    /// As whom they look at the installation as a whole.
    #[must_use]
    pub const fn installation_actor(&self) -> Actor {
        if self.is_operator { Actor::Operator } else { self.actor() }
    }
}

/// A try at signing in.
#[derive(Debug, Clone, Copy)]
pub struct SignIn<'a> {
    pub email: &'a str,
    pub password: &'a str,
    /// The visitor's network address.
    pub address: &'a str,
    /// The cookie by which the browser says that it has been here.
    pub known_browser: Option<&'a str>,
}

#[derive(Debug, thiserror::Error)]
pub enum SignUpError {
    #[error(transparent)]
    Email(#[from] EmailError),
    #[error(transparent)]
    Password(#[from] PasswordError),
    #[error("there is an account with this email address already")]
    EmailTaken,
    /// From the visitor's network.
    #[error("too many tries; try again in {retry_after_s} seconds")]
    TooManyTries { retry_after_s: u64 },
    /// With this email address, wherever they came from.
    #[error("too many tries with this email address; try again in {retry_after_s} seconds")]
    TooManyWithEmail { retry_after_s: u64 },
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
    #[error("it cannot be told whether the browser is known")]
    Browser(#[from] KnownBrowserError),
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
        let Membership { tenant, user, role } = row.membership;
        let Credentials { email, password_hash, is_operator, is_verified, has_second_factor, .. } = row;
        let password = PasswordMark::of(password_hash.as_deref());
        Self { id: user, tenant, role, email, is_operator, is_verified, has_second_factor, password, tenants: Vec::new(), viewed: None }
    }
}

impl Services {
    /// Signing up by a visitor from this network address, of which each has so many tries. So has each email address, to which a mail goes.
    ///
    /// # Errors
    /// [`SignUpError`] names what to change; nothing was stored.
    pub async fn sign_up_from(&self, address: &str, email: &str, password: &str) -> Result<User, SignUpError> {
        let counted = self.count_try(throttle::sign_up(address)).await?;
        self.hold(&counted);
        check_password(password, &email.parse()?)?;
        let mailed = self.count_try(throttle::sign_up_mail(&normal(email))).await.map_err(|refused| match refused {
            Refused::TooManyTries { retry_after_s } => SignUpError::TooManyWithEmail { retry_after_s },
            refused => refused.into(),
        })?;
        self.hold(&mailed);
        self.make_account(&throttle::site(address), email, password, false).await
    }

    /// Makes a tenant with its first user, who owns it, and whose address is known to be theirs. The first account of all is
    /// the operator's.
    ///
    /// # Errors
    /// [`SignUpError`] names what to change; nothing was stored.
    pub async fn sign_up(&self, email: &str, password: &str) -> Result<User, SignUpError> {
        self.make_account("", email, password, true).await
    }

    async fn make_account(&self, line: &str, email: &str, password: &str, is_verified: bool) -> Result<User, SignUpError> {
        let email: Email = email.parse()?;
        check_password(password, &email)?;
        let password_hash = self.passwords.hash(line, password).await?;
        let (tenant, user) = (TenantId::from_uuid(chance::new_id()), UserId::from_uuid(chance::new_id()));
        let account = NewAccount { tenant, user, email, password_hash: Some(password_hash), is_verified };
        let created = self.store.accounts().create(account).await?;
        created.map(User::from).ok_or(SignUpError::EmailTaken)
    }

    /// Checks email address and password, unless too many tries have failed: of this account from the visitor's
    /// network, of all accounts from there, or of this account from anywhere. A browser that has been signed in to
    /// the account before has to wait for its own failures only. See `domain::account::tries`.
    ///
    /// # Errors
    /// [`SignInError`]; an unknown address costs as much time as a wrong password.
    pub async fn sign_in(&self, SignIn { email, password, address, known_browser }: SignIn<'_>) -> Result<User, SignInError> {
        let mail = normal(email);
        let browser = self.known_browser(&mail, known_browser).await?;
        let counted = self.count_try(throttle::sign_in(&mail, address, browser.as_deref())).await?;
        // One for all browsers that know the account, as many can be made to.
        let line = if browser.is_some() { mail } else { throttle::site(address) };
        let found = match self.find(email, password, &line).await {
            Ok(found) => found,
            // Nobody looked at the password, so it was not wrong.
            Err(error) => {
                self.store.tries().forgive(&counted, &[]).await?;
                return Err(error);
            }
        };
        let Some(row) = found else {
            self.hold(&counted);
            return Err(SignInError::Wrong);
        };
        self.forgive(&counted).await?;
        Ok(row.into())
    }

    /// The account with this address and password. Passwords are looked at in `line`, one after the other.
    async fn find(&self, email: &str, password: &str, line: &str) -> Result<Option<Credentials>, SignInError> {
        let known = match email.parse::<Email>() {
            Ok(email) => self.store.accounts().by_email(&email).await?,
            Err(EmailError) => None,
        };
        let hash = known.as_ref().and_then(|row| row.password_hash.as_deref());
        let right = self.passwords.verify(line, password, hash).await?;
        Ok(known.filter(|_| right))
    }

    /// The cookie that a browser keeps, for a year or so, once it is signed in.
    ///
    /// # Errors
    /// [`KnownBrowserError`] when the database does not answer; then the browser stays as unknown as it was.
    pub async fn remember_browser(&self, user: &User, known_browser: Option<&str>) -> Result<String, KnownBrowserError> {
        self.remembered_browser(user.email.as_str(), known_browser).await
    }

    /// The user of a running session, in the tenant that they have chosen as long as they belong to it; `None` once the account
    /// is gone.
    ///
    /// # Errors
    /// [`StoreError`] when the database does not answer.
    pub async fn user(&self, id: UserId, chosen: Option<TenantId>) -> Result<Option<User>, StoreError> {
        let Some(found) = self.store.accounts().by_id_in(id, chosen).await? else { return Ok(None) };
        let tenants = if found.tenants > 1 { self.store.accounts().tenants(id).await? } else { Vec::new() };
        Ok(Some(User { tenants, ..found.into() }))
    }

    /// The user with this email address, for whom the operator's command line then acts.
    ///
    /// # Errors
    /// [`AccessError`] when `actor` may not act for others, or the database does not answer.
    pub async fn user_by_email(&self, actor: Actor, email: &Email) -> Result<Option<User>, AccessError> {
        actor.require(Permission::ActForUsers)?;
        Ok(self.store.accounts().by_email(email).await?.map(User::from))
    }
}

/// As much of an email address as tells accounts apart, whatever was typed.
fn normal(email: &str) -> String {
    email.trim().to_lowercase().chars().take(254).collect()
}
