//! What the operator does to the queue: asked for alike by page, API and command line.

use crate::Services;
use domain::{
    Actor, Forbidden, JobId, Permission, TenantId,
    scheduling::{PauseScope, QueueAct},
};
use store::{ActOfOperator, Asked, Drained, JobActError, JobActs, StoreError};

const REASON_CHARS_MAX: usize = 200;

/// Why nothing was done to the queue.
#[derive(Debug, thiserror::Error)]
pub enum QueueChangeError {
    #[error(transparent)]
    Forbidden(#[from] Forbidden),
    #[error("a reason has at most {REASON_CHARS_MAX} characters, all of them visible")]
    Reason,
    #[error("say why: the owner of the video is told")]
    ReasonMissing,
    #[error("there is no model {0} here")]
    ModelUnknown(String),
    #[error("there is no such tenant")]
    TenantUnknown,
    #[error("there is no such worker, or it takes no more jobs already")]
    WorkerUnknown,
    #[error("that is not paused: {0}")]
    NotPaused(PauseScope),
    #[error(transparent)]
    Job(JobActError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<JobActError> for QueueChangeError {
    fn from(error: JobActError) -> Self {
        if let JobActError::Store(error) = error { Self::Store(error) } else { Self::Job(error) }
    }
}

impl Services {
    /// Does `act`, and writes it into the log with the reason; `by`: `None` of the command line.
    ///
    /// # Errors
    /// [`QueueChangeError`]; nothing was done.
    pub async fn change_queue(&self, actor: Actor, by: Option<Asked<'_>>, act: &QueueAct, reason: &str) -> Result<(), QueueChangeError> {
        actor.require(Permission::ManageQueue)?;
        let reason = reason.trim();
        if reason.chars().count() > REASON_CHARS_MAX || reason.chars().any(domain::text::is_hidden) {
            return Err(QueueChangeError::Reason);
        }
        if reason.is_empty() && act.needs_reason() {
            return Err(QueueChangeError::ReasonMissing);
        }
        let (operator, why) = (self.store.operator(), ActOfOperator { by, reason });
        match act {
            QueueAct::Pause(scope) => {
                self.is_there(scope).await?;
                Box::pin(operator.pause(scope, why)).await?;
            }
            QueueAct::Resume(scope) => {
                if !Box::pin(operator.resume(scope, why)).await? {
                    return Err(QueueChangeError::NotPaused(scope.clone()));
                }
            }
            QueueAct::Drain(worker) => {
                if Box::pin(operator.drain(*worker, why)).await? != Drained::Now {
                    return Err(QueueChangeError::WorkerUnknown);
                }
            }
            QueueAct::Expedite(job) => Box::pin(self.acts_of(*job).await?.expedite(*job, why)).await?,
            QueueAct::Requeue(job) => Box::pin(self.acts_of(*job).await?.requeue(*job, why)).await?,
            QueueAct::Quarantine(job) => Box::pin(self.acts_of(*job).await?.quarantine(*job, why)).await?,
            QueueAct::Lift(job) => Box::pin(self.acts_of(*job).await?.lift(*job, why)).await?,
        }
        self.forget_queue();
        Ok(())
    }

    async fn is_there(&self, scope: &PauseScope) -> Result<(), QueueChangeError> {
        match scope {
            PauseScope::Model(id) if self.store.models().list().await?.iter().all(|known| known.model.id != *id) => {
                Err(QueueChangeError::ModelUnknown(id.clone()))
            }
            PauseScope::Tenant(id) if self.name_of(*id).await?.is_none() => Err(QueueChangeError::TenantUnknown),
            _ => Ok(()),
        }
    }

    async fn name_of(&self, tenant: TenantId) -> Result<Option<String>, StoreError> {
        self.store.tenant(tenant).name().await
    }

    async fn acts_of(&self, job: JobId) -> Result<JobActs<'_>, QueueChangeError> {
        let tenant = self.store.operator().tenant_of(job).await?.ok_or(JobActError::Unknown)?;
        Ok(self.store.tenant(tenant).acts())
    }
}
