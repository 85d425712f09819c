//! How many jobs a worker process runs at once, of which lanes, and which of them alone.
//!
//! Some slots of each stage are reserved for interactive jobs, the others for those of batches. What one lane does not need is lent to
//! the other. A batch job that samples on a reserved slot makes room between two steps when an interactive one comes: it is paused, with its
//! latents kept, until a slot is free again.
//!
//! A job that a worker was lost over (a suspect) runs when nothing else runs in the whole process, in
//! either stage: if it kills its worker again, it takes no other with it. So that busy neighbours cannot
//! keep a suspect waiting for ever, a stage that finds one at the head of its queue stops the process from
//! taking anything more until it is idle.

use super::{LaneOrder, StageSlots, Suspects};
use crate::{Stage, billing::Lane};

/// Of a lane without slots of its own every so many-th turn is the other lane's, where that wants it.
const TURNS_WITHOUT: u32 = 3;

/// What runs in one stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Taken {
    slots: StageSlots,
    interactive: usize,
    batch: usize,
    /// Slots taken for a claim.
    claims: usize,
    /// Interactive jobs begun since the last one of a batch.
    interactive_in_turn: u32,
}

impl Taken {
    const fn new(slots: StageSlots) -> Self {
        Self { slots, interactive: 0, batch: 0, claims: 0, interactive_in_turn: 0 }
    }

    const fn of(&mut self, lane: Lane) -> &mut usize {
        match lane {
            Lane::Interactive => &mut self.interactive,
            Lane::Batch => &mut self.batch,
        }
    }

    const fn running(&self) -> usize {
        self.jobs() + self.claims
    }

    const fn jobs(&self) -> usize {
        self.interactive + self.batch
    }

    const fn for_batch(&self) -> usize {
        self.slots.all() - self.slots.reserved()
    }

    /// `None`: there is no slot.
    const fn offer(&self, stage: Stage) -> Option<LaneOrder> {
        let needs_reserve = self.interactive < self.slots.reserved();
        let is_turn_of_batch = self.for_batch() == 0 && self.interactive_in_turn >= TURNS_WITHOUT;
        if self.running() >= self.slots.all() {
            let makes_room = matches!(stage, Stage::Sampling) && self.claims == 0 && self.batch > self.for_batch() && !is_turn_of_batch;
            return if makes_room && needs_reserve { Some(LaneOrder::InteractiveOnly) } else { None };
        }
        let is_for_batch = is_turn_of_batch || !needs_reserve && self.batch < self.for_batch();
        Some(if is_for_batch { LaneOrder::BatchFirst } else { LaneOrder::InteractiveFirst })
    }
}

/// What runs in one worker process, and what it may take beside that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Occupancy {
    sampling: Taken,
    decoding: Taken,
    /// One of them must be alone, or may find that it must.
    alone: bool,
    /// The stage and the lane for which the process becomes idle, to run a suspect.
    draining_for: Option<(Stage, Lane)>,
    /// Nothing more is taken for the time being.
    paused: bool,
}

impl Occupancy {
    #[must_use]
    pub const fn new(sampling: StageSlots, decoding: StageSlots) -> Self {
        Self { sampling: Taken::new(sampling), decoding: Taken::new(decoding), alone: false, draining_for: None, paused: false }
    }

    const fn taken(&mut self, stage: Stage) -> &mut Taken {
        match stage {
            Stage::Sampling => &mut self.sampling,
            Stage::Decoding => &mut self.decoding,
        }
    }

    /// Takes a slot, if there is one and nothing has to be alone, and says what the claim for it does with suspects, and with lanes.
    pub fn reserve(&mut self, stage: Stage) -> Option<(Suspects, LaneOrder)> {
        let idle = self.running() == 0;
        let may = match self.draining_for {
            Some((waiting, _)) => idle && waiting == stage,
            None => !self.alone,
        };
        if !may || self.paused {
            return None;
        }
        let lanes = match (self.taken(stage).offer(stage)?, self.draining_for) {
            (_, Some((_, Lane::Batch))) => LaneOrder::BatchFirst,
            (_, Some((_, Lane::Interactive))) => LaneOrder::InteractiveFirst,
            (lanes, None) => lanes,
        };
        self.taken(stage).claims += 1;
        self.alone = idle;
        self.draining_for = None;
        Some((if idle { Suspects::Take } else { Suspects::Reserve }, lanes))
    }

