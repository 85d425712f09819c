//! The loop that claims jobs for one stage of a worker process, one for each slot that is free.

use super::{
    Claimed, Permit, Reservation, Slots,
    claim::{self, Claimant},
};
use crate::{ALIVE_MS, Change, LiveWorker, Store, StoreError, clock::Instant, in_time, workers};
use domain::{
    Stage, WorkerId,
    billing::Lane,
    scheduling::{LaneOrder, LaneRotations, left_for_ms},
};
use sea_orm::DbErr;
use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use tokio::{
    sync::{broadcast, mpsc, oneshot, watch},
    time::timeout,
};
use tokio_util::sync::CancellationToken;

const PAUSE_MIN: Duration = Duration::from_millis(100);
const PAUSE_MAX: Duration = Duration::from_secs(2);
/// A few times while a reservation lasts.
const RESERVE_EVERY: Duration = Duration::from_secs(2);
/// For so long the size of the fleet is not asked for again.
const FLEET_KEPT: Duration = Duration::from_secs(5);
/// The most jobs that one claim takes.
const CLAIMED_MAX: usize = 16;

/// A claimed job and the slot it runs in, free again when this is dropped.
pub struct StageWork {
    pub claimed: Claimed,
    pub permit: Permit,
    /// What the claim took.
    pub claim_took: Duration,
}

/// Told of each claim that failed, or got no answer.
pub type ClaimErrors = Arc<dyn Fn(Stage) + Send + Sync>;

pub(super) async fn give_back(store: &Store, work: StageWork) {
    if let Err(error) = in_time(store.queue().give_back(&work.claimed.token)).await {
        tracing::warn!(job.id = %work.claimed.token.job, error = &error as &dyn std::error::Error, "cannot give a job back; its lease will run out");
    }
}

#[derive(Clone)]
pub(super) struct Claimer {
    pub store: Store,
    pub stage: Stage,
    pub worker: WorkerId,
    /// Those of which jobs are taken at the moment.
    pub models: watch::Receiver<Vec<String>>,
    pub lease_ms: i64,
    pub slots: Slots,
    pub shutdown: CancellationToken,
    pub slow_timer: Duration,
    /// What tenants have had of this worker.
    pub rotation: Arc<Mutex<LaneRotations>>,
    pub errors: Option<ClaimErrors>,
    pub fleet: FleetSize,
}

/// How many workers take jobs of the stage, as it was some seconds ago.
#[derive(Clone, Default)]
pub(super) struct FleetSize {
    state: Arc<Mutex<FleetState>>,
}

#[derive(Default)]
struct FleetState {
    asked: Option<Instant>,
    size: Option<usize>,
}

impl FleetSize {
    /// Waits for no answer: where it was long ago, it is asked for beside. `None`: it is not known yet.
    fn known(&self, store: &Store, stage: Stage) -> Option<usize> {
        let (now, mut state) = (Instant::now(), self.lock());
        if state.asked.is_none_or(|asked| now.duration_since(asked) >= FLEET_KEPT) {
            state.asked = Some(now);
            let (fleet, store) = (self.clone(), store.clone());
            tokio::spawn(async move { fleet.read(&store, stage).await });
        }
        state.size
    }

    async fn read(&self, store: &Store, stage: Stage) {
        let takes = |worker: &LiveWorker| !worker.is_draining && worker.slots.of(stage).all() > 0;
        // Where there is no answer, it stays as it was.
        if let Ok(workers) = in_time(workers::live(store, ALIVE_MS)).await {
            self.lock().size = Some(workers.iter().filter(|worker| takes(worker)).count());
        }
    }

