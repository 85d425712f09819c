//! The workers one by one, and what was decided about how many there should be.

use super::{Part, capacity, part};
use crate::Services;
use domain::{Act, Actor, Forbidden, Permission, Timestamp, WorkerId, scheduling::fleet::ScalingLimits};
use store::{ALIVE_MS, ActOfOperator, Asked, AuditEntry, Drained, FleetWorker, LiveWorker, ScalingDecision, StoreError};

/// The newest decisions that are told.
pub const DECISIONS_SHOWN: u32 = 50;
/// The newest acts among which those are that drained a worker.
const ACTS_READ: u64 = 100;
const DRAINED_SHOWN: usize = 10;

/// How the workers fare.
#[derive(Debug, Clone)]
pub struct FleetSeen {
    /// When it was asked for.
    pub now: Timestamp,
    /// Those seen last first, as many as are listed.
    pub workers: Part<Vec<FleetWorker>>,
    /// All that are at work.
    pub live: Part<Vec<LiveWorker>>,
    /// `None`: this server has no workers started.
    pub scaling: Option<ScalingOf>,
    /// The newest first, also those of other servers.
    pub decisions: Part<Vec<ScalingDecision>>,
    /// Who had workers drained, the newest first: those that have ended are among the workers no more.
    pub drained: Part<Vec<AuditEntry>>,
    /// Of the workers' time, of 1, what the jobs of the last hour fill. `None`: no workers are there.
    pub utilisation: Part<Option<f64>>,
    /// The utilisation at which workers are added, in thousandths.
    pub knee_permille: u64,
}

/// What this server does about the number of workers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScalingOf {
    /// What the kind of device is called.
    pub device: String,
    pub limits: ScalingLimits,
    /// By the last decision; `None`: there is none yet.
    pub wanted: Option<u32>,
}

#[derive(Debug, thiserror::Error)]
pub enum DrainError {
    #[error(transparent)]
    Forbidden(#[from] Forbidden),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Services {
    /// # Errors
    /// [`Forbidden`] when `actor` may not look. What could not be read is told in its place.
    pub async fn fleet_seen(&self, actor: Actor) -> Result<FleetSeen, Forbidden> {
        actor.require(Permission::InspectInstallation)?;
        let (workers, live, decisions, acts, capacity, wanted, now) = tokio::join!(
            part("workers", self.store.operator().fleet()),
            part("workers at work", self.store.workers().live(ALIVE_MS)),
            part("scaling decisions", self.store.scaling().decisions(DECISIONS_SHOWN)),
            part("acts upon workers", self.store.operator().queue_acts(ACTS_READ)),
            Box::pin(part("utilisation", self.live_capacity())),
            part("wanted workers", self.wanted()),
            part("clock", self.store.now()),
        );
        let scaling = self.scaling.as_ref().map(|scaling| ScalingOf {
            device: scaling.device.clone(),
            limits: scaling.limits.clone(),
            wanted: wanted.ok().flatten(),
        });
        let knee_permille = scaling.as_ref().map_or_else(capacity::knee_permille, |scaling| scaling.limits.knee_permille);
        Ok(FleetSeen {
            now: now.unwrap_or_else(|_| self.store.local_now()),
            workers,
            live,
            scaling,
            decisions,
            drained: acts.map(|acts| acts.into_iter().filter(|entry| entry.act == Act::WorkerDrained).take(DRAINED_SHOWN).collect()),
            utilisation: capacity.map(|capacity| capacity.utilisation),
            knee_permille,
        })
    }

    /// Has a worker take no more jobs: it ends when those that it has are done. `by`: whoever asks; `None`: the command line.
    ///
    /// # Errors
    /// [`DrainError`] when `actor` may not, or the database does not answer.
    pub async fn drain_worker(&self, actor: Actor, worker: WorkerId, by: Option<Asked<'_>>) -> Result<Drained, DrainError> {
        actor.require(Permission::ManageWorkers)?;
        let drained = self.store.operator().drain(worker, ActOfOperator { by, reason: "" }).await?;
        if drained == Drained::Now {
            tracing::info!(worker.id = %worker, "a worker is drained, as the operator asked");
        }
        Ok(drained)
    }

    async fn wanted(&self) -> Result<Option<u32>, StoreError> {
        match &self.scaling {
            Some(scaling) => self.store.scaling().wanted(&scaling.device).await,
            None => Ok(None),
        }
    }
}
