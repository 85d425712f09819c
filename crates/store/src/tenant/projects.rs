//! A tenant's projects. The default one has the tenant's id, and is always there.

use super::api_keys;
use crate::{
    Store, StoreError, chance,
    database::write::Write,
    rows::account::{
        asked::Asked,
        audit,
        projects::{self, Project},
        tenants,
    },
};
use domain::{Act, ProjectId, TenantId};

/// Why a project was not made or changed.
#[derive(Debug, thiserror::Error)]
pub enum ProjectError {
    #[error("there is no such project, or it is archived")]
    Unknown,
    #[error("there is a project of this name already")]
    NameTaken,
    #[error("at most {projects_max} projects can be in use at the same time: archive one first")]
    TooMany { projects_max: usize },
    #[error("the default project cannot be archived: what is made on the pages belongs to it")]
    IsDefault,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// In use.
const PROJECTS_MAX: usize = 100;

#[derive(Clone, Copy)]
pub struct Projects<'a> {
    store: &'a Store,
    tenant: TenantId,
}

impl<'a> Projects<'a> {
    pub(crate) const fn new(store: &'a Store, tenant: TenantId) -> Self {
        Self { store, tenant }
    }

    /// The oldest first, those that are archived among them.
    pub async fn list(self) -> Result<Vec<Project>, StoreError> {
        projects::of_tenant(&self.store.of(self.tenant), self.tenant).await
    }

    pub async fn create(self, asked: Asked<'_>, name: &str) -> Result<ProjectId, ProjectError> {
        let write = self.store.write_of(self.tenant).await?;
        let id = ProjectId::from_uuid(chance::new_id());
        let made = self.create_in(&write, asked, id, name).await;
        write.end(made).await?;
        Ok(id)
    }

    async fn create_in(self, write: &Write, asked: Asked<'_>, id: ProjectId, name: &str) -> Result<(), ProjectError> {
        let live = self.live(write).await?;
        if live.len() >= PROJECTS_MAX {
            return Err(ProjectError::TooMany { projects_max: PROJECTS_MAX });
        }
        Self::require_free(&live, name, None)?;
        projects::insert(write, self.tenant, id, name).await?;
        Ok(audit::insert(write, &asked.did_in(self.tenant, Act::ProjectMade, name)).await?)
    }

    pub async fn rename(self, asked: Asked<'_>, id: ProjectId, name: &str) -> Result<(), ProjectError> {
        let write = self.store.write_of(self.tenant).await?;
        let renamed = self.rename_in(&write, asked, id, name).await;
        write.end(renamed).await
    }

    async fn rename_in(self, write: &Write, asked: Asked<'_>, id: ProjectId, name: &str) -> Result<(), ProjectError> {
        let live = self.live(write).await?;
        find(&live, id)?;
        Self::require_free(&live, name, Some(id))?;
        projects::rename(write, id, name).await?;
        Ok(audit::insert(write, &asked.did_in(self.tenant, Act::ProjectRenamed, name)).await?)
    }

    /// Its keys are revoked with it. What was made in it stays, and so does its usage.
    pub async fn archive(self, asked: Asked<'_>, id: ProjectId) -> Result<(), ProjectError> {
        let write = self.store.write_of(self.tenant).await?;
        let archived = self.archive_in(&write, asked, id).await;
        write.end(archived).await
    }

    async fn archive_in(self, write: &Write, asked: Asked<'_>, id: ProjectId) -> Result<(), ProjectError> {
        let live = self.live(write).await?;
        let project = find(&live, id)?;
        if project.is_default {
            return Err(ProjectError::IsDefault);
        }
        projects::archive(write, id).await?;
        api_keys::revoke_all_in(write, self.tenant, id).await?;
        Ok(audit::insert(write, &asked.did_in(self.tenant, Act::ProjectArchived, &project.name)).await?)
    }

    /// Those in use; nobody changes one of them, or makes a key of one, until this transaction ends.
    async fn live(self, write: &Write) -> Result<Vec<Project>, ProjectError> {
        tenants::lock(write, self.tenant).await?;
        let all = projects::of_tenant(&write.tx, self.tenant).await?;
        Ok(all.into_iter().filter(|project| project.archived_at.is_none()).collect())
    }

    fn require_free(live: &[Project], name: &str, own: Option<ProjectId>) -> Result<(), ProjectError> {
        let is_taken = live.iter().any(|project| Some(project.id) != own && project.name == name);
        if is_taken { Err(ProjectError::NameTaken) } else { Ok(()) }
    }
}

fn find(live: &[Project], id: ProjectId) -> Result<&Project, ProjectError> {
    live.iter().find(|project| project.id == id).ok_or(ProjectError::Unknown)
}
