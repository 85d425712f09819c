//! What the operator may do to the queue, as page, API and command line name it alike.

use super::{PauseScope, PauseScopeError};
use crate::{JobId, WorkerId, id::IdError};

/// One act upon the queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QueueAct {
    /// No worker begins these jobs until they are resumed.
    Pause(PauseScope),
    Resume(PauseScope),
    /// The worker takes no more jobs, and ends when its own have.
    Drain(WorkerId),
    /// The job is next in its line.
    Expedite(JobId),
    /// A job that failed is tried once more, and its price is held again.
    Requeue(JobId),
    /// The job is begun by nobody, and keeps its place.
    Quarantine(JobId),
    /// The quarantine ends.
    Lift(JobId),
}

/// There is no such act, or it is not about such a thing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum QueueActError {
    #[error("an act is pause, resume, drain, expedite, requeue, quarantine or lift")]
    Unknown,
    #[error(transparent)]
    Scope(#[from] PauseScopeError),
    #[error("give its id: this is {0}")]
    Id(#[from] IdError),
}

impl QueueAct {
    /// `act` by its name, upon what `subject` says: a scope, or the id of a job or worker.
    ///
    /// # Errors
    /// [`QueueActError`] when either cannot be read.
    pub fn parse(act: &str, subject: &str) -> Result<Self, QueueActError> {
        let subject = subject.trim();
        Ok(match act {
            "pause" => Self::Pause(subject.parse()?),
            "resume" => Self::Resume(subject.parse()?),
            "drain" => Self::Drain(subject.parse()?),
            "expedite" => Self::Expedite(subject.parse()?),
            "requeue" => Self::Requeue(subject.parse()?),
            "quarantine" => Self::Quarantine(subject.parse()?),
            "lift" => Self::Lift(subject.parse()?),
            _ => return Err(QueueActError::Unknown),
        })
    }

    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Pause(_) => "pause",
            Self::Resume(_) => "resume",
            Self::Drain(_) => "drain",
            Self::Expedite(_) => "expedite",
            Self::Requeue(_) => "requeue",
            Self::Quarantine(_) => "quarantine",
            Self::Lift(_) => "lift",
        }
    }

    /// That it is done, and what follows.
    #[must_use]
    pub fn done(&self) -> String {
        match self {
            Self::Pause(scope) => format!("Paused: {scope}. What runs already goes on; new videos are taken in and wait."),
            Self::Resume(scope) => format!("Resumed: {scope}."),
            Self::Drain(worker) => format!("{worker} takes no more jobs, and ends when its own have."),
            Self::Expedite(job) => format!("{job} is next in its line."),
            Self::Requeue(job) => format!("{job} is tried once more. Its price is held again, and charged when it is made."),
            Self::Quarantine(job) => format!("{job} is in quarantine: nobody begins it until that is lifted or its owner cancels it."),
            Self::Lift(job) => format!("The quarantine of {job} is lifted: if it waits, it is back in its line."),
        }
    }

    /// Whether whoever owns the job has to be told why.
    #[must_use]
    pub const fn needs_reason(&self) -> bool {
        matches!(self, Self::Quarantine(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    #[test]
    fn an_act_is_found_by_its_name_and_is_about_what_it_says() {
        let (job, worker) = (JobId::from_uuid(Uuid::nil()), WorkerId::from_uuid(Uuid::nil()));
        let of_job = |act: &str| QueueAct::parse(act, &format!(" {job}"));
        for act in ["expedite", "requeue", "quarantine", "lift"] {
            assert_eq!(of_job(act).unwrap().as_str(), act);
        }
        assert_eq!(QueueAct::parse("drain", &worker.to_string()), Ok(QueueAct::Drain(worker)));
        assert_eq!(QueueAct::parse("pause", "lane:batch").unwrap().as_str(), "pause");
        assert!(matches!(QueueAct::parse("drain", &job.to_string()), Err(QueueActError::Id(_))));
        assert!(matches!(QueueAct::parse("resume", "this"), Err(QueueActError::Scope(_))));
        assert_eq!(of_job("delete"), Err(QueueActError::Unknown));
    }
}
