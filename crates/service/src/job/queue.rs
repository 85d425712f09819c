//! What a person has in the queue, and their own order of it.

use super::kept::{kept_by_operator, tell_kept};
use crate::{AccessError, Services};
use domain::{
    Actor, BatchId, Forbidden, JobId, JobView, Permission,
    scheduling::{MoveRefusal, MoveTo},
};
use std::time::Duration;
use store::{Job, MoveError as RowsMoveError, OwnPage, OwnPhase, StoreError, Texts, Waiting, clock::Instant};

/// More than any list shows of a text.
const START_CHARS: i32 = 200;
/// Jobs that are cancelled in one transaction: others that write have their turn in between.
const AT_ONCE: u64 = 50;
/// For one request; what is left then can be cancelled by the next.
const TIME_AT_MOST: Duration = Duration::from_secs(4);

/// One of a person's jobs in their queue, with the first 200 characters of its texts.
#[derive(Debug, Clone, PartialEq)]
pub struct OwnJobView {
    pub view: JobView,
    pub phase: OwnPhase,
    /// Jobs of the same person wait in front of it in its line, so it can be moved up.
    pub can_move: bool,
    /// Of which it is a line.
    pub batch: Option<BatchId>,
}

/// A page of a person's queue.
#[derive(Debug, Clone, PartialEq)]
pub struct OwnQueue {
    pub jobs: Vec<OwnJobView>,
    pub has_more: bool,
    /// Behind it the next page begins.
    pub last: Option<JobId>,
}

/// What a person has waiting for its first step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OwnWaiting {
    pub all: Waiting,
    /// Those of them that are lines of batches: they are taken back with their batch alone.
    pub of_batches: Waiting,
}

