//! Finding what a job made.

mod link;

pub(crate) use link::OutputKey;
pub use link::{LinkError, OutputLink, OutputLinks};

use crate::{AccessError, Services};
use domain::{Actor, Forbidden, JobId, Permission, Status, job::Layout};
use store::{Artifact, ArtifactKind, StoreError, objects::ObjectError};

#[derive(Debug, thiserror::Error)]
pub enum ContentError {
    #[error(transparent)]
    Forbidden(#[from] Forbidden),
    #[error("there is no such video")]
    NotFound,
    /// It is still being made, or it never will be.
    #[error("the video is not finished")]
    NotFinished(Status),
    /// It is finished, and a job like this leaves no such file.
    #[error("there is no {} of it", .0.as_str())]
    NoSuchFile(ArtifactKind),
    /// It is finished, and where its things are is not known: its model places none, or it is older than that is stored.
    #[error("there is no layout of it")]
    NoLayout,
    #[error(transparent)]
    Object(#[from] ObjectError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<AccessError> for ContentError {
    fn from(error: AccessError) -> Self {
        match error {
            AccessError::Forbidden(error) => Self::Forbidden(error),
            AccessError::Store(error) => Self::Store(error),
        }
    }
}

impl Services {
    /// Where a file of a finished job lies and how large it is; without `kind`, that of what it was asked for.
    ///
    /// # Errors
    /// [`ContentError`] says whether to wait or to give up.
    pub async fn artifact(&self, actor: Actor, id: JobId, kind: Option<ArtifactKind>) -> Result<Artifact, ContentError> {
        let jobs = self.tenant_of(actor, Permission::ReadJobs)?.jobs();
        if let Some(artifact) = jobs.artifact(id, kind).await? {
            return Ok(artifact);
        }
        match self.job(actor, id).await? {
            Some(view) if view.status == Status::Completed => match kind {
                Some(kind) if !ArtifactKind::results(&view.spec).contains(&kind) => Err(ContentError::NoSuchFile(kind)),
                // It was finished between the two looks.
                kind => jobs.artifact(id, kind).await?.ok_or(ContentError::NotFound),
            },
            Some(view) => Err(ContentError::NotFinished(view.status)),
            None => Err(ContentError::NotFound),
        }
    }

    /// Where the things of a finished job are drawn.
    ///
    /// # Errors
    /// [`ContentError`] says whether to wait or to give up.
    pub async fn layout(&self, actor: Actor, id: JobId) -> Result<Layout, ContentError> {
        let jobs = self.tenant_of(actor, Permission::ReadJobs)?.jobs();
        if let Some(layout) = jobs.layout(id).await? {
            return Ok(layout);
        }
        match self.job(actor, id).await? {
            // It may have been finished between the two looks.
            Some(view) if view.status == Status::Completed => jobs.layout(id).await?.ok_or(ContentError::NoLayout),
            Some(view) => Err(ContentError::NotFinished(view.status)),
            None => Err(ContentError::NotFound),
        }
    }
}
