//! The slots of a worker process, and the waiting for one; who may have it is decided by [`Occupancy`].

use domain::{
    Stage,
    billing::Lane,
    scheduling::{LaneOrder, Occupancy, StageSlots, Suspects},
};
use std::sync::{
    Arc, Mutex, MutexGuard, PoisonError,
    atomic::{AtomicBool, Ordering},
};
use tokio::sync::watch;

/// The slots of one worker process, shared by its stages. Cheap to clone.
#[derive(Clone)]
pub struct Slots {
    shared: Arc<Shared>,
}

struct Shared {
    state: Mutex<State>,
    changed: watch::Sender<()>,
    /// Only where a job has ended.
    freed: watch::Sender<()>,
}

struct State {
    occupancy: Occupancy,
    /// Whether they are paused, of the batch jobs that sample: the newest are.
    batch: Vec<Arc<AtomicBool>>,
}

impl State {
    fn pause_newest(&self) {
        let paused = self.occupancy.paused_jobs(Stage::Sampling);
        for (newest, is_paused) in self.batch.iter().rev().enumerate() {
            is_paused.store(newest < paused, Ordering::Release);
        }
    }
}

impl Slots {
    #[must_use]
    pub fn new(sampling: impl Into<StageSlots>, decoding: impl Into<StageSlots>) -> Self {
        let occupancy = Occupancy::new(sampling.into(), decoding.into());
        let state = Mutex::new(State { occupancy, batch: Vec::new() });
        Self { shared: Arc::new(Shared { state, changed: watch::Sender::new(()), freed: watch::Sender::new(()) }) }
    }

    /// Waits for a slot.
    pub async fn reserve(&self, stage: Stage) -> Reservation {
        let mut changes = self.shared.changed.subscribe();
        loop {
            changes.mark_unchanged();
            if let Some(reservation) = self.try_reserve(stage) {
                return reservation;
            }
            // Its sender lives as long as `self`.
            let _ = changes.changed().await;
        }
    }

    /// Tells whenever a job has ended. A claim that brought nothing is none.
    #[must_use]
    pub fn freed(&self) -> watch::Receiver<()> {
        self.shared.freed.subscribe()
    }

    /// A slot, if one is to be had now.
    #[must_use]
    pub fn try_reserve(&self, stage: Stage) -> Option<Reservation> {
        let (suspects, lanes) = self.state().occupancy.reserve(stage)?;
        let permit = Permit { slots: self.clone(), stage, lane: None, alone: suspects == Suspects::Take, paused: Arc::default() };
        Some(Reservation { suspects, lanes, permit })
    }

    /// Another slot for the claim that has `reservations`, if there is one to be had for it now; none for a suspect.
    pub(super) fn reserve_beside(&self, stage: Stage, reservations: &[Reservation]) -> Option<Reservation> {
        let first = reservations.first()?;
        if !self.state().occupancy.reserve_beside(stage, (first.lanes, reservations.len())) {
            return None;
        }
        let permit = Permit { slots: self.clone(), stage, lane: None, alone: false, paused: Arc::default() };
        Some(Reservation { suspects: first.suspects, lanes: first.lanes, permit })
    }

    /// A suspect is next for `stage`.
    pub fn drain(&self, stage: Stage, lane: Lane) {
        self.state().occupancy.drain(stage, lane);
    }

    /// The lane of the suspect for which `stage` becomes idle.
    #[must_use]
    pub fn draining_lane(&self, stage: Stage) -> Option<Lane> {
        self.state().occupancy.draining_lane(stage)
    }

    /// The stage claims no more, or its suspect is somebody else's.
    pub fn stop_draining(&self, stage: Stage) {
        self.state().occupancy.stop_draining(stage);
        self.tell();
    }

    /// Takes nothing more while `paused`.
    pub fn pause(&self, paused: bool) {
        let was_paused = self.state().occupancy.pause(paused);
        if was_paused && !paused {
            self.tell();
        }
    }

    /// Jobs that run, and claims under way.
    #[must_use]
    pub fn running(&self) -> usize {
        self.state().occupancy.running()
    }

    /// Jobs that run.
    #[must_use]
    pub fn jobs(&self) -> usize {
        self.state().occupancy.jobs()
    }