impl OwnWaiting {
    /// What is cancelled by [`Services::cancel_own_waiting`].
    #[must_use]
    pub fn alone(self) -> Waiting {
        let Self { all, of_batches } = self;
        Waiting { jobs: all.jobs.saturating_sub(of_batches.jobs), billed: all.billed.saturating_sub(of_batches.billed) }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum QueueError {
    #[error(transparent)]
    Forbidden(#[from] Forbidden),
    /// The job behind which the page is to begin is none of theirs.
    #[error("there is no such video in your queue")]
    AfterUnknown,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why a job stays where it is.
#[derive(Debug, thiserror::Error)]
pub enum MoveError {
    #[error(transparent)]
    Forbidden(#[from] Forbidden),
    #[error(transparent)]
    Refused(#[from] MoveRefusal),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<RowsMoveError> for MoveError {
    fn from(error: RowsMoveError) -> Self {
        match error {
            RowsMoveError::Refused(refusal) => Self::Refused(refusal),
            RowsMoveError::Store(error) => Self::Store(error),
        }
    }
}

impl Services {
    /// A page of what `actor` has in the queue, in the order in which it is made: first what has begun, then what waits, line by line, then what
    /// has not entered, then what the operator holds. With places, estimates and reasons, where these can be had in time.
    ///
    /// # Errors
    /// [`QueueError`] when `actor` may not see it, `after` is none of their jobs, or the database does not answer.
    pub async fn own_queue(&self, actor: Actor, after: Option<JobId>, limit: u64) -> Result<OwnQueue, QueueError> {
        let me = actor.require_membership(Permission::ReadJobs)?;
        let of_tenant = self.store.tenant(me.tenant).jobs();
        let page = of_tenant.own_queue(me.user, after, limit, Texts::Start(START_CHARS)).await?;
        let OwnPage { jobs, has_more, last } = page.ok_or(QueueError::AfterUnknown)?;
        let views = self.views(&jobs.iter().map(|own| &own.job).collect::<Vec<_>>()).await;
        let batches = of_tenant.batches_of(&jobs.iter().map(|own| own.job.id).collect::<Vec<_>>()).await?;
        let jobs = views.into_iter().zip(jobs).map(|(view, own)| {
            let batch = batches.get(&own.job.id).copied();
            OwnJobView { view, phase: own.phase, can_move: own.can_move, batch }
        });
        let jobs = jobs.collect();
        Ok(OwnQueue { jobs, has_more, last })
    }

    /// How many jobs of `actor` wait for their first step, and what they would be billed.
    ///
    /// # Errors
    /// [`AccessError`] when `actor` may not see them, or the database does not answer.
    pub async fn own_waiting(&self, actor: Actor) -> Result<OwnWaiting, AccessError> {
        let me = actor.require_membership(Permission::ReadJobs)?;
        let jobs = self.store.tenant(me.tenant).jobs();
        Ok(OwnWaiting { all: jobs.own_waiting(me.user).await?, of_batches: jobs.own_waiting_of_batches(me.user).await? })
    }

    /// Cancels the jobs of `actor` that wait for their first step, of one model or all, as many as there is time for; those a worker has begun go
    /// on, and so do lines of batches. Says how many these were, and whether some may be left.
    ///
    /// # Errors
    /// [`AccessError`] when `actor` may not cancel them, or the database does not answer; what was cancelled until then stays so.
    pub async fn cancel_own_waiting(&self, actor: Actor, model: Option<&str>) -> Result<(u64, bool), AccessError> {
        let me = actor.require_membership(Permission::CancelJobs)?;
        // PostgreSQL has no such text.
        if model.is_some_and(|model| model.contains('\0')) {
            return Ok((0, false));
        }
        let (mut cancelled, until) = (0, Instant::now() + TIME_AT_MOST);
        while Instant::now() < until {
            let more = self.store.tenant(me.tenant).jobs().cancel_own_waiting(me.user, model, AT_ONCE).await?;
            self.waiting.forget(&me.tenant);
            cancelled += more;
            if more == 0 {
                return Ok((cancelled, false));
            }
        }
        Ok((cancelled, true))
    }

    /// Moves a job among those of the same person in its line, for who may cancel it.
    ///
    /// # Errors
    /// [`MoveError`] when `actor` may not, it stays where it is for a reason, or the database does not answer.
    pub async fn move_job(&self, actor: Actor, id: JobId, to: MoveTo) -> Result<JobView, MoveError> {
        let job = self.tenant_of(actor, Permission::CancelJobs)?.jobs().move_to(id, to).await?;
        self.confirm_of(actor, &job);
        self.places.forget();
        self.forecasts.forget();
        Ok(self.view_of_moved(&job).await)
    }

    /// Jobs of one tenant that have not ended, with their places and estimates: however many they are, the queue is asked once.
    async fn views(&self, jobs: &[&Job]) -> Vec<JobView> {
        let foretell = Box::pin(async {
            let mut kept = Vec::with_capacity(jobs.len());
            for job in jobs {
                kept.push(kept_by_operator(&self.store, job).await?);
            }
            // What is kept stands in no line, and in front of nobody.
            let in_line: Vec<_> = jobs.iter().copied().zip(&kept).filter(|(_, kept)| kept.is_none()).map(|(job, _)| job).collect();
            let (positions, now) = (self.places.positions(&self.store, &in_line).await?, self.store.now().await?);
            let placed: Vec<_> = in_line.into_iter().zip(positions).collect();
            let foretold = self.forecasts.of_many(&self.store, &placed, &self.costs, now).await?;
            Ok((placed.into_iter().zip(foretold), kept, now))
        });
        let foretold = self.estimates.attempt(Duration::MAX, foretell).await;
        let mut views: Vec<_> = jobs.iter().map(|job| self.bare_view(job)).collect();
        if let Some((mut foretold, kept, now)) = foretold {
            for ((view, job), kept) in views.iter_mut().zip(jobs).zip(kept) {
                if let Some(kept) = kept {
                    tell_kept(view, job, kept);
                } else if let Some((placed, foretold)) = foretold.next() {
                    self.tell_outlook(view, placed, foretold, now);
                }
            }
        }
        views
    }
}