    fn lock(&self) -> MutexGuard<'_, FleetState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

enum Outcome {
    /// One at least.
    Jobs(Vec<StageWork>),
    Nothing,
    /// A suspect is kept for this worker, which takes nothing more until it is idle.
    Draining,
}

enum Rest {
    UntilChange,
    /// Or until a slot is free, where there was none but for some lanes.
    UntilChangeOrSlot,
    For(Duration),
}

impl Claimer {
    /// Feeds `sender` until shutdown, or until nobody receives any more.
    pub async fn run(self, sender: mpsc::Sender<StageWork>) {
        let _until_done = StopDraining(self.slots.clone(), self.stage);
        let (mut changes, mut slots) = (self.store.signals().subscribe(), self.slots.freed());
        let mut models = self.models.clone();
        let mut pause = PAUSE_MIN;
        loop {
            slots.mark_unchanged();
            models.mark_unchanged();
            // A claim is not broken off for these, as a committed one would be lost until its lease ends.
            let reserved = tokio::select! {
                biased;
                () = self.shutdown.cancelled() => return,
                () = sender.closed() => return,
                () = self.keep_reservation() => continue,
                reserved = self.reserve(&sender) => reserved,
            };
            let Some((place, reservation)) = reserved else { return };
            tokio::select! {
                biased;
                () = self.shutdown.cancelled() => return,
                () = sender.closed() => return,
                () = self.leave_to_others() => {}
            }
            let nothing = if reservation.lanes == LaneOrder::InteractiveOnly { Rest::UntilChangeOrSlot } else { Rest::UntilChange };
            // A lease that comes later than it lasts is worthless.
            let lease = Duration::from_millis(self.lease_ms.unsigned_abs());
            let claimed = self.claim_within(lease, reservation).await;
            let (rest, next_pause) = match claimed {
                Ok(Outcome::Jobs(works)) => {
                    self.deliver(place, works, &sender).await;
                    (None, PAUSE_MIN)
                }
                Ok(Outcome::Draining) => (None, PAUSE_MIN),
                Ok(Outcome::Nothing) => (Some(nothing), PAUSE_MIN),
                Err(error) => {
                    if let Some(errors) = &self.errors {
                        errors(self.stage);
                    }
                    tracing::warn!(stage = %self.stage, error = &error as &dyn std::error::Error, "cannot claim; trying again");
                    (Some(Rest::For(pause)), (pause * 2).min(PAUSE_MAX))
                }
            };
            pause = next_pause;
            let Some(rest) = rest else { continue };
            tokio::select! {
                biased;
                () = self.shutdown.cancelled() => return,
                () = sender.closed() => return,
                () = self.rest(rest, &mut changes, &mut slots) => {}
                () = changed(&mut models) => {}
            }
        }
    }

    /// Says again and again that the suspect is kept for this worker. Returns when it need not become idle any more,
    /// because another one, idle already, has taken it.
    async fn keep_reservation(&self) {
        loop {
            tokio::time::sleep(self.slow_timer.min(RESERVE_EVERY)).await;
            if let Some(lane) = self.slots.draining_lane(self.stage)
                && matches!(self.reserve_suspect(lane).await, Ok(false))
            {
                self.slots.stop_draining(self.stage);
                return;
            }
        }
    }

    async fn reserve_suspect(&self, lane: Lane) -> Result<bool, StoreError> {
        let models = self.models();
        let models: Vec<&str> = models.iter().map(String::as_str).collect();
        claim::reserve(&self.store, self.claimant(&models, &[lane])).await
    }

    fn models(&self) -> Vec<String> {
        self.models.borrow().clone()
    }

    fn claimant<'a>(&'a self, models: &'a [&'a str], lanes: &'a [Lane]) -> Claimant<'a> {
        Claimant { stage: self.stage, worker: self.worker, models, lanes, rotation: &self.rotation, free: 1, workers: 1 }
    }