    fn tell(&self) {
        self.shared.changed.send_replace(());
    }

    /// No method leaves the numbers half changed, so a panic elsewhere does not spoil them.
    fn state(&self) -> MutexGuard<'_, State> {
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A slot taken for a claim; dropped, it is free again.
pub struct Reservation {
    /// What the claim does with them.
    pub suspects: Suspects,
    /// From which lanes it takes.
    pub lanes: LaneOrder,
    permit: Permit,
}

impl Reservation {
    /// The claim brought a job. Keep the permit for as long as the job runs.
    #[must_use]
    pub fn start(mut self, lane: Lane, suspect: bool) -> Permit {
        let permit = &mut self.permit;
        let mut state = permit.slots.state();
        state.occupancy.start(permit.stage, lane, suspect);
        if (permit.stage, lane) == (Stage::Sampling, Lane::Batch) {
            state.batch.push(Arc::clone(&permit.paused));
        }
        state.pause_newest();
        drop(state);
        permit.lane = Some(lane);
        permit.alone &= suspect;
        permit.slots.tell();
        self.permit
    }
}

/// A running job's slot; dropped, it is free again.
pub struct Permit {
    slots: Slots,
    stage: Stage,
    /// `None`: of a claim.
    lane: Option<Lane>,
    alone: bool,
    paused: Arc<AtomicBool>,
}

impl Permit {
    /// Whether the job runs alone in its process.
    #[must_use]
    pub const fn is_alone(&self) -> bool {
        self.alone
    }

    /// Whether the job makes room for an interactive one between two steps.
    #[must_use]
    pub fn is_paused(&self) -> bool {
        self.paused.load(Ordering::Acquire)
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut state = self.slots.state();
        state.occupancy.release(self.stage, self.lane, self.alone);
        state.batch.retain(|paused| !Arc::ptr_eq(paused, &self.paused));
        state.pause_newest();
        drop(state);
        if self.lane.is_some() {
            self.slots.shared.freed.send_replace(());
        }
        self.slots.tell();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Lane::{Batch, Interactive};
    use Stage::{Decoding, Sampling};
    use std::time::Duration;

    #[test]
    fn a_permit_or_a_reservation_that_is_dropped_frees_its_slot() {
        let slots = Slots::new(1, 1);
        drop(slots.try_reserve(Sampling).unwrap());
        let suspect = slots.try_reserve(Sampling).unwrap().start(Interactive, true);
        assert!(suspect.is_alone() && slots.try_reserve(Decoding).is_none());
        drop(suspect);
        let ordinary = slots.try_reserve(Sampling).unwrap().start(Interactive, false);
        assert!(!ordinary.is_alone());
        assert_eq!(slots.try_reserve(Decoding).unwrap().suspects, Suspects::Reserve);
        assert_eq!(slots.running(), 1);
    }

    #[test]
    fn the_newest_batch_job_is_paused_for_an_interactive_one_and_goes_on_when_a_slot_is_free() {
        let slots = Slots::new(StageSlots::new(2, 1), 1);
        let older = slots.try_reserve(Sampling).unwrap().start(Batch, false);
        let newer = slots.try_reserve(Sampling).unwrap().start(Batch, false);
        let reservation = slots.try_reserve(Sampling).unwrap();
        assert_eq!((reservation.lanes, newer.is_paused()), (LaneOrder::InteractiveOnly, false));
        let interactive = reservation.start(Interactive, false);
        assert_eq!([&older, &newer, &interactive].map(Permit::is_paused), [false, true, false]);
        drop(older);
        assert!(!newer.is_paused());
        assert!(slots.try_reserve(Sampling).is_none());
        drop(interactive);
        assert!(slots.try_reserve(Sampling).is_some());
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
        let running = slots.reserve(Sampling).await.start(Interactive, false);
        let waiting = tokio::spawn({
            let slots = slots.clone();
            async move { slots.reserve(Sampling).await.suspects }
        });
        tokio::task::yield_now().await;
        drop(running);
        assert_eq!(tokio::time::timeout(Duration::from_secs(5), waiting).await.unwrap().unwrap(), Suspects::Take);
    }
}
