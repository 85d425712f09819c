//! How many jobs a worker process runs at once, and which of them alone.
//!
//! A job that a worker was lost over (a suspect) runs when nothing else runs in the whole process, in
//! either stage: if it kills its worker again, it takes no other with it. So that busy neighbours cannot
//! keep a suspect waiting for ever, a stage that finds one at the head of its queue stops the process from
//! taking anything more until it is idle.

use super::Suspects;
use crate::Stage;

/// What runs in one worker process, and what it may take beside that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Occupancy {
    free_sampling: usize,
    free_decoding: usize,
    /// Slots taken for a claim, and jobs that have not ended.
    running: usize,
    /// One of them must be alone, or may find that it must.
    alone: bool,
    /// The stage that waits for the process to be idle, to run a suspect.
    draining_for: Option<Stage>,
    /// Nothing more is taken for the time being.
    paused: bool,
}

impl Occupancy {
    #[must_use]
    pub const fn new(sampling: usize, decoding: usize) -> Self {
        Self { free_sampling: sampling, free_decoding: decoding, running: 0, alone: false, draining_for: None, paused: false }
    }

    const fn free(&mut self, stage: Stage) -> &mut usize {
        match stage {
            Stage::Sampling => &mut self.free_sampling,
            Stage::Decoding => &mut self.free_decoding,
        }
    }

    /// Takes a slot, if there is one and nothing has to be alone, and says what the claim for it does with suspects.
    pub fn reserve(&mut self, stage: Stage) -> Option<Suspects> {
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
        Some(if idle { Suspects::Take } else { Suspects::Reserve })
    }

    /// A claim brought a job: unless it is a suspect, others may run beside it.
    pub const fn start(&mut self, suspect: bool) {
        self.alone &= suspect;
    }

    /// A job, or a claim that brought none, has ended; `alone`: nothing was to run beside it.
    pub const fn release(&mut self, stage: Stage, alone: bool) {
        *self.free(stage) += 1;
        self.running -= 1;
        self.alone &= !alone;
    }

    /// A suspect is next for `stage`: take nothing more until idle. The stage that asked first goes first.
    pub fn drain(&mut self, stage: Stage) {
        self.draining_for = self.draining_for.or(Some(stage));
    }

    pub fn stop_draining(&mut self, stage: Stage) {
        self.draining_for = self.draining_for.filter(|waiting| *waiting != stage);
    }

    #[must_use]
    pub fn is_draining(&self, stage: Stage) -> bool {
        self.draining_for == Some(stage)
    }

    /// Takes nothing more while `paused`; says whether it was.
    pub const fn pause(&mut self, paused: bool) -> bool {
        std::mem::replace(&mut self.paused, paused)
    }

    /// Jobs that run, and claims under way.
    #[must_use]
    pub const fn running(&self) -> usize {
        self.running
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Stage::{Decoding, Sampling};

    #[test]
    fn each_stage_has_its_own_slots() {
        let mut slots = Occupancy::new(2, 1);
        for stage in [Sampling, Sampling, Decoding] {
            assert!(slots.reserve(stage).is_some());
            slots.start(false);
        }
        assert_eq!((slots.reserve(Sampling), slots.reserve(Decoding)), (None, None));
        for stage in [Sampling, Sampling, Decoding] {
            slots.release(stage, false);
        }
        assert_eq!(slots, Occupancy::new(2, 1));
    }

    #[test]
    fn only_an_idle_process_may_claim_a_suspect_and_then_nothing_runs_beside_it() {
        let mut slots = Occupancy::new(4, 4);
        assert_eq!(slots.reserve(Sampling), Some(Suspects::Take));
        assert_eq!(slots.reserve(Decoding), None, "the claim may bring a suspect");
        slots.start(true);
        assert_eq!((slots.reserve(Decoding), slots.reserve(Sampling)), (None, None));
        slots.release(Sampling, true);
        assert_eq!(slots.reserve(Sampling), Some(Suspects::Take));
        slots.start(false);
        assert_eq!(slots.reserve(Decoding), Some(Suspects::Reserve));
    }

    #[test]
    fn a_claim_that_found_nothing_leaves_no_trace() {
        let mut slots = Occupancy::new(1, 1);
        assert!(slots.reserve(Sampling).is_some());
        slots.release(Sampling, true);
        assert_eq!(slots, Occupancy::new(1, 1));
    }

    #[test]
    fn a_waiting_suspect_stops_both_stages_until_its_turn() {
        let mut slots = Occupancy::new(2, 2);
        assert!(slots.reserve(Sampling).is_some());
        slots.start(false);
        slots.drain(Sampling);
        assert!(slots.is_draining(Sampling));
        assert_eq!((slots.reserve(Sampling), slots.reserve(Decoding)), (None, None));
        slots.release(Sampling, false);
        assert_eq!(slots.reserve(Decoding), None, "the stage that drained goes first");
        assert_eq!(slots.reserve(Sampling), Some(Suspects::Take));
        slots.release(Sampling, true);
        assert!(slots.reserve(Decoding).is_some(), "whatever it found, the drain is over");
    }

    #[test]
    fn a_paused_process_takes_nothing_until_it_goes_on() {
        let mut slots = Occupancy::new(1, 1);
        assert!(!slots.pause(true));
        assert_eq!(slots.reserve(Sampling), None);
        assert!(slots.pause(false));
        assert!(slots.reserve(Sampling).is_some());
    }
}
