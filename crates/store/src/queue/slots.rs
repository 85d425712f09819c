//! The slots of a worker process, and the waiting for one; who may have it is decided by [`Occupancy`].

use domain::{
    Stage,
    scheduling::{Occupancy, Suspects},
};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// The slots of one worker process, shared by its stages. Cheap to clone.
#[derive(Clone)]
pub struct Slots {
    shared: Arc<Shared>,
}

struct Shared {
    occupancy: Mutex<Occupancy>,
    changed: Notify,
}

impl Slots {
    #[must_use]
    pub fn new(sampling: usize, decoding: usize) -> Self {
        let occupancy = Mutex::new(Occupancy::new(sampling, decoding));
        Self { shared: Arc::new(Shared { occupancy, changed: Notify::new() }) }
    }

    /// Waits for a slot.
    pub async fn reserve(&self, stage: Stage) -> Reservation {
        loop {
            let changed = self.shared.changed.notified();
            tokio::pin!(changed);
            changed.as_mut().enable();
            if let Some(reservation) = self.try_reserve(stage) {
                return reservation;
            }
            changed.await;
        }
    }

    /// A slot, if one is to be had now.
    #[must_use]
    pub fn try_reserve(&self, stage: Stage) -> Option<Reservation> {
        let suspects = self.occupancy().reserve(stage)?;
        let permit = Permit { slots: self.clone(), stage, alone: suspects == Suspects::Take };
        Some(Reservation { suspects, permit })
    }

    /// A suspect is next for `stage`.
    pub fn drain(&self, stage: Stage) {
        self.occupancy().drain(stage);
    }

    #[must_use]
    pub fn is_draining(&self, stage: Stage) -> bool {
        self.occupancy().is_draining(stage)
    }

    /// The stage claims no more, or its suspect is somebody else's.
    pub fn stop_draining(&self, stage: Stage) {
        self.occupancy().stop_draining(stage);
        self.shared.changed.notify_waiters();
    }

    /// Takes nothing more while `paused`.
    pub fn pause(&self, paused: bool) {
        if self.occupancy().pause(paused) && !paused {
            self.shared.changed.notify_waiters();
        }
    }

    /// Jobs that run, and claims under way.
    #[must_use]
    pub fn running(&self) -> usize {
        self.occupancy().running()
    }

    /// No method leaves the numbers half changed, so a panic elsewhere does not spoil them.
    fn occupancy(&self) -> MutexGuard<'_, Occupancy> {
        self.shared.occupancy.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A slot taken for a claim; dropped, it is free again.
pub struct Reservation {
    /// What the claim does with them.
    pub suspects: Suspects,
    permit: Permit,
}

impl Reservation {
    /// The claim brought a job. Keep the permit for as long as the job runs.
    #[must_use]
    pub fn start(mut self, suspect: bool) -> Permit {
        self.permit.slots.occupancy().start(suspect);
        self.permit.alone &= suspect;
        self.permit.slots.shared.changed.notify_waiters();
        self.permit
    }
}

/// A running job's slot; dropped, it is free again.
pub struct Permit {
    slots: Slots,
    stage: Stage,
    alone: bool,
}

impl Permit {
    /// Whether the job runs alone in its process.
    #[must_use]
    pub const fn is_alone(&self) -> bool {
        self.alone
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.slots.occupancy().release(self.stage, self.alone);
        self.slots.shared.changed.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Stage::{Decoding, Sampling};
    use std::time::Duration;

    #[test]
    fn a_permit_or_a_reservation_that_is_dropped_frees_its_slot() {
        let slots = Slots::new(1, 1);
        drop(slots.try_reserve(Sampling).unwrap());
        let suspect = slots.try_reserve(Sampling).unwrap().start(true);
        assert!(suspect.is_alone() && slots.try_reserve(Decoding).is_none());
        drop(suspect);
        let ordinary = slots.try_reserve(Sampling).unwrap().start(false);
        assert!(!ordinary.is_alone());
        assert_eq!(slots.try_reserve(Decoding).unwrap().suspects, Suspects::Reserve);
        assert_eq!(slots.running(), 1);
    }

    #[tokio::test]
    async fn who_waits_is_woken_when_a_paused_process_goes_on() {
        let slots = Slots::new(1, 1);
        slots.pause(true);
        let waiting = slots.reserve(Sampling);
        let going_on = async { slots.pause(false) };
        let (reservation, ()) = tokio::join!(waiting, going_on);
        assert_eq!(reservation.suspects, Suspects::Take);
    }

    #[tokio::test]
    async fn who_waits_for_a_slot_is_woken_by_the_one_that_is_freed() {
        let slots = Slots::new(1, 0);
        let running = slots.reserve(Sampling).await.start(false);
        let waiting = tokio::spawn({
            let slots = slots.clone();
            async move { slots.reserve(Sampling).await.suspects }
        });
        tokio::task::yield_now().await;
        drop(running);
        assert_eq!(tokio::time::timeout(Duration::from_secs(5), waiting).await.unwrap().unwrap(), Suspects::Take);
    }
}
