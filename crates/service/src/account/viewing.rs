//! An operator looks at a tenant's pages as the tenant sees them. That it begins and ends is in both their logs.

use super::User;
use crate::Services;
use domain::{Actor, Forbidden, Permission, ReasonError, Role, TenantId, UserId, Viewing, check_reason};
use store::{Asked, StoreError};

/// Why no look is begun.
#[derive(Debug, thiserror::Error)]
pub enum ViewingError {
    #[error(transparent)]
    Forbidden(#[from] Forbidden),
    #[error(transparent)]
    Reason(#[from] ReasonError),
    #[error("there is no such team any more")]
    Gone,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What is said of a look on every page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Viewed {
    /// What the tenant is called.
    pub team: String,
    pub viewing: Viewing,
}

impl Services {
    /// Begins a look at a tenant's pages, by the user who is the operator.
    ///
    /// # Errors
    /// [`ViewingError`]; then nothing has begun.
    pub async fn begin_viewing(&self, actor: Actor, asked: Asked<'_>, tenant: TenantId, reason: &str) -> Result<Viewing, ViewingError> {
        actor.require(Permission::ViewTenants)?;
        let reason = check_reason(reason)?;
        let viewing = Viewing::beginning(tenant, self.store.now().await?);
        if self.store.operator().note_viewing(asked, tenant, reason).await? { Ok(viewing) } else { Err(ViewingError::Gone) }
    }

    /// Notes that a look has ended, once.
    ///
    /// # Errors
    /// [`StoreError`] when the database does not answer.
    pub async fn end_viewing(&self, asked: Asked<'_>, viewing: Viewing) -> Result<(), StoreError> {
        self.store.operator().note_viewing_ended(asked, viewing).await
    }

    /// Who a session is: its user in the tenant that they have chosen, or as who looks at another tenant's pages. `None`: nobody any more.
    /// A look that has ended is none.
    ///
    /// # Errors
    /// [`StoreError`] when the database does not answer.
    pub async fn user_of_session(
        &self,
        id: UserId,
        chosen: Option<TenantId>,
        viewing: Option<Viewing>,
    ) -> Result<Option<User>, StoreError> {
        let user = self.user(id, chosen).await?;
        let (Some(viewing), Some(operator)) = (viewing, &user) else { return Ok(user) };
        if !operator.installation_actor().may(Permission::ViewTenants) || viewing.has_ended(self.store.now().await?) {
            return Ok(user);
        }
        let Some(team) = self.store.tenant(viewing.tenant).name().await? else { return Ok(user) };
        let viewed = Some(Viewed { team, viewing });
        Ok(user.map(|user| User { tenant: viewing.tenant, role: Role::Viewer, is_operator: false, tenants: Vec::new(), viewed, ..user }))
    }
}
