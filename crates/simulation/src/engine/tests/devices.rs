//! How a device is shared, and how lanes share the slots of a worker.

use super::*;

#[test]
fn one_job_takes_what_its_stages_take() {
    let history = History::of(&mut alone(worker(1, 1)), &[at(100.0, job(1))]);
    assert_eq!((history.when(1, Event::Sampled), history.when(1, Event::Ended)), (1100.0, 1600.0));
}

#[test]
fn overhead_keeps_the_slot_and_not_the_device() {
    let overhead_ms = StageMs { sampling: 30.0, decoding: 70.0 };
    let mut engine = alone(worker(1, 1));
    let history = History::of(&mut engine, &[at(0.0, Job { overhead_ms, ..job(1) })]);
    assert_eq!(history.ended([1]), [1600.0]);
    let used = engine.device_use().next().unwrap();
    assert_eq!((used.busy_ms.round(), used.up_ms.round()), (1500.0, 1600.0));
}

#[test]
fn a_faster_device_takes_less() {
    let fast = Worker { device: Device { speed: 2.0, batch_gain: 0.0 }, ..worker(1, 1) };
    assert_eq!(History::of(&mut alone(fast), &[at(0.0, job(1))]).ended([1]), [750.0]);
}

#[test]
fn two_in_a_batch_have_half_of_it_each() {
    let history = History::of(&mut alone(worker(2, 2)), &[at(0.0, job(1)), at(500.0, job(2))]);
    // The first alone until 500, then half as fast: 1500. The second has 500 left, shares with the decode until that has had 500, at 2500.
    assert_eq!([1, 2].map(|n| history.when(n, Event::Sampled)), [1500.0, 2500.0]);
    assert_eq!(history.ended([1, 2]), [2500.0, 3000.0]);
}

#[test]
fn in_a_batch_each_does_a_step_in_turn_so_long_steps_take_the_time_of_short_ones() {
    let long = Job { device_ms: StageMs { sampling: 3000.0, decoding: 0.0 }, ..job(1) };
    let short = Job { device_ms: StageMs { sampling: 1000.0, decoding: 0.0 }, ..job(2) };
    let history = History::of(&mut alone(worker(2, 2)), &[at(0.0, long), at(0.0, short)]);
    assert_eq!(history.ended([1, 2]), [4000.0, 4000.0]);
}

#[test]
fn a_batch_that_is_denoised_at_once_takes_less_than_its_members() {
    let wide = Worker { device: Device { speed: 1.0, batch_gain: 0.5 }, ..worker(2, 2) };
    let history = History::of(&mut alone(wide), &[at(0.0, job(1)), at(0.0, job(2))]);
    assert_eq!([1, 2].map(|n| history.when(n, Event::Sampled)), [1500.0, 1500.0]);
}

#[test]
fn a_decode_has_as_much_as_a_whole_batch_beside_it() {
    let decoding = Job { device_ms: StageMs { sampling: 0.0, decoding: 500.0 }, ..job(1) };
    let history = History::of(&mut alone(worker(2, 2)), &[at(0.0, job(2)), at(0.0, job(3)), at(0.0, decoding)]);
    // Its slot in sampling is free at once, as it needs no time there, but not before one of the two has ended.
    assert_eq!(history.when(2, Event::Sampled), 2000.0);
    let history = History::of(&mut alone(worker(3, 2)), &[at(0.0, job(2)), at(0.0, job(3)), at(0.0, decoding)]);
    // Half of the device each until 1000; then the batch alone, which has 1500 left.
    assert_eq!((history.ended([1]), [2, 3].map(|n| history.when(n, Event::Sampled))), ([1000.0], [2500.0, 2500.0]));
}

#[test]
fn batches_of_two_models_have_half_each() {
    let both = Worker { models: vec![ServedModel::loaded(0), ServedModel::loaded(1)], ..worker(3, 3) };
    let of_another_model = Job { model: 1, ..job(3) };
    let history = History::of(&mut alone(both), &[at(0.0, job(1)), at(0.0, job(2)), at(0.0, of_another_model)]);
    assert_eq!(history.when(3, Event::Sampled), 2000.0);
}

#[test]
fn a_model_that_is_not_loaded_is_loaded_once() {
    let cold = Worker { models: vec![ServedModel::loads_in(0, 400.0)], ..worker(1, 1) };
    let history = History::of(&mut alone(cold), &[at(0.0, job(1)), at(5000.0, job(2))]);
    assert_eq!(history.ended([1, 2]), [1900.0, 6500.0]);
}

#[test]
fn a_worker_takes_jobs_from_when_it_is_there_and_none_when_it_stops() {
    let late = Worker { available_at_ms: 700.0, ..worker(1, 1) };
    let mut engine = alone(late);
    assert_eq!(History::of(&mut engine, &[at(0.0, job(1))]).ended([1]), [2200.0]);
    engine.stop_worker(0);
    engine.submit(job(2), &mut ());
    engine.drain(&mut ());
    assert_eq!((engine.open(), engine.waiting(Stage::Sampling)), (1, 1));
    let another = engine.add_worker(worker(1, 1)).unwrap();
    engine.drain(&mut ());
    assert_eq!((another, engine.open()), (1, 0));
    assert_eq!(engine.device_use().map(|used| used.up_ms).collect::<Vec<_>>(), [2200.0, 1500.0]);
}