    /// A place in the channel first, then a slot: what is claimed can always be delivered.
    async fn reserve<'s>(&self, sender: &'s mpsc::Sender<StageWork>) -> Option<(mpsc::Permit<'s, StageWork>, Reservation)> {
        let place = sender.reserve().await.ok()?;
        Some((place, self.slots.reserve(self.stage).await))
    }

    /// Lets workers go first that have fewer jobs.
    async fn leave_to_others(&self) {
        let pause = Duration::from_millis(left_for_ms(self.slots.jobs()));
        if !pause.is_zero() {
            tokio::time::sleep(pause).await;
        }
    }

    /// A claim goes on to its end when nobody waits for it any more; a job that it then brings is given back.
    async fn claim_within(&self, patience: Duration, reservation: Reservation) -> Result<Outcome, StoreError> {
        let (sender, claimed) = oneshot::channel();
        let claimer = self.clone();
        tokio::spawn(async move {
            let outcome = in_time(claimer.claim(reservation)).await;
            if let Err(Ok(Outcome::Jobs(works))) = sender.send(outcome) {
                for work in works {
                    give_back(&claimer.store, work).await;
                }
            }
        });
        let late = || Err(DbErr::Custom("no answer within the length of a lease".into()).into());
        match timeout(patience, claimed).await {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(_)) | Err(_) => late(),
        }
    }

    async fn claim(&self, reservation: Reservation) -> Result<Outcome, StoreError> {
        let begun = Instant::now();
        let models = self.models();
        let models: Vec<&str> = models.iter().map(String::as_str).collect();
        let (suspects, lanes) = (reservation.suspects, reservation.lanes);
        let (fleet, mut reservations) = (self.fleet.known(&self.store, self.stage), vec![reservation]);
        while fleet.is_some()
            && reservations.len() < CLAIMED_MAX
            && let Some(another) = self.slots.reserve_beside(self.stage, &reservations)
        {
            reservations.push(another);
        }
        let (free, workers) = (reservations.len(), fleet.unwrap_or(1));
        let claimant = Claimant { free, workers, ..self.claimant(&models, lanes.lanes()) };
        Ok(match claim::claim(&self.store, claimant, self.lease_ms, suspects).await? {
            claim::Outcome::Claimed(claimed) => {
                let begin = |(claimed, reservation): (Claimed, Reservation)| {
                    let permit = reservation.start(claimed.job.lane(), claimed.job.lifecycle.suspect);
                    StageWork { claimed, permit, claim_took: begun.elapsed() }
                };
                Outcome::Jobs(claimed.into_iter().zip(reservations).map(begin).collect())
            }
            claim::Outcome::BecomeIdle(lane) => {
                self.slots.drain(self.stage, lane);
                Outcome::Draining
            }
            claim::Outcome::Nothing => Outcome::Nothing,
        })
    }

    /// Hands the jobs to apalis; when it has stopped meanwhile, they go back unharmed.
    async fn deliver(&self, place: mpsc::Permit<'_, StageWork>, works: Vec<StageWork>, sender: &mpsc::Sender<StageWork>) {
        let mut place = Some(place);
        for work in works {
            match place.take() {
                Some(place) if !sender.is_closed() => place.send(work),
                Some(_) => give_back(&self.store, work).await,
                None => {
                    if let Err(mpsc::error::SendError(work)) = sender.send(work).await {
                        give_back(&self.store, work).await;
                    }
                }
            }
        }
    }

    async fn rest(&self, rest: Rest, changes: &mut broadcast::Receiver<Change>, slots: &mut watch::Receiver<()>) {
        match rest {
            Rest::For(pause) => tokio::time::sleep(pause).await,
            Rest::UntilChange => tokio::select! {
                () = tokio::time::sleep(self.slow_timer) => {}
                () = self.change(changes) => {}
            },
            Rest::UntilChangeOrSlot => tokio::select! {
                () = tokio::time::sleep(self.slow_timer) => {}
                () = self.change(changes) => {}
                _ = slots.changed() => {}
            },
        }
    }

    async fn change(&self, changes: &mut broadcast::Receiver<Change>) {
        loop {
            match changes.recv().await {
                Ok(Change::Job(_)) => {}
                Ok(Change::Queue(stage)) if stage != self.stage => {}
                Ok(_) | Err(broadcast::error::RecvError::Lagged(_)) => return,
                // Cannot happen while `self.store` lives; the slow timer remains.
                Err(broadcast::error::RecvError::Closed) => std::future::pending().await,
            }
        }
    }
}

/// Waits until others are taken.
async fn changed(models: &mut watch::Receiver<Vec<String>>) {
    if models.changed().await.is_err() {
        std::future::pending().await
    }
}

/// A stage that claims no more does not keep the other one waiting.
struct StopDraining(Slots, Stage);

impl Drop for StopDraining {
    fn drop(&mut self) {
        self.0.stop_draining(self.1);
    }
}
