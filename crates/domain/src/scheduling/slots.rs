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

    /// A claim brought a job.
    const fn start(&mut self, lane: Lane) {
        self.claims -= 1;
        *self.of(lane) += 1;
        self.interactive_in_turn = if matches!(lane, Lane::Interactive) { self.interactive_in_turn.saturating_add(1) } else { 0 };
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

    /// Takes another slot for the same claim, which has `claims` so far, as long as it would do the same with `lanes` once each of those has
    /// brought a job of the lane that it prefers. A suspect is not for it.
    pub fn reserve_beside(&mut self, stage: Stage, (lanes, claims): (LaneOrder, usize)) -> bool {
        let (Some(preferred), LaneOrder::InteractiveFirst | LaneOrder::BatchFirst) = (lanes.lanes().first(), lanes) else { return false };
        let mut then = *self.taken(stage);
        for _ in 0..claims {
            then.start(*preferred);
        }
        if self.paused || self.draining_for.is_some() || then.offer(stage) != Some(lanes) {
            return false;
        }
        self.taken(stage).claims += 1;
        true
    }

    /// Counts a job that runs already, and is no suspect, where the slots are told anew.
    pub const fn adopt(&mut self, stage: Stage, lane: Lane) {
        *self.taken(stage).of(lane) += 1;
    }

    /// A claim brought a job: unless it is a suspect, others may run beside it.
    pub const fn start(&mut self, stage: Stage, lane: Lane, suspect: bool) {
        self.taken(stage).start(lane);
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

    /// Takes nothing more while `paused`; says whether it was. It becomes idle for no suspect meanwhile: nobody knows when that would be, and others
    /// can.
    pub const fn pause(&mut self, paused: bool) -> bool {
        if paused {
            self.draining_for = None;
        }
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

/// How many jobs a worker takes at once that has `free` slots, where so many wait and so many `workers` take them: no more than each of them
/// could, so that what waits is spread over all.
#[must_use]
pub const fn claimed_at_once(free: usize, waiting: usize, workers: usize) -> usize {
    let each = if workers > 1 { waiting / workers } else { waiting };
    let most = if each < free { each } else { free };
    if most > 1 { most } else { 1 }
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
mod tests;
