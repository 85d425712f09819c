//! The queue of GPU work: claim, lease, heartbeat, and what happens when a lease is lost.
//!
//! Every write of a worker names its lease's epoch and expects exactly one row; a worker that was
//! paused beyond its lease finds none and learns that it has lost the job.

mod backend;
mod claim;
mod claimer;
mod fallback;
mod forecast;
mod garbage;
mod heartbeat;
mod lease;
pub(crate) mod line;
pub(crate) mod order;
pub(crate) mod release;
pub(crate) mod results;
mod slots;
mod snapshot;
mod state;
mod unmade;

pub use backend::{StageBackend, StageTask};
pub use claimer::{ClaimErrors, StageWork};
pub use forecast::{EndedForecast, EtaCoverage, ToldEta};
pub use release::{Released, Throttled};
pub use slots::{Permit, Reservation, Slots};
pub use state::{HEAD, Limits, OpenJob, OpenPhase, QueueState};
pub use unmade::UnloadableModel;

use crate::{
    Artifact, ArtifactKind, Job, LeaseToken, Preview, Store, StoreError, StoredObject,
    rows::{artifacts, deleted},
};
use claim::{Claimant, Outcome};
use domain::{
    JobId, Stage, TenantId, Timestamp, VideoTime, WorkerId,
    billing::Lane,
    job::{AttemptFailure, Layout},
    scheduling::{LaneOrder, LaneRotations, LineOf, QueueSnapshot, Suspects, Tag},
};
use sea_orm::DbErr;
use state::Besides;
use std::sync::Mutex;

#[derive(Debug, Clone)]
pub struct Claimed {
    pub token: LeaseToken,
    pub job: Job,
}

/// Leases that were to be renewed and were not.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Renewal {
    /// Somebody else's by now, or nobody's.
    pub lost: Vec<LeaseToken>,
    /// Still held, and as long as before: their rows were being written. To be tried again soon.
    pub skipped: Vec<LeaseToken>,
}

/// How far a sample has come.
#[derive(Debug, Clone)]
pub struct ProgressReport {
    pub token: LeaseToken,
    /// Denoising steps done.
    pub step: u32,
    /// How much is decoded, in thousandths.
    pub decoded_permille: u32,
    /// What the stage has taken of the device so far, in milliseconds.
    pub device_ms: u64,
    /// The newest preview, if it was not reported before.
    pub preview: Option<Preview>,
}

/// What a stage took, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StageTook {
    /// From its claim to its end.
    pub elapsed_ms: u64,
    /// Of the device, its share where others used it as well.
    pub device_ms: u64,
    /// Of the time that passed: loading weights, of sampling alone.
    pub load_ms: u64,
    /// Encoding the texts, of sampling alone.
    pub encode_ms: u64,
    /// Bringing what was made to the object store.
    pub upload_ms: u64,
}

