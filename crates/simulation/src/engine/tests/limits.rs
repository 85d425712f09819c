//! What tenants get of the workers, and what keeps their jobs outside of the queue.

use super::*;

fn limited(rate_ms: Option<u64>, at_once: Option<u32>) -> Engine {
    let gate = ReleaseGate::new(rate_ms.map(VideoTime::from_ms), at_once);
    engine(vec![worker(8, 8)], vec![Tenant { gate, ..tenant(1, 1) }])
}

#[test]
fn at_a_minute_a_minute_clips_of_two_seconds_enter_every_two_seconds() {
    let jobs: Vec<_> = (1..=4).map(|n| at(100.0, batch_job(n))).collect();
    let history = History::of(&mut limited(Some(60_000), None), &jobs);
    // The first counts as having come at the beginning; a third of a percent is kept back.
    assert_eq!([1, 2, 3, 4].map(|n| history.begun(n)), [100.0, 2007.0, 4014.0, 6021.0]);
    assert_eq!((history.when(2, Event::Throttled), history.when(2, Event::Released)), (100.0, 2007.0));
}

#[test]
fn the_next_enters_when_one_of_as_many_as_may_has_ended() {
    let jobs: Vec<_> = (1..=3).map(|n| at(0.0, job(n))).collect();
    let history = History::of(&mut limited(None, Some(1)), &jobs);
    assert_eq!(history.ended([1, 2, 3]), [1500.0, 3000.0, 4500.0]);
    assert_eq!(history.when(3, Event::Released), 3000.0);
}

#[test]
fn who_has_entered_is_kept_by_no_gate_and_moves_it_for_nobody() {
    let gate = ReleaseGate::new(Some(VideoTime::from_ms(60_000)), None);
    let mut engine = engine(vec![worker(8, 8)], vec![Tenant { gate, free_at: Timestamp::from_ms(10_000), ..tenant(1, 1) }]);
    let entered = |n| Job { has_entered: true, ..batch_job(n) };
    let jobs = [at(0.0, entered(1)), at(50.0, batch_job(2)), at(100.0, entered(3)), at(200.0, batch_job(4))];
    let history = History::of(&mut engine, &jobs);
    assert_eq!([1, 3].map(|n| history.begun(n)), [0.0, 100.0], "also where others are throttled");
    assert_eq!([2, 4].map(|n| history.begun(n)), [10_000.0, 12_007.0], "what the rate gave them counts already");
}

#[test]
fn a_gate_holds_for_the_policy_of_the_live_system_alone() {
    for policy in [Policy::Fifo, Policy::RoundRobin] {
        let gate = ReleaseGate::new(None, Some(1));
        let state = State { models: 1, workers: vec![worker(2, 2)], tenants: vec![Tenant { gate, ..tenant(1, 1) }], ..State::default() };
        let history = History::of(&mut Engine::new(policy, state).unwrap(), &[at(0.0, job(1)), at(0.0, job(2))]);
        assert_eq!((history.begun(1), history.begun(2)), (0.0, 0.0));
    }
}

/// How many of the first `n` that begin are of the second of two tenants, which have fifty jobs each.
fn of_the_second(policy: Policy, weights: [u32; 2], n: usize) -> usize {
    let tenants = vec![tenant(1, weights[0]), tenant(2, weights[1])];
    let state = State { models: 1, workers: vec![worker(1, 1)], tenants, ..State::default() };
    let mut engine = Engine::new(policy, state).unwrap();
    let jobs = (0..100).map(|n| at(0.0, Job { tenant: n / 50, ..job(n as u128) }));
    let mut begun = Vec::new();
    engine.run(jobs, &mut |_: f64, job: &Job, event: Event| {
        if matches!(event, Event::Begun { stage: Stage::Sampling, .. }) {
            begun.push(job.tenant);
        }
    });
    begun[..n].iter().filter(|tenant| **tenant == 1).count()
}

#[test]
fn two_tenants_get_work_by_their_weights() {
    // The very first is the one that was there alone.
    assert_eq!(of_the_second(Policy::Fair, [1, 1], 41), 20);
    assert_eq!(of_the_second(Policy::Fair, [1, 3], 41), 30);
    assert_eq!(of_the_second(Policy::RoundRobin, [1, 3], 41), 20);
    assert_eq!(of_the_second(Policy::Fifo, [1, 3], 41), 0);
}

#[test]
fn who_waits_in_two_lines_gets_no_more() {
    let all = Worker { models: [0, 1, 2].map(ServedModel::loaded).into(), ..worker(1, 1) };
    let mut engine = engine(vec![all], vec![tenant(1, 1), tenant(2, 1)]);
    // The first tenant has jobs of two models.
    let of = [(0, 0), (0, 1), (1, 2)];
    let jobs = (0..90).map(|n| at(0.0, Job { tenant: of[n % 3].0, model: of[n % 3].1, ..job(n as u128) }));
    let mut begun = Vec::new();
    engine.run(jobs, &mut |_: f64, job: &Job, event: Event| {
        if matches!(event, Event::Begun { stage: Stage::Sampling, .. }) {
            begun.push(job.tenant);
        }
    });
    let of_the_second = begun[..40].iter().filter(|tenant| **tenant == 1).count();
    assert!((19..=21).contains(&of_the_second), "{of_the_second}");
}

#[test]
fn who_shares_its_line_with_one_that_has_another_too_gets_no_less() {
    let all = Worker { models: [0, 1].map(ServedModel::loaded).into(), ..worker(1, 1) };
    let mut engine = engine(vec![all], vec![tenant(1, 1), tenant(2, 1)]);
    // The first tenant has jobs in both lines, the second in one of them.
    let of = [(0, 0), (0, 1), (1, 1)];
    let jobs = (0..150).map(|n| at(0.0, Job { tenant: of[n % 3].0, model: of[n % 3].1, ..job(n as u128) }));
    let mut begun = Vec::new();
    engine.run(jobs, &mut |_: f64, job: &Job, event: Event| {
        if matches!(event, Event::Begun { stage: Stage::Sampling, .. }) {
            begun.push(job.tenant);
        }
    });
    let of_the_second = begun[..40].iter().filter(|tenant| **tenant == 1).count();
    assert!((18..=22).contains(&of_the_second), "{of_the_second}");
}
