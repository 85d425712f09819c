//! Asking whether whoever acts may, and reaching their tenant's rows with it.

use crate::Services;
use domain::{Actor, Forbidden, Permission};
use store::{StoreError, Tenant};

/// Why nothing was read or done for whoever acts.
#[derive(Debug, Clone, thiserror::Error)]
pub enum AccessError {
    #[error(transparent)]
    Forbidden(#[from] Forbidden),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Services {
    /// The rows of the tenant in which `actor` has this permission.
    pub(crate) fn tenant_of(&self, actor: Actor, permission: Permission) -> Result<Tenant<'_>, Forbidden> {
        Ok(self.store.tenant(actor.require_membership(permission)?.tenant))
    }
    /// What the team of `actor` is called.
    ///
    /// # Errors
    /// [`AccessError`] when `actor` is of none, or the database does not answer.
    pub async fn team_name(&self, actor: Actor) -> Result<String, AccessError> {
        Ok(self.tenant_of(actor, Permission::ReadJobs)?.name().await?.unwrap_or_default())
    }
}
