//! What a worker process may take beside what it runs.

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
fn a_worker_takes_no_more_at_once_than_each_of_the_fleet_could() {
    assert_eq!(
        [(8, 100, 1), (8, 3, 1), (8, 0, 0), (1, 100, 1)].map(|(free, waiting, of)| claimed_at_once(free, waiting, of)),
        [8, 3, 1, 1]
    );
    assert_eq!([(8, 128, 16), (8, 32, 16), (8, 15, 16)].map(|(free, waiting, of)| claimed_at_once(free, waiting, of)), [8, 2, 1]);
}

#[test]
fn a_claim_of_several_takes_as_many_of_a_lane_as_claims_one_by_one_would() {
    // Two of four are for interactive jobs: with two of these the next claim looks at batches first.
    let mut slots = Occupancy::new(StageSlots::new(4, 2), 1.into());
    let (suspects, lanes) = slots.reserve(Sampling).unwrap();
    assert_eq!((suspects, lanes), (Suspects::Take, LaneOrder::InteractiveFirst));
    assert!(slots.reserve_beside(Sampling, (lanes, 1)));
    assert!(!slots.reserve_beside(Sampling, (lanes, 2)));
    for _ in 0..2 {
        slots.start(Sampling, Interactive, false);
    }
    let (_, lanes) = slots.reserve(Sampling).unwrap();
    assert_eq!(lanes, LaneOrder::BatchFirst);
    assert!(slots.reserve_beside(Sampling, (lanes, 1)));
    assert!(!slots.reserve_beside(Sampling, (lanes, 2)));
}

#[test]
fn nothing_runs_beside_a_suspect_that_a_claim_of_several_brought() {
    let mut slots = of(4, 1);
    let (_, lanes) = slots.reserve(Sampling).unwrap();
    assert!(slots.reserve_beside(Sampling, (lanes, 1)));
    slots.start(Sampling, Interactive, true);
    slots.release(Sampling, None, false);
    assert_eq!((slots.reserve(Sampling), slots.reserve(Decoding)), (None, None));
    slots.release(Sampling, Some(Interactive), true);
    assert!(slots.reserve(Decoding).is_some());
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

#[test]
fn a_process_that_is_paused_keeps_no_suspect_for_itself() {
    let mut slots = of(2, 1);
    assert!(begin(&mut slots, Interactive).is_some());
    slots.drain(Sampling, Batch);
    assert!(!slots.pause(true));
    assert_eq!(slots.draining_lane(Sampling), None);
    assert!(slots.pause(false));
    assert_eq!(suspects(&mut slots, Sampling), Some(Suspects::Reserve), "it looks at what is next anew");
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