    /// Counts a job that runs already, and is no suspect, where the slots are told anew.
    pub const fn adopt(&mut self, stage: Stage, lane: Lane) {
        *self.taken(stage).of(lane) += 1;
    }

    /// A claim brought a job: unless it is a suspect, others may run beside it.
    pub const fn start(&mut self, stage: Stage, lane: Lane, suspect: bool) {
        let taken = self.taken(stage);
        taken.claims -= 1;
        *taken.of(lane) += 1;
        taken.interactive_in_turn = if matches!(lane, Lane::Interactive) { taken.interactive_in_turn.saturating_add(1) } else { 0 };
        self.alone &= suspect;
    }

    /// A claim that brought nothing (no `lane`), or a job, has ended; `alone`: nothing was to run beside it.
    pub const fn release(&mut self, stage: Stage, lane: Option<Lane>, alone: bool) {
        let taken = self.taken(stage);
        match lane {
            Some(lane) => *taken.of(lane) -= 1,
            None => taken.claims -= 1,
        }
        self.alone &= !alone;
    }

    /// How many batch jobs of a stage are paused.
    #[must_use]
    pub const fn paused_jobs(&self, stage: Stage) -> usize {
        let taken = match stage {
            Stage::Sampling => &self.sampling,
            Stage::Decoding => &self.decoding,
        };
        (taken.interactive + taken.batch).saturating_sub(taken.slots.all())
    }

    /// A suspect is next for `stage`: take nothing more until idle. The stage that asked first goes first.
    pub fn drain(&mut self, stage: Stage, lane: Lane) {
        self.draining_for = self.draining_for.or(Some((stage, lane)));
    }

    pub fn stop_draining(&mut self, stage: Stage) {
        self.draining_for = self.draining_for.filter(|(waiting, _)| *waiting != stage);
    }

    /// The lane of the suspect for which a stage becomes idle.
    #[must_use]
    pub fn draining_lane(&self, stage: Stage) -> Option<Lane> {
        self.draining_for.filter(|(waiting, _)| *waiting == stage).map(|(_, lane)| lane)
    }

    /// Takes nothing more while `paused`; says whether it was.
    pub const fn pause(&mut self, paused: bool) -> bool {
        std::mem::replace(&mut self.paused, paused)
    }

    /// Jobs that run, and claims under way.
    #[must_use]
    pub const fn running(&self) -> usize {
        self.sampling.running() + self.decoding.running()
    }

    /// Jobs that run.
    #[must_use]
    pub const fn jobs(&self) -> usize {
        self.sampling.jobs() + self.decoding.jobs()
    }
}

/// For each job that a worker has, it leaves those that come to workers that have fewer for so long, in milliseconds: a device that is idle
/// makes them sooner.
const LEFT_FOR_EACH_MS: u64 = 8;
const LEFT_FOR_AT_MOST_MS: u64 = 24;

