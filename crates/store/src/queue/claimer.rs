//! The loop that claims jobs for one stage of a worker process, one for each slot that is free.

use super::{Company, Reservation, Slots, StageWork, claim};
use crate::{Change, Store, StoreError};
use domain::{Stage, WorkerId};
use sea_orm::DbErr;
use std::time::Duration;
use tokio::{
    sync::{broadcast, mpsc},
    time::timeout,
};
use tokio_util::sync::CancellationToken;

const PAUSE_MIN: Duration = Duration::from_millis(100);
const PAUSE_MAX: Duration = Duration::from_secs(5);

pub(super) struct Claimer {
    pub store: Store,
    pub stage: Stage,
    pub worker: WorkerId,
    pub models: Vec<String>,
    pub lease_ms: i64,
    pub slots: Slots,
    pub shutdown: CancellationToken,
    pub slow_timer: Duration,
}

enum Outcome {
    Job(Box<StageWork>),
    Nothing,
    /// A suspect is next and others run: wait until they are done.
    Drained,
}

enum Rest {
    UntilChange,
    For(Duration),
}

impl Claimer {
    /// Feeds `sender` until shutdown, or until nobody receives any more.
    pub async fn run(self, sender: mpsc::Sender<StageWork>) {
        let mut changes = self.store.signals().subscribe();
        let mut pause = PAUSE_MIN;
        loop {
            // A claim is not broken off for these, as a committed one would be lost until its lease ends.
            let reserved = tokio::select! {
                biased;
                () = self.shutdown.cancelled() => return,
                () = sender.closed() => return,
                () = self.drained_elsewhere() => continue,
                reserved = self.reserve(&sender) => reserved,
            };
            let Some((place, reservation)) = reserved else { return };
            // A lease that comes later than it lasts is worthless.
            let lease = Duration::from_millis(self.lease_ms.unsigned_abs());
            let claimed = timeout(lease, self.claim(reservation))
                .await
                .unwrap_or_else(|_| Err(DbErr::Custom("no answer within the length of a lease".into()).into()));
            let (rest, next_pause) = match claimed {
                Ok(Outcome::Job(work)) => {
                    self.deliver(place, *work, &sender).await;
                    (None, PAUSE_MIN)
                }
                Ok(Outcome::Drained) => (None, PAUSE_MIN),
                Ok(Outcome::Nothing) => (Some(Rest::UntilChange), PAUSE_MIN),
                Err(error) => {
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
                () = self.rest(rest, &mut changes) => {}
            }
        }
    }

    /// Another process may take the suspect that this one is being drained for: then it need not be idle.
    async fn drained_elsewhere(&self) {
        loop {
            tokio::time::sleep(self.slow_timer).await;
            if self.slots.is_draining(self.stage) && !matches!(self.next_is_suspect().await, Ok(Some(true)) | Err(_)) {
                self.slots.stop_draining(self.stage);
                return;
            }
        }
    }

    async fn next_is_suspect(&self) -> Result<Option<bool>, StoreError> {
        claim::next_is_suspect(&self.store, self.stage, &self.models()).await
    }

    fn models(&self) -> Vec<&str> {
        self.models.iter().map(String::as_str).collect()
    }

    /// A place in the channel first, then a slot: what is claimed can always be delivered.
    async fn reserve<'s>(&self, sender: &'s mpsc::Sender<StageWork>) -> Option<(mpsc::Permit<'s, StageWork>, Reservation)> {
        let place = sender.reserve().await.ok()?;
        Some((place, self.slots.reserve(self.stage).await))
    }

    async fn claim(&self, reservation: Reservation) -> Result<Outcome, StoreError> {
        let (models, company) = (self.models(), reservation.company);
        match self.next_is_suspect().await? {
            None => return Ok(Outcome::Nothing),
            Some(true) if company == Company::Unsuspected => {
                self.slots.drain(self.stage);
                return Ok(Outcome::Drained);
            }
            Some(_) => {}
        }
        let claimed = claim::claim(&self.store, self.stage, self.worker, &models, self.lease_ms, company).await?;
        Ok(claimed.map_or(Outcome::Nothing, |claimed| {
            let permit = reservation.start(claimed.job.lifecycle.suspect);
            Outcome::Job(Box::new(StageWork { claimed, permit }))
        }))
    }

    /// Hands the job to apalis; when it has stopped meanwhile, the job goes back unharmed.
    async fn deliver(&self, place: mpsc::Permit<'_, StageWork>, work: StageWork, sender: &mpsc::Sender<StageWork>) {
        if sender.is_closed() {
            give_back(&self.store, work).await;
        } else {
            place.send(work);
        }
    }

    async fn rest(&self, rest: Rest, changes: &mut broadcast::Receiver<Change>) {
        match rest {
            Rest::For(pause) => tokio::time::sleep(pause).await,
            Rest::UntilChange => tokio::select! {
                () = tokio::time::sleep(self.slow_timer) => {}
                () = self.change(changes) => {}
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

impl Drop for Claimer {
    /// A stage that claims no more does not keep the other one waiting.
    fn drop(&mut self) {
        self.slots.stop_draining(self.stage);
    }
}

pub(super) async fn give_back(store: &Store, work: StageWork) {
    if let Err(error) = store.queue().give_back(&work.claimed.token).await {
        tracing::warn!(job.id = %work.claimed.token.job, error = &error as &dyn std::error::Error, "cannot give a job back; its lease will run out");
    }
}
