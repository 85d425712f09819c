//! What a person does with their own account: another password, signing out elsewhere, and leaving for good.

use super::{ConfirmError, HashError, throttle};
use crate::{AccessError, Services};
use domain::{Actor, Email, Forbidden, Membership, PasswordError, Permission, account::check_password};
use store::{Asked, AuditEntry, Deletion, Fate, OwnTenant, SeenSession, SessionId, StoreError};

const ACTS_SHOWN: u64 = 20;

#[derive(Debug, thiserror::Error)]
pub enum ChangePasswordError {
    #[error(transparent)]
    Confirm(#[from] ConfirmError),
    #[error(transparent)]
    Password(#[from] PasswordError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the password could not be hashed")]
    Hash(#[from] HashError),
}

impl From<Forbidden> for ChangePasswordError {
    fn from(forbidden: Forbidden) -> Self {
        ConfirmError::from(forbidden).into()
    }
}

#[derive(Debug, thiserror::Error)]
pub enum DeleteError {
    #[error(transparent)]
    Confirm(#[from] ConfirmError),
    #[error("this account runs the installation, and stays")]
    Operator,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Services {
    /// Sets another password; all sessions but `keep` end.
    ///
    /// # Errors
    /// [`ChangePasswordError`] names what was wrong; nothing was changed.
    pub async fn change_password(
        &self,
        actor: Actor,
        email: &Email,
        (old, new): (&str, &str),
        address: &str,
        keep: Option<&SessionId>,
    ) -> Result<(), ChangePasswordError> {
        let Membership { user, .. } = actor.require_membership(Permission::ManageAccount)?;
        self.confirm(user, address, old).await?;
        check_password(new, email)?;
        let hash = self.passwords.hash(&throttle::site(address), new).await?;
        Ok(self.store.accounts().change_password(Asked { user, address }, &hash, keep).await?)
    }

    /// A password as it is kept, made in the line of this network.
    pub(crate) async fn hash_for(&self, address: &str, password: &str) -> Result<String, HashError> {
        self.passwords.hash(&throttle::site(address), password).await
    }

    /// Where the user is signed in.
    ///
    /// # Errors
    /// [`AccessError`] when the database does not answer.
    pub async fn sessions(&self, actor: Actor) -> Result<Vec<SeenSession>, AccessError> {
        let Membership { user, .. } = actor.require_membership(Permission::ManageAccount)?;
        Ok(self.store.sessions().of_user(user).await?)
    }

    /// Signs the user out in one of their browsers. `false`: they are not signed in there.
    ///
    /// # Errors
    /// As [`Self::sessions`].
    pub async fn end_session(&self, actor: Actor, id: &SessionId, address: &str) -> Result<bool, AccessError> {
        let Membership { user, .. } = actor.require_membership(Permission::ManageAccount)?;
        Ok(self.store.sessions().end(Asked { user, address }, id).await?)
    }

    /// Signs the user out everywhere but in one browser.
    ///
    /// # Errors
    /// As [`Self::sessions`].
    pub async fn end_other_sessions(&self, actor: Actor, keep: Option<&SessionId>, address: &str) -> Result<(), AccessError> {
        let Membership { user, .. } = actor.require_membership(Permission::ManageAccount)?;
        Ok(self.store.sessions().end_others(Asked { user, address }, keep).await?)
    }

    /// What was done lately with the account.
    ///
    /// # Errors
    /// As [`Self::sessions`].
    pub async fn own_acts(&self, actor: Actor) -> Result<Vec<AuditEntry>, AccessError> {
        let Membership { user, .. } = actor.require_membership(Permission::ManageAccount)?;
        Ok(self.store.accounts().audit_log(user, ACTS_SHOWN).await?)
    }

    /// The tenants that the user belongs to.
    ///
    /// # Errors
    /// As [`Self::sessions`].
    pub async fn own_tenants(&self, actor: Actor) -> Result<Vec<OwnTenant>, AccessError> {
        let Membership { user, .. } = actor.require_membership(Permission::ManageAccount)?;
        Ok(self.store.accounts().tenants(user).await?)
    }

    /// What would go with the account, and what would stay.
    ///
    /// # Errors
    /// As [`Self::sessions`].
    pub async fn fates(&self, actor: Actor) -> Result<Vec<Fate>, AccessError> {
        let Membership { user, .. } = actor.require_membership(Permission::ManageAccount)?;
        Ok(self.store.accounts().fates(user).await?)
    }

    /// Deletes the account, and the tenants that it alone owns.
    ///
    /// # Errors
    /// [`DeleteError`]; nothing was deleted.
    pub async fn delete_account(&self, actor: Actor, password: &str, address: &str) -> Result<(), DeleteError> {
        let Membership { user, .. } = actor.require_membership(Permission::ManageAccount).map_err(ConfirmError::from)?;
        self.confirm(user, address, password).await?;
        match self.store.accounts().delete(user).await? {
            Deletion::Done | Deletion::Gone => Ok(()),
            Deletion::Operator => Err(DeleteError::Operator),
        }
    }
}