/// How long a worker that has so many jobs leaves those that come to others, in milliseconds.
#[must_use]
pub const fn left_for_ms(jobs: usize) -> u64 {
    let ms = LEFT_FOR_EACH_MS.saturating_mul(jobs as u64);
    if ms < LEFT_FOR_AT_MOST_MS { ms } else { LEFT_FOR_AT_MOST_MS }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Lane::{Batch, Interactive};
    use Stage::{Decoding, Sampling};
    use proptest::prelude::*;

    fn of(sampling: usize, decoding: usize) -> Occupancy {
        Occupancy::new(sampling.into(), decoding.into())
    }

    fn suspects(slots: &mut Occupancy, stage: Stage) -> Option<Suspects> {
        slots.reserve(stage).map(|(suspects, _)| suspects)
    }

    fn lanes(slots: &mut Occupancy, stage: Stage) -> Option<LaneOrder> {
        slots.reserve(stage).map(|(_, lanes)| lanes)
    }

    fn begin(slots: &mut Occupancy, lane: Lane) -> Option<LaneOrder> {
        let lanes = lanes(slots, Sampling)?;
        slots.start(Sampling, lane, false);
        Some(lanes)
    }

    #[test]
    fn who_has_more_jobs_waits_longer_and_nobody_long() {
        assert_eq!([0, 1, 2, 3, 12, usize::MAX].map(left_for_ms), [0, 8, 16, 24, 24, 24]);
    }

    #[test]
    fn a_stage_without_slots_takes_nothing() {
        let mut sampler = of(4, 0);
        assert_eq!((sampler.reserve(Decoding), sampler.reserve(Sampling).is_some()), (None, true));
    }

    #[test]
    fn each_stage_has_its_own_slots() {
        let mut slots = of(2, 1);
        for stage in [Sampling, Sampling, Decoding] {
            assert!(slots.reserve(stage).is_some());
            slots.start(stage, Interactive, false);
        }
        assert_eq!((slots.reserve(Sampling), slots.reserve(Decoding)), (None, None));
        for stage in [Sampling, Sampling, Decoding] {
            slots.release(stage, Some(Interactive), false);
        }
        assert_eq!(slots.running(), 0);
    }

    #[test]
    fn the_reserve_is_lent_to_batches_and_taken_back() {
        let mut slots = Occupancy::new(StageSlots::new(4, 1), 1.into());
        let lent: Vec<_> = (0..4).map(|_| begin(&mut slots, Batch).unwrap()).collect();
        assert_eq!(lent, [LaneOrder::InteractiveFirst; 4]);
        assert_eq!((begin(&mut slots, Interactive), slots.paused_jobs(Sampling)), (Some(LaneOrder::InteractiveOnly), 1));
        assert_eq!(lanes(&mut slots, Sampling), None, "no more than the reserve is taken back");
        slots.release(Sampling, Some(Batch), false);
        assert_eq!((lanes(&mut slots, Sampling), slots.paused_jobs(Sampling)), (None, 0), "the paused one goes on");
        slots.release(Sampling, Some(Interactive), false);
        assert_eq!(lanes(&mut slots, Sampling), Some(LaneOrder::InteractiveFirst));
    }

    #[test]
    fn batches_have_the_slots_that_are_not_reserved_and_lend_them_too() {
        let mut slots = Occupancy::new(StageSlots::new(4, 1), 1.into());
        assert_eq!(begin(&mut slots, Interactive), Some(LaneOrder::InteractiveFirst));
        for _ in 0..3 {
            assert_eq!(begin(&mut slots, Interactive), Some(LaneOrder::BatchFirst), "where none of a batch waits");
        }
        assert_eq!(lanes(&mut slots, Sampling), None, "what is lent to interactive jobs is not interrupted");
        slots.release(Sampling, Some(Interactive), false);
        assert_eq!(lanes(&mut slots, Sampling), Some(LaneOrder::BatchFirst));
    }

    #[test]
    fn of_a_single_slot_a_batch_has_every_fourth_turn() {
        let mut slots = of(4, 1);
        let mut orders = Vec::new();
        for _ in 0..8 {
            let order = lanes(&mut slots, Decoding).unwrap();
            let lane = if order == LaneOrder::BatchFirst { Batch } else { Interactive };
            slots.start(Decoding, lane, false);
            slots.release(Decoding, Some(lane), false);
            orders.push(lane);
        }
        assert_eq!(orders, [Interactive, Interactive, Interactive, Batch, Interactive, Interactive, Interactive, Batch]);
        slots.start_of(Decoding, Batch);
        assert_eq!(lanes(&mut slots, Decoding), None, "a decode is not interrupted");
    }

    #[test]
    fn a_batch_job_on_the_only_slot_makes_room_three_times_and_is_then_made() {
        let mut slots = of(1, 1);
        assert!(begin(&mut slots, Batch).is_some());
        for _ in 0..3 {
            assert_eq!(begin(&mut slots, Interactive), Some(LaneOrder::InteractiveOnly));
            slots.release(Sampling, Some(Interactive), false);
        }
        assert_eq!(lanes(&mut slots, Sampling), None);
        slots.release(Sampling, Some(Batch), false);
        assert_eq!(lanes(&mut slots, Sampling), Some(LaneOrder::BatchFirst));
    }

    #[test]
    fn only_an_idle_process_may_claim_a_suspect_and_then_nothing_runs_beside_it() {
        let mut slots = of(4, 4);
        assert_eq!(suspects(&mut slots, Sampling), Some(Suspects::Take));
        assert_eq!(slots.reserve(Decoding), None, "the claim may bring a suspect");
        slots.start(Sampling, Batch, true);
        assert_eq!((slots.reserve(Decoding), slots.reserve(Sampling)), (None, None));
        slots.release(Sampling, Some(Batch), true);
        assert_eq!(suspects(&mut slots, Sampling), Some(Suspects::Take));
        slots.start(Sampling, Batch, false);
        assert_eq!(suspects(&mut slots, Decoding), Some(Suspects::Reserve));
    }

    #[test]
    fn a_claim_that_found_nothing_leaves_no_trace() {
        let mut slots = of(1, 1);
        assert!(slots.reserve(Sampling).is_some());
        slots.release(Sampling, None, true);
        assert_eq!(slots, of(1, 1));
    }

    #[test]
    fn a_waiting_suspect_stops_both_stages_until_its_turn() {
        let mut slots = of(2, 2);
        assert!(slots.reserve(Sampling).is_some());
        slots.start(Sampling, Interactive, false);
        slots.drain(Sampling, Interactive);
        assert_eq!(slots.draining_lane(Sampling), Some(Interactive));
        assert_eq!((slots.reserve(Sampling), slots.reserve(Decoding)), (None, None));
        slots.release(Sampling, Some(Interactive), false);
        assert_eq!(slots.reserve(Decoding), None, "the stage that drained goes first");
        assert_eq!(suspects(&mut slots, Sampling), Some(Suspects::Take));
        slots.release(Sampling, None, true);
        assert!(slots.reserve(Decoding).is_some(), "whatever it found, the drain is over");
    }

    #[test]
    fn who_becomes_idle_for_a_suspect_of_a_batch_takes_that_first() {
        let mut slots = of(4, 1);
        slots.start_of(Sampling, Interactive);
        slots.drain(Sampling, Batch);
        slots.release(Sampling, Some(Interactive), false);
        assert_eq!(slots.reserve(Sampling), Some((Suspects::Take, LaneOrder::BatchFirst)));
    }

    #[test]
    fn a_paused_process_takes_nothing_until_it_goes_on() {
        let mut slots = of(1, 1);
        assert!(!slots.pause(true));
        assert_eq!(slots.reserve(Sampling), None);
        assert!(slots.pause(false));
        assert!(slots.reserve(Sampling).is_some());
    }

    impl Occupancy {
        fn start_of(&mut self, stage: Stage, lane: Lane) {
            assert!(self.reserve(stage).is_some());
            self.start(stage, lane, false);
        }
    }

    proptest! {
        /// Whatever comes and goes: no more work than there are slots, no interactive job is paused, and no slot is idle that somebody wants.
        #[test]
        fn slots_are_never_exceeded_nor_idle(all in 1_usize..9, reserved in 0_usize..9, moves in prop::collection::vec((any::<bool>(), any::<bool>()), 1..100)) {
            let mut slots = Occupancy::new(StageSlots::new(all, reserved), 1.into());
            let mut running: Vec<Lane> = Vec::new();
            for (comes, is_interactive) in moves {
                let lane = if is_interactive { Interactive } else { Batch };
                if comes {
                    match slots.reserve(Sampling) {
                        Some((_, order)) if order.lanes().contains(&lane) => {
                            slots.start(Sampling, lane, false);
                            running.push(lane);
                        }
                        Some(_) => slots.release(Sampling, None, false),
                        None => prop_assert!(running.len() >= all, "a slot is idle"),
                    }
                } else if let Some(at) = running.iter().position(|of| *of == lane) {
                    running.remove(at);
                    slots.release(Sampling, Some(lane), false);
                }
                let batch = running.iter().filter(|lane| **lane == Batch).count();
                prop_assert!(slots.paused_jobs(Sampling) <= batch.min(reserved.clamp(1, all)));
                prop_assert_eq!(running.len() - slots.paused_jobs(Sampling), running.len().min(all));
            }
        }
    }
}