#[test]
fn the_newest_batch_job_makes_room_behind_its_step_and_goes_on_when_a_slot_is_free() {
    let undecoded = |job: Job| Job { device_ms: StageMs { sampling: 1000.0, decoding: 0.0 }, ..job };
    let history = History::of(&mut alone(worker(1, 1)), &[at(0.0, undecoded(batch_job(1))), at(350.0, undecoded(job(2)))]);
    // The step that is under way has 50 left, which take 100 beside the newcomer; the newcomer has 950 left at 450.
    assert_eq!((history.when(1, Event::Paused), history.when(1, Event::Resumed)), (450.0, 1400.0));
    assert_eq!(history.ended([1, 2]), [2000.0, 1400.0]);
}

#[test]
fn a_batch_job_on_the_only_slot_makes_room_three_times_at_most() {
    let jobs: Vec<_> = (2..8).map(|n| at(10.0, job(n))).collect();
    let history = History::of(&mut alone(worker(1, 1)), &[vec![at(0.0, batch_job(1))], jobs].concat());
    let paused = history.0[&id(1)].iter().filter(|(_, event)| *event == Event::Paused).count();
    let before = (2..8).filter(|n| history.begun(*n) < history.when(1, Event::Sampled)).count();
    assert_eq!((paused, before), (3, 3));
}

#[test]
fn batches_have_the_slots_that_are_not_reserved() {
    let jobs: Vec<_> = (1..=4).map(|n| at(0.0, batch_job(n))).chain((5..=12).map(|n| at(1.0, job(n)))).collect();
    let history = History::of(&mut alone(Worker { sampling: StageSlots::new(4, 1), ..worker(4, 4) }), &jobs);
    let paused: Vec<_> = (1..=4).filter(|n| history.0[&id(*n)].iter().any(|(_, event)| *event == Event::Paused)).collect();
    assert_eq!((history.begun(5), paused), (1.0, vec![4]));
    assert!((6..=12).all(|n| history.begun(n) > 1.0));
}

#[test]
fn a_claim_takes_its_time_before_each_stage_and_holds_the_slot() {
    let slow = Worker { claim_ms: 20.0, ..worker(1, 1) };
    let mut history = History::default();
    alone(slow).run([at(0.0, job(1)), at(0.0, job(2))], &mut history);
    let begun = |n: u128| -> Vec<f64> {
        let is_begun = |event: &Event| matches!(event, Event::Begun { .. });
        history.0[&id(n)].iter().filter(|(_, event)| is_begun(event)).map(|(at_ms, _)| *at_ms).collect()
    };
    assert_eq!(begun(1), [20.0, 1048.0], "the second has begun beside it");
    assert_eq!(begun(2)[0], 1040.0, "the slot is free when the first has been sampled");
}

#[test]
fn who_has_fewest_jobs_is_asked_first() {
    let mut history = History::default();
    let workers = vec![worker(4, 1), worker(4, 1), worker(4, 1)];
    engine(workers, vec![tenant(1, 1)]).run((1..=6).map(|n| at(f64::from(n as u32), job(n))), &mut history);
    let worker_of = |n: u128| {
        let begun = history.0[&id(n)].iter().find_map(|(_, event)| match event {
            Event::Begun { stage: Stage::Sampling, worker } => Some(*worker),
            _ => None,
        });
        begun.unwrap()
    };
    for three in [[1, 2, 3], [4, 5, 6]] {
        let mut taken_by = three.map(worker_of);
        taken_by.sort_unstable();
        assert_eq!(taken_by, [0, 1, 2]);
    }
}

#[test]
fn a_model_that_leaves_and_comes_back_is_served_before_and_after_and_the_other_meanwhile() {
    let leaves = ServedModel { away: Some(Away { from_ms: 500.0, until_ms: 6000.0 }), ..ServedModel::loaded(0) };
    let comes = ServedModel { away: Some(Away { from_ms: 0.0, until_ms: 3000.0 }), ..ServedModel::loaded(1) };
    let mut engine = alone(Worker { models: vec![leaves, comes], ..worker(1, 1) });
    let other = |n| Job { model: 1, ..job(n) };
    let history = History::of(&mut engine, &[at(0.0, job(1)), at(0.0, other(2)), at(600.0, job(3))]);
    // What runs ends, what waits for decoding waits on, and nothing is taken of what is away.
    assert_eq!([1, 2, 3].map(|n| history.begun(n)), [0.0, 3000.0, 6000.0]);
    assert_eq!(history.ended([2]), [4500.0]);
    assert_eq!(history.when(1, Event::Begun { stage: Stage::Decoding, worker: 0 }), 6000.0);
}