/// With the device for itself all the time.
impl From<u64> for StageTook {
    fn from(ms: u64) -> Self {
        Self { elapsed_ms: ms, device_ms: ms, ..Self::default() }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum LeaseError {
    /// Another worker has the job, or its owner cancelled it: stop, and leave nothing behind.
    #[error("the lease on {job} (epoch {epoch}) is lost")]
    Lost { job: JobId, epoch: u32 },
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<DbErr> for LeaseError {
    fn from(error: DbErr) -> Self {
        Self::Store(error.into())
    }
}

#[derive(Clone, Copy)]
pub struct Queue<'a> {
    store: &'a Store,
}

impl<'a> Queue<'a> {
    pub(crate) const fn new(store: &'a Store) -> Self {
        Self { store }
    }

    /// Takes the job that [`domain::scheduling`] chooses among those that wait for `stage`, of one of `models`, interactive ones first, under a
    /// new epoch, for `lease_ms`. A look without a lock, then one short transaction (`FOR NO KEY UPDATE SKIP LOCKED`;
    /// `BEGIN IMMEDIATE` on SQLite). `None` also where a suspect is now kept for this worker ([`Suspects::Reserve`]).
    pub async fn claim(
        self,
        stage: Stage,
        worker: WorkerId,
        models: &[&str],
        lease_ms: i64,
        suspects: Suspects,
    ) -> Result<Option<Claimed>, StoreError> {
        let rotation = Mutex::default();
        Ok(match claim::claim(self.store, claimant((stage, worker, models), &rotation), lease_ms, suspects).await? {
            Outcome::Claimed(claimed) => claimed.into_iter().next(),
            Outcome::BecomeIdle(_) | Outcome::Nothing => None,
        })
    }

    /// Keeps the suspect that is next for `stage` for this worker, which becomes idle to run it. One worker of
    /// the fleet at a time does, and the others go on. `false`: there is none, or another worker does.
    pub async fn reserve_suspect(self, stage: Stage, worker: WorkerId, models: &[&str]) -> Result<bool, StoreError> {
        claim::reserve(self.store, claimant((stage, worker, models), &Mutex::default())).await
    }

    /// The heartbeat: prolongs all these leases by `lease_ms` from now in one statement. A row that somebody else is
    /// just writing is not waited for.
    pub async fn renew(self, tokens: &[LeaseToken], lease_ms: i64) -> Result<Renewal, StoreError> {
        heartbeat::renew(self.store, tokens, lease_ms).await
    }

    /// Notes the steps done and the newest previews of all these samples in one statement; returns the leases that
    /// are lost.
    pub async fn progress(self, reports: Vec<ProgressReport>) -> Result<Vec<LeaseToken>, StoreError> {
        heartbeat::progress(self.store, reports).await
    }

    /// Notes what the lease has taken of its device, in milliseconds, before it ends without a result.
    pub async fn note_device_time(self, token: &LeaseToken, device_ms: u64) -> Result<(), LeaseError> {
        lease::note_device_time(self.store, token, device_ms).await
    }

    /// Leases that `worker` holds according to the database.
    pub async fn held_by(self, worker: WorkerId) -> Result<Vec<LeaseToken>, StoreError> {
        heartbeat::held_by(self.store, worker).await
    }

    /// Answers when leases can be renewed: unlike a question, a write waits for SQLite's writer, and fails on a
    /// full disk or a table that is locked. The answer is the present by the clock of the leases.
    pub async fn can_renew(self) -> Result<Timestamp, StoreError> {
        heartbeat::can_renew(self.store).await
    }

    /// Asks for the keys under which to upload; a lost lease gets none. The keys name the epoch, so two
    /// holders never write the same object. Order as asked.
    pub async fn announce(self, token: &LeaseToken, kinds: &[ArtifactKind]) -> Result<Vec<String>, LeaseError> {
        results::announce(self.store, token, kinds).await
    }

    /// Sampling is done: the latents are stored, the decoders are woken.
    pub async fn hand_over(self, token: &LeaseToken, latents: StoredObject, took: impl Into<StageTook>) -> Result<(), LeaseError> {
        results::hand_over(self.store, token, latents, took.into()).await
    }

    /// Decoding is done: the artifacts become visible, the preview goes. `layout`: of a model that places things.
    pub async fn succeed(
        self,
        token: &LeaseToken,
        artifacts: Vec<StoredObject>,
        layout: Option<&Layout>,
        took: impl Into<StageTook>,
    ) -> Result<(), LeaseError> {
        results::succeed(self.store, token, artifacts, layout, took.into()).await
    }

    /// The latents that a decoder starts from.
    pub async fn latents(self, token: &LeaseToken) -> Result<Option<Artifact>, StoreError> {
        artifacts::find_committed(&self.store.db, token.job, ArtifactKind::Latents).await
    }

    /// The attempt failed. What follows, [`domain::job::decide`] says; it is kept with the job.
    pub async fn report_failure(self, token: &LeaseToken, failure: impl Into<AttemptFailure>) -> Result<(), LeaseError> {
        lease::report_failure(self.store, token, failure.into()).await
    }

    pub async fn give_back(self, token: &LeaseToken) -> Result<(), LeaseError> {
        lease::give_back(self.store, token).await
    }

    /// Requeues or fails every job whose lease has run out, by the clock of the leases as well as by what it showed when it was `seen` to be
    /// right: it may have jumped since. Any process may run it, any number at once.
    pub async fn expire_leases(self, seen: Timestamp) -> Result<u64, StoreError> {
        lease::expire_all(self.store, seen).await
    }

    /// Fails the jobs that wait for a model which has been off offer for `grace_ms`, but for those that another model makes; returns how many they
    /// were together. Any process
    /// may run it, any number at once.
    pub async fn fail_withdrawn(self, grace_ms: i64) -> Result<u64, StoreError> {
        unmade::fail_withdrawn(self.store, grace_ms).await
    }

    /// Fails the jobs that wait for a model and stage of which no worker can load it, but for those that another model makes; returns how many they
    /// were together. Any process may run it, any
    /// number at once.
    pub async fn fail_unloadable(self, broken: &UnloadableModel) -> Result<u64, StoreError> {
        unmade::fail_unloadable(self.store, broken).await
    }

    /// Fails the jobs that wait and whose deadline has passed; returns how many they were. Any process may run it, any number at once.
    pub async fn fail_overdue(self) -> Result<u64, StoreError> {
        unmade::fail_overdue(self.store).await
    }

    /// Who waits and who runs, at this moment. Costs a walk along all that wait: share it.
    pub async fn snapshot(self) -> Result<QueueSnapshot, StoreError> {
        snapshot::snapshot(self.store).await
    }

    /// Where a job stands that waits, where 1 is next, at this moment. `None`: it does not wait, or stands behind more than a thousand.
    pub async fn place_of(self, job: &Job) -> Result<Option<u64>, StoreError> {
        snapshot::place_of(self.store, job).await
    }

    /// What waits next in all lines, what runs, and who works.
    pub async fn state(self) -> Result<QueueState, StoreError> {
        state::read(self.store, Besides::All).await
    }

    /// The same without jobs that have not entered, and without those that came lately.
    pub async fn state_of_queue(self) -> Result<QueueState, StoreError> {
        state::read(self.store, Besides::Nothing).await
    }

    /// What the plan of a tenant says of its jobs. `None`: there is no such tenant.
    pub async fn limits_of(self, tenant: TenantId) -> Result<Option<Limits>, StoreError> {
        Ok(state::limits_of(self.store, [tenant], self.store.now().await?).await?.pop())
    }

    /// Lets jobs into the queue that the limits of their tenants' plans keep outside of it, and whose time has come. Any process may run it, any
    /// number at once.
    pub async fn release(self) -> Result<Released, StoreError> {
        release::release_due(self.store).await
    }

    /// Notes what was told of these jobs when they were submitted, where nothing is noted yet.
    pub async fn note_told(self, told: &[ToldEta]) -> Result<(), StoreError> {
        forecast::note(self.store, told).await
    }

    /// Jobs that were made since then of whose time something was told, in the order in which they ended.
    pub async fn told_of_ended(self, after: Timestamp, limit: u64) -> Result<Vec<EndedForecast>, StoreError> {
        forecast::ended_after(self.store, after, limit).await
    }

    /// How well the bounds held of the jobs that were made since then, of those among the last 100,000 that are no lines of batches. Costs a walk along them: share it.
    pub async fn eta_coverage(self, after: Timestamp) -> Result<EtaCoverage, StoreError> {
        forecast::coverage(self.store, after).await
    }

    /// Why a job has not entered the queue that is throttled. `None`: it may enter, and is about to.
    pub async fn throttle(self, job: &Job) -> Result<Option<Throttled>, StoreError> {
        release::throttle(self.store, job).await
    }

    /// The lane and tag that a job of `tenant` would have now, with the earlier of its deadlines where it has one.
    pub async fn would_stand(
        self,
        tenant: TenantId,
        model: &str,
        work: VideoTime,
        deadline: Option<Timestamp>,
    ) -> Result<(Lane, Tag), StoreError> {
        line::would_stand(self.store, tenant, (model, work), deadline).await
    }

    /// Where a job of so much work would stand in a line, of a tenant with the lightest plan that has none.
    pub async fn stranger_would_stand(self, line: LineOf<'_>, work: VideoTime) -> Result<Tag, StoreError> {
        line::stranger_would_stand(self.store, line, work).await
    }

    /// Keys of objects that nobody needs any more, at most `limit`: all of deleted jobs, the latents of jobs
    /// that have ended, and what was announced under a lease that ended without committing it. The last kind
    /// waits `grace_ms` from the end of the lease, because a holder that has not yet noticed may still be
    /// uploading: with its row gone that object would be lost sight of. So the grace must be longer than a
    /// heartbeat and the slowest upload together. Call [`Self::forget_garbage`] once they are gone.
    pub async fn garbage(self, grace_ms: i64, limit: u64) -> Result<Vec<String>, StoreError> {
        garbage::garbage(self.store, grace_ms, limit).await
    }

    /// These could not be removed: they are garbage again after a pause that grows, and behind the others.
    pub async fn postpone_garbage(self, object_keys: &[String]) -> Result<(), StoreError> {
        garbage::postpone(self.store, object_keys).await
    }

    /// Drops the rows of removed objects.
    pub async fn forget_garbage(self, object_keys: &[String]) -> Result<(), StoreError> {
        garbage::forget(self.store, object_keys).await
    }

    /// Drops the rows of deleted jobs that have no objects left, once they are counted. Costs a walk along all deleted jobs.
    pub async fn forget_deleted(self) -> Result<(), StoreError> {
        self.store.kept_numbers().count_ended().await?;
        deleted::forget(self.store).await
    }
}

/// Takes from the lane of interactive jobs first, and has had nothing so far.
fn claimant<'a>((stage, worker, models): (Stage, WorkerId, &'a [&'a str]), rotation: &'a Mutex<LaneRotations>) -> Claimant<'a> {
    Claimant { stage, worker, models, lanes: LaneOrder::InteractiveFirst.lanes(), rotation, free: 1, workers: 1 }
}
