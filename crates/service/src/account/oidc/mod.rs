//! Signing in by an OpenID provider: who has come back, and which account that is.
//!
//! An account is found by the provider's own name for somebody and never by an email address, which may be given to somebody else.
//! Without a provider all of this is absent.

mod options;

pub use oidc::{Attempt, ProviderError};
pub use options::OidcOptions;

use super::{ConfirmError, User, throttle};
use crate::{AccessError, Services};
use domain::{Actor, Email, Forbidden, Membership, Permission, TenantId, UserId};
use oidc::{Identity, Provider};
use std::{io, path::PathBuf, sync::Arc};
use store::{
    Asked, LinkedIdentity, Linking, NewAccount, StoreError, Subject, Unlinking,
    chance::{self, NoRandomness},
};

/// On a button.
const NAME_CHARS_MAX: usize = 40;

/// The provider, as people know it.
#[derive(Debug)]
pub struct SignInProvider {
    provider: Provider,
    name: String,
}

/// Why the options name no provider.
#[derive(Debug, thiserror::Error)]
pub enum OidcSetupError {
    #[error("the name of the provider has 1 to {NAME_CHARS_MAX} characters")]
    Name,
    #[error("the secret in {file} cannot be read")]
    File {
        file: PathBuf,
        #[source]
        cause: io::Error,
    },
    #[error(transparent)]
    Provider(#[from] oidc::SetupError),
}

/// Why nobody is signed in, or nothing was linked.
#[derive(Debug, thiserror::Error)]
pub enum OidcError {
    #[error("nobody signs in by a provider here")]
    Absent,
    #[error(transparent)]
    Provider(#[from] ProviderError),
    #[error("the provider does not say that the email address is theirs")]
    Unverified,
    #[error("there is an account with the address {0} already")]
    EmailTaken(Email),
    #[error("this identity is linked to another account")]
    OfAnother,
    #[error("the account is linked to another identity of this provider")]
    HasAnother,
    #[error("the email address of the account is not confirmed")]
    Unconfirmed,
    #[error("too many tries; try again in {retry_after_s} seconds")]
    TooManyTries { retry_after_s: u64 },
    #[error(transparent)]
    Forbidden(#[from] Forbidden),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the system has no randomness to give")]
    Random(#[from] NoRandomness),
}

impl From<throttle::Refused> for OidcError {
    fn from(refused: throttle::Refused) -> Self {
        match refused {
            throttle::Refused::TooManyTries { retry_after_s } => Self::TooManyTries { retry_after_s },
            throttle::Refused::Store(error) => error.into(),
        }
    }
}

/// Why an account still is linked.
#[derive(Debug, thiserror::Error)]
pub enum UnlinkError {
    #[error(transparent)]
    Confirm(#[from] ConfirmError),
    #[error("without a password this is the only way in")]
    LastWayIn,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<Forbidden> for UnlinkError {
    fn from(forbidden: Forbidden) -> Self {
        ConfirmError::from(forbidden).into()
    }
}

/// How somebody can sign in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaysIn {
    pub has_password: bool,
    /// Of the provider; `None`: there is none.
    pub provider: Option<String>,
    pub identity: Option<LinkedIdentity>,
}

impl Services {
    /// From now on people may sign in by the provider that `options` name, if they name one. `origin`: of our pages.
    ///
    /// # Errors
    /// [`OidcSetupError`] when the options cannot name one.
    pub fn with_oidc(self, options: &OidcOptions, origin: &str) -> Result<Self, OidcSetupError> {
        let provider = options.provider(origin)?.map(Arc::new);
        Ok(self.with(|parts| parts.sign_in_provider = provider))
    }

    /// What people call the provider; `None`: there is none.
    #[must_use]
    pub fn oidc_name(&self) -> Option<&str> {
        self.sign_in_provider.as_ref().map(|found| found.name.as_str())
    }

    /// Whether an answer that says it is from this issuer may be the provider's.
    #[must_use]
    pub fn is_oidc_issuer(&self, issuer: &str) -> bool {
        self.sign_in_provider.as_ref().is_some_and(|found| found.provider.issuer() == issuer)
    }

    fn sign_in_provider(&self) -> Result<&SignInProvider, OidcError> {
        self.sign_in_provider.as_deref().ok_or(OidcError::Absent)
    }

    /// Looks for the provider, so that the first who signs in does not wait for it. One that is away is looked for again when it is needed.
    pub async fn find_oidc_provider(&self) {
        let Ok(found) = self.sign_in_provider() else { return };
        match self.begin_at(found).await {
            Ok(_) => tracing::info!(oidc.issuer = found.provider.issuer(), "people may sign in by {}", found.name),
            Err(error) => tracing::warn!(%error, oidc.issuer = found.provider.issuer(), "nobody can sign in by {} for now", found.name),
        }
    }

    /// A new try, and where it leads to.
    ///
    /// # Errors
    /// [`OidcError::Provider`] when the provider is away, [`OidcError::TooManyTries`], or there is none.
    pub async fn begin_oidc(&self, address: &str) -> Result<(Attempt, String), OidcError> {
        let found = self.sign_in_provider()?;
        let counted = self.count_try(throttle::provider_sign_in(address)).await?;
        self.hold(&counted);
        self.begin_at(found).await
    }

    async fn begin_at(&self, found: &SignInProvider) -> Result<(Attempt, String), OidcError> {
        let (state, nonce, verifier) = (random_text()?, random_text()?, random_text()?);
        let attempt = Attempt { state, nonce, verifier };
        let leads_to = found.provider.address_for(&attempt, self.store.now().await?.ms()).await?;
        Ok((attempt, leads_to))
    }

    /// The account of whoever has come back with this code. Somebody who is not known yet gets one, as by signing up, if the provider has
    /// seen that their email address is theirs and nobody has it here.
    ///
    /// # Errors
    /// [`OidcError`]; then nobody is signed in, and nothing was stored.
    pub async fn sign_in_by_oidc(&self, attempt: &Attempt, code: &str, address: &str) -> Result<User, OidcError> {
        let found = self.sign_in_provider()?;
        let identity = found.provider.identity(attempt, code, self.store.now().await?.ms()).await?;
        let subject = Subject { issuer: found.provider.issuer(), subject: &identity.subject };
        if let Some(known) = self.store.identities().owner(subject).await? {
            return Ok(known.into());
        }
        let email = verified_email(&identity)?;
        if self.store.accounts().by_email(&email).await?.is_some() {
            return Err(OidcError::EmailTaken(email));
        }
        let counted = self.count_try(throttle::sign_up(address)).await?;
        self.hold(&counted);
        let (tenant, user) = (TenantId::from_uuid(chance::new_id()), UserId::from_uuid(chance::new_id()));
        let account = NewAccount { tenant, user, email: email.clone(), password_hash: None, is_verified: true };
        let created = self.store.accounts().create_by(account, subject, address).await?;
        created.map(User::from).ok_or(OidcError::EmailTaken(email))
    }

    /// Asks for the password before anything is linked: a stranger at somebody's desk must not add a way in of their own.
    ///
    /// # Errors
    /// [`ConfirmError`] when the password is wrong.
    pub async fn allow_linking(&self, actor: Actor, password: &str, address: &str) -> Result<(), ConfirmError> {
        let Membership { user, .. } = actor.require_membership(Permission::ManageAccount)?;
        self.confirm(user, address, password).await
    }

    /// Links the account to whoever has come back with this code. Its address must be confirmed: else somebody could sign up with the address
    /// of another and keep a way in when they take the account over by mail.
    ///
    /// # Errors
    /// [`OidcError`]; then nothing was linked.
    pub async fn link_oidc(&self, user: &User, attempt: &Attempt, code: &str, address: &str) -> Result<(), OidcError> {
        let Membership { user: id, .. } = user.actor().require_membership(Permission::ManageAccount)?;
        if !user.is_verified {
            return Err(OidcError::Unconfirmed);
        }
        let found = self.sign_in_provider()?;
        let identity = found.provider.identity(attempt, code, self.store.now().await?.ms()).await?;
        let subject = Subject { issuer: found.provider.issuer(), subject: &identity.subject };
        let email = identity.email.as_deref().unwrap_or_default();
        match self.store.identities().link(Asked { user: id, address }, subject, email).await? {
            Linking::Done => Ok(()),
            Linking::OfAnother => Err(OidcError::OfAnother),
            Linking::HasAnother => Err(OidcError::HasAnother),
        }
    }

    /// From now on the password alone lets them in.
    ///
    /// # Errors
    /// [`UnlinkError`]; then nothing was changed.
    pub async fn unlink_oidc(&self, actor: Actor, password: &str, address: &str) -> Result<(), UnlinkError> {
        let Membership { user, .. } = actor.require_membership(Permission::ManageAccount)?;
        self.confirm(user, address, password).await?;
        let Some(found) = &self.sign_in_provider else { return Ok(()) };
        match self.store.identities().unlink(Asked { user, address }, found.provider.issuer()).await? {
            Unlinking::Done => Ok(()),
            Unlinking::LastWayIn => Err(UnlinkError::LastWayIn),
        }
    }

    /// By what the user can sign in.
    ///
    /// # Errors
    /// [`AccessError`] when the database does not answer.
    pub async fn ways_in(&self, actor: Actor) -> Result<WaysIn, AccessError> {
        let Membership { user, .. } = actor.require_membership(Permission::ManageAccount)?;
        let has_password = self.store.accounts().by_id(user).await?.is_some_and(|row| row.password_hash.is_some());
        let identity = match &self.sign_in_provider {
            Some(found) => self.store.identities().of_user(user, found.provider.issuer()).await?,
            None => None,
        };
        Ok(WaysIn { has_password, provider: self.oidc_name().map(ToOwned::to_owned), identity })
    }
}

fn verified_email(identity: &Identity) -> Result<Email, OidcError> {
    let email = identity.email.as_deref().filter(|_| identity.is_verified).ok_or(OidcError::Unverified)?;
    email.parse().map_err(|_| OidcError::Unverified)
}

fn random_text() -> Result<String, NoRandomness> {
    Ok(hex::encode(chance::random_bytes::<32>()?))
}
