//! Beginning in the midst of things, and forecasts.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "tests say what they expect by panicking")]

use domain::{
    JobId, Stage, TenantId, Timestamp, VideoTime,
    billing::Lane,
    scheduling::{ReleaseGate, Tag, VirtualTime},
};
use simulation::{
    Arrival, Device, Engine, Job, Policy, Running, ServedModel, StageMs, State, StateError, Tenant, Waiting, Wanted, Worker, forecast,
};
use std::collections::BTreeMap;
use uuid::Uuid;

fn id(n: u128) -> JobId {
    JobId::from_uuid(Uuid::from_u128(n))
}

fn tenant() -> Tenant {
    Tenant::new(TenantId::from_uuid(Uuid::nil()), 1)
}

/// Two seconds of video in ten steps, for which a device samples a second and decodes half a second.
fn job(n: u128) -> Job {
    Job {
        id: id(n),
        tenant: 0,
        lane: Lane::Interactive,
        stands: None,
        has_entered: false,
        model: 0,
        steps: 10,
        work: VideoTime::from_ms(2000),
        billed: VideoTime::from_ms(2000),
        device_ms: StageMs { sampling: 1000.0, decoding: 500.0 },
        overhead_ms: StageMs::default(),
    }
}

fn batch_job(n: u128) -> Job {
    Job { lane: Lane::Batch, ..job(n) }
}

/// One slot of each stage.
fn worker() -> Worker {
    Worker {
        sampling: 1.into(),
        decoding: 1.into(),
        device: Device::default(),
        models: vec![ServedModel::loaded(0)],
        available_at_ms: 0.0,
        claim_ms: 0.0,
    }
}

const fn at(at_ms: f64, job: Job) -> Arrival {
    Arrival { at_ms, job }
}

const fn tag(start: i64, finish: i64) -> Tag {
    Tag { start: VirtualTime::new(start), finish: VirtualTime::new(finish) }
}

fn state() -> State {
    State { now_ms: 10_000.0, models: 1, tenants: vec![tenant()], workers: vec![worker()], ..State::default() }
}

fn ends(state: State, newcomers: &[Arrival]) -> BTreeMap<JobId, f64> {
    let engine = Engine::new(Policy::Fair, state).unwrap();
    let foretold = forecast(engine, newcomers, Wanted::All);
    foretold.into_iter().filter_map(|(id, foretold)| foretold.ended_ms.map(|ms| (id, ms.round()))).collect()
}

#[test]
fn what_runs_goes_on_and_what_waits_follows_by_its_tags() {
    let (stage, left_ms) = (Stage::Sampling, 200.0);
    let state = State {
        running: vec![Running { job: job(1), stage, tag: tag(0, 1), worker: 0, left_ms }],
        waiting: vec![
            Waiting { job: job(2), stage, tag: tag(2, 9) },
            Waiting { job: job(3), stage, tag: tag(2, 8) },
            Waiting { job: job(4), stage: Stage::Decoding, tag: tag(0, 3) },
        ],
        ..state()
    };
    let ends = ends(state, &[]);
    // The decode of 4 beside the sampling of 1 until 400; then of 4 and of 3; ...
    assert!(ends[&id(4)] < ends[&id(1)] && ends[&id(1)] < ends[&id(3)] && ends[&id(3)] < ends[&id(2)], "{ends:?}");
    assert_eq!(ends.values().copied().fold(0.0, f64::max), 10_000.0 + 200.0 + 500.0 + 500.0 + 1500.0 + 1500.0);
}

#[test]
fn newcomers_stand_behind_what_their_tenant_has_waiting() {
    let waiting = vec![Waiting { job: job(1), stage: Stage::Sampling, tag: tag(5000, 7000) }];
    let ends = ends(State { waiting, ..state() }, &[at(10_000.0, job(2))]);
    assert_eq!(ends[&id(1)], 12_000.0, "beside the newcomer's sampling");
    assert_eq!(ends[&id(2)], 13_000.0);
}

#[test]
fn the_throttled_enter_in_their_order_when_the_gate_says() {
    let gate = ReleaseGate::new(Some(VideoTime::from_ms(60_000)), None);
    let tenants = vec![Tenant { gate, free_at: Timestamp::from_ms(11_000), ..tenant() }];
    let state = State { tenants, throttled: vec![batch_job(1), batch_job(2)], ..state() };
    let engine = Engine::new(Policy::Fair, state).unwrap();
    let foretold = forecast(engine, &[], Wanted::All);
    assert_eq!([1, 2].map(|n| foretold[&id(n)].released_ms), [Some(11_000.0), Some(13_007.0)]);
}

#[test]
fn a_job_that_is_paused_goes_on_when_the_interactive_one_is_gone() {
    let (stage, worker) = (Stage::Sampling, 0);
    let running = vec![
        Running { job: batch_job(1), stage, tag: tag(0, 1), worker, left_ms: 300.0 },
        Running { job: job(2), stage, tag: tag(0, 1), worker, left_ms: 100.0 },
    ];
    let ends = ends(State { running, ..state() }, &[]);
    assert_eq!(ends[&id(2)], 10_000.0 + 100.0 + 800.0, "its decode beside what is left of the other one, until that is done");
    assert_eq!(ends[&id(1)], 10_000.0 + 100.0 + 800.0 + 500.0);
}

#[test]
fn nothing_is_foretold_of_a_job_that_no_worker_serves() {
    let engine = Engine::new(Policy::Fair, State { models: 2, ..state() }).unwrap();
    let foretold = forecast(engine, &[at(10_000.0, job(1)), at(10_000.0, Job { model: 1, ..job(2) })], Wanted::All);
    assert_eq!(foretold.into_keys().collect::<Vec<_>>(), [id(1)]);
}

#[test]
fn what_is_named_is_to_be_there() {
    let error = |state: State| Engine::new(Policy::Fair, state).unwrap_err();
    let waiting = |job| vec![Waiting { job, stage: Stage::Sampling, tag: tag(0, 1) }];
    assert_eq!(error(State { waiting: waiting(Job { tenant: 7, ..job(1) }), ..state() }), StateError::NoTenant { tenant: 7 });
    assert_eq!(error(State { waiting: waiting(Job { model: 7, ..job(1) }), ..state() }), StateError::NoModel { model: 7 });
    let running = |worker| vec![Running { job: job(1), stage: Stage::Sampling, tag: tag(0, 1), worker, left_ms: 1.0 }];
    assert_eq!(error(State { running: running(3), ..state() }), StateError::NoWorker { worker: 3 });
    let workers = vec![Worker { models: Vec::new(), ..worker() }];
    assert_eq!(error(State { workers, running: running(0), ..state() }), StateError::NotServed { model: 0, worker: 0 });
}

#[test]
fn with_other_times_as_much_of_what_runs_stays_done() {
    let mut engine = Engine::new(Policy::Fair, State { now_ms: 0.0, ..state() }).unwrap();
    engine.submit(job(1), &mut ());
    engine.advance(400.0, &mut ());
    engine.retime(|job| StageMs { sampling: job.device_ms.sampling * 2.0, decoding: 100.0 });
    let foretold = forecast(engine, &[], Wanted::These([id(1)].into()));
    assert_eq!(foretold[&id(1)].ended_ms.map(f64::round), Some(400.0 + 1200.0 + 100.0));
}
