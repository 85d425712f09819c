//! How many jobs a worker process runs at once, and which of them alone.
//!
//! A job that a worker was lost over (a suspect) runs when nothing else runs in the whole process, in
//! either stage: if it kills its worker again, it takes no other with it. So that busy neighbours cannot
//! keep a suspect waiting for ever, a stage that finds one at the head of its queue stops the process from
//! taking anything more until it is idle.

use super::Company;
use domain::Stage;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// The rule, free of waiting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Occupancy {
    free_sampling: usize,
    free_decoding: usize,
    /// Reservations and jobs that have not ended.
    running: usize,
    /// One of them must be alone, or may find that it must.
    alone: bool,
    /// The stage that waits for the process to be idle, to run a suspect.
    draining_for: Option<Stage>,
    /// Nothing more is taken for the time being.
    paused: bool,
}

impl Occupancy {
    const fn free(&mut self, stage: Stage) -> &mut usize {
        match stage {
            Stage::Sampling => &mut self.free_sampling,
            Stage::Decoding => &mut self.free_decoding,
        }
    }

    /// Takes a slot, if there is one and nothing has to be alone, and says what may be claimed for it.
    fn reserve(&mut self, stage: Stage) -> Option<Company> {
        let idle = self.running == 0;
        let may = match self.draining_for {
            Some(waiting) => idle && waiting == stage,
            None => !self.alone,
        };
        if !may || self.paused || *self.free(stage) == 0 {
            return None;
        }
        *self.free(stage) -= 1;
        self.running += 1;
        self.alone = idle;
        self.draining_for = None;
        Some(if idle { Company::Any } else { Company::Unsuspected })
    }

    /// A claim brought a job: unless it is a suspect, others may run beside it.
    fn start(&mut self, suspect: bool) {
        self.alone &= suspect;
    }

    /// A reservation or a job has ended.
    fn release(&mut self, stage: Stage, alone: bool) {
        *self.free(stage) += 1;
        self.running -= 1;
        self.alone &= !alone;
    }

    /// A suspect is next for `stage`: take nothing more until idle. The stage that asked first goes first.
    fn drain(&mut self, stage: Stage) {
        self.draining_for = self.draining_for.or(Some(stage));
    }

    fn stop_draining(&mut self, stage: Stage) {
        self.draining_for = self.draining_for.filter(|waiting| *waiting != stage);
    }
}

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
        let occupancy =
            Occupancy { free_sampling: sampling, free_decoding: decoding, running: 0, alone: false, draining_for: None, paused: false };
        Self { shared: Arc::new(Shared { occupancy: Mutex::new(occupancy), changed: Notify::new() }) }
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
        let company = self.occupancy().reserve(stage)?;
        let permit = Permit { slots: self.clone(), stage, alone: company == Company::Any };
        Some(Reservation { company, permit })
    }

    /// A suspect is next for `stage`.
    pub fn drain(&self, stage: Stage) {
        self.occupancy().drain(stage);
    }

    #[must_use]
    pub fn is_draining(&self, stage: Stage) -> bool {
        self.occupancy().draining_for == Some(stage)
    }

    /// The stage claims no more, or its suspect is somebody else's.
    pub fn stop_draining(&self, stage: Stage) {
        self.occupancy().stop_draining(stage);
        self.shared.changed.notify_waiters();
    }

    /// Takes nothing more while `paused`.
    pub fn pause(&self, paused: bool) {
        if std::mem::replace(&mut self.occupancy().paused, paused) && !paused {
            self.shared.changed.notify_waiters();
        }
    }

    /// Jobs that run, and claims under way.
    #[must_use]
    pub fn running(&self) -> usize {
        self.occupancy().running
    }

    /// No method leaves the numbers half changed, so a panic elsewhere does not spoil them.
    fn occupancy(&self) -> MutexGuard<'_, Occupancy> {
        self.shared.occupancy.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A slot taken for a claim; dropped, it is free again.
pub struct Reservation {
    /// What the claim may take.
    pub company: Company,
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
    fn each_stage_has_its_own_slots() {
        let slots = Slots::new(2, 1);
        let running: Vec<_> =
            [Sampling, Sampling, Decoding].into_iter().map(|stage| slots.try_reserve(stage).unwrap().start(false)).collect();
        assert!(slots.try_reserve(Sampling).is_none() && slots.try_reserve(Decoding).is_none());
        drop(running);
        assert_eq!(slots.running(), 0);
        assert!(slots.try_reserve(Decoding).is_some());
    }

    #[test]
    fn only_an_idle_process_may_claim_a_suspect_and_then_nothing_runs_beside_it() {
        let slots = Slots::new(4, 4);
        let reservation = slots.try_reserve(Sampling).unwrap();
        assert_eq!(reservation.company, Company::Any);
        assert!(slots.try_reserve(Decoding).is_none(), "the claim may bring a suspect");
        let suspect = reservation.start(true);
        assert!(slots.try_reserve(Decoding).is_none() && slots.try_reserve(Sampling).is_none());
        drop(suspect);
        let ordinary = slots.try_reserve(Sampling).unwrap().start(false);
        assert_eq!(slots.try_reserve(Decoding).unwrap().company, Company::Unsuspected);
        drop(ordinary);
    }

    #[tokio::test]
    async fn a_paused_process_takes_nothing_until_it_goes_on() {
        let slots = Slots::new(1, 1);
        slots.pause(true);
        assert!(slots.try_reserve(Sampling).is_none());
        let waiting = slots.reserve(Sampling);
        let going_on = async { slots.pause(false) };
        let (reservation, ()) = tokio::join!(waiting, going_on);
        assert_eq!(reservation.company, Company::Any);
    }

    #[test]
    fn a_claim_that_found_nothing_leaves_no_trace() {
        let slots = Slots::new(1, 1);
        drop(slots.try_reserve(Sampling).unwrap());
        assert_eq!(slots.try_reserve(Decoding).unwrap().company, Company::Any);
    }

    #[test]
    fn a_waiting_suspect_stops_both_stages_until_its_turn() {
        let slots = Slots::new(2, 2);
        let running = slots.try_reserve(Sampling).unwrap().start(false);
        slots.drain(Sampling);
        assert!(slots.try_reserve(Sampling).is_none() && slots.try_reserve(Decoding).is_none());
        drop(running);
        assert!(slots.try_reserve(Decoding).is_none(), "the stage that drained goes first");
        assert_eq!(slots.try_reserve(Sampling).unwrap().company, Company::Any);
        assert!(slots.try_reserve(Decoding).is_some(), "whatever it found, the drain is over");
    }

    #[tokio::test]
    async fn who_waits_for_a_slot_is_woken_by_the_one_that_is_freed() {
        let slots = Slots::new(1, 0);
        let running = slots.reserve(Sampling).await.start(false);
        let waiting = tokio::spawn({
            let slots = slots.clone();
            async move { slots.reserve(Sampling).await.company }
        });
        tokio::task::yield_now().await;
        drop(running);
        assert_eq!(tokio::time::timeout(Duration::from_secs(5), waiting).await.unwrap().unwrap(), Company::Any);
    }
}
