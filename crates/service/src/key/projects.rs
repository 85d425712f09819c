//! Projects of a tenant: made, renamed, archived.

use super::{NAME_CHARS_MAX, visible_name};
use crate::{AccessError, Services};
use domain::{Actor, Forbidden, Membership, Permission, ProjectId};
use store::{Asked, Project, StoreError};

#[derive(Debug, thiserror::Error)]
pub enum ProjectError {
    #[error(transparent)]
    Forbidden(#[from] Forbidden),
    #[error("give the project a name of 1 to {NAME_CHARS_MAX} characters")]
    Name,
    /// There is no such one, or it cannot be so.
    #[error(transparent)]
    Refused(store::ProjectError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<store::ProjectError> for ProjectError {
    fn from(error: store::ProjectError) -> Self {
        match error {
            store::ProjectError::Store(error) => Self::Store(error),
            refused => Self::Refused(refused),
        }
    }
}

impl Services {
    /// The oldest first, those that are archived among them.
    ///
    /// # Errors
    /// [`AccessError`] when `actor` may not see them, or the database does not answer.
    pub async fn projects(&self, actor: Actor) -> Result<Vec<Project>, AccessError> {
        Ok(self.tenant_of(actor, Permission::ReadBalance)?.projects().list().await?)
    }

    /// # Errors
    /// [`ProjectError`]; no project was made.
    pub async fn create_project(&self, actor: Actor, name: &str, address: &str) -> Result<ProjectId, ProjectError> {
        let Membership { tenant, user, .. } = actor.require_membership(Permission::ManageProjects)?;
        let name = visible_name(name).ok_or(ProjectError::Name)?;
        Ok(self.store.tenant(tenant).projects().create(Asked { user, address }, &name).await?)
    }

    /// # Errors
    /// [`ProjectError`]; it is called what it was.
    pub async fn rename_project(&self, actor: Actor, id: ProjectId, name: &str, address: &str) -> Result<(), ProjectError> {
        let Membership { tenant, user, .. } = actor.require_membership(Permission::ManageProjects)?;
        let name = visible_name(name).ok_or(ProjectError::Name)?;
        Ok(self.store.tenant(tenant).projects().rename(Asked { user, address }, id, &name).await?)
    }

    /// Its keys open nothing from then on; what was made in it stays.
    ///
    /// # Errors
    /// [`ProjectError`]; nothing was changed.
    pub async fn archive_project(&self, actor: Actor, id: ProjectId, address: &str) -> Result<(), ProjectError> {
        let Membership { tenant, user, .. } = actor.require_membership(Permission::ManageProjects)?;
        Ok(self.store.tenant(tenant).projects().archive(Asked { user, address }, id).await?)
    }
}
