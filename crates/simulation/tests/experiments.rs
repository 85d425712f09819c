//! Whole runs: policies against each other, scaling, recorded loads, forecasts.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "tests say what they expect by panicking")]

use domain::{Stage, billing::Lane};
use simulation::{
    Demand, Device, Event, Experiment, Job, Line, Load, Policy, Replayed, Report, Scaler, Scaling, ServedModel, StageMs, Worker,
    read_trace, run,
};

const DEMAND: Demand = Demand {
    jobs: 5000,
    tenants: 10,
    load: 0.8,
    devices: 10,
    burst: 10.0,
    overhead_ms: StageMs { sampling: 100.0, decoding: 100.0 },
    seed: 7,
};

fn worker() -> Worker {
    Worker {
        sampling: 4.into(),
        decoding: 1.into(),
        device: Device::default(),
        models: [0, 1].map(ServedModel::loaded).into(),
        available_at_ms: 0.0,
        claim_ms: 0.0,
    }
}

fn experiment(policy: Policy) -> Experiment {
    Experiment { policy, workers: vec![worker(); 10], scaler: None, eta_sample: 0, seed: 1 }
}

fn times_of(report: &Report, of: &str) -> (f64, f64) {
    let times = report.times.iter().find(|times| times.of == of).unwrap();
    (times.wait.p95_s, times.turnaround.p95_s)
}

fn jain_of(report: &Report, lane: Lane) -> f64 {
    report.fairness.iter().find(|fairness| fairness.lane == lane.as_str()).and_then(|fairness| fairness.jain).unwrap()
}

#[test]
fn all_jobs_end_under_each_policy_and_a_run_can_be_repeated() {
    let load = DEMAND.make();
    for policy in [Policy::Fair, Policy::Fifo, Policy::RoundRobin] {
        let report = run(&experiment(policy), &load).unwrap();
        assert_eq!((report.jobs, report.ended), (5000, 5000));
        assert!((0.6..0.95).contains(&report.devices.utilisation), "{}", report.devices.utilisation);
        assert_eq!(run(&experiment(policy), &load).unwrap(), report);
    }
}

/// Of one model, and without the limits that only one policy has.
fn too_much() -> Load {
    let mut load = Demand { load: 2.0, ..DEMAND }.make();
    load.tenants.iter_mut().for_each(|tenant| tenant.gate = None);
    load.arrivals.iter_mut().for_each(|arrival| (arrival.job.model, arrival.job.lane) = (0, Lane::Interactive));
    load
}

#[test]
fn where_too_much_is_asked_for_fair_tags_give_work_by_weight_and_others_do_not() {
    let load = too_much();
    let jain = |policy| jain_of(&run(&experiment(policy), &load).unwrap(), Lane::Interactive);
    let (fair, fifo, round_robin) = (jain(Policy::Fair), jain(Policy::Fifo), jain(Policy::RoundRobin));
    assert!(fair > 0.97 && fair > round_robin && round_robin > fifo, "{fair} {round_robin} {fifo}");
}

#[test]
fn the_lightest_tenants_wait_less_than_they_would_in_one_line() {
    let load = too_much();
    let wait = |policy| times_of(&run(&experiment(policy), &load).unwrap(), "lightest half").0;
    assert!(wait(Policy::Fair) < wait(Policy::Fifo) / 2.0);
}

#[test]
fn workers_are_added_while_many_jobs_wait_and_removed_when_they_are_idle() {
    let scaling = Scaling {
        waiting_per_worker: 1.0,
        workers_min: 1,
        workers_max: 10,
        cold_start_ms: 60_000.0,
        idle_ms: 60_000.0,
        look_every_ms: 1000.0,
        worker: worker(),
    };
    let scaled = Experiment { workers: vec![worker()], scaler: Some(Scaler::new(scaling)), ..experiment(Policy::Fifo) };
    let load = Demand { load: 0.3, ..DEMAND }.make();
    let (some, all) = (run(&scaled, &load).unwrap(), run(&experiment(Policy::Fifo), &load).unwrap());
    assert_eq!((some.ended, all.ended), (5000, 5000));
    assert!(some.devices.hours < all.devices.hours && some.devices.utilisation > all.devices.utilisation);
    assert!(times_of(&some, "batch").0 > times_of(&all, "batch").0, "who is first waits for the start");
    assert!(some.devices.workers_at_most > 10, "some came again");
}

#[test]
fn nine_of_ten_jobs_end_before_what_was_learned() {
    let report = run(&Experiment { eta_sample: 400, ..experiment(Policy::Fair) }, &DEMAND.make()).unwrap();
    let eta = report.eta.unwrap();
    assert_eq!(eta.jobs, 400);
    assert!((0.8..=1.0).contains(&eta.covered) && (0.8..1.5).contains(&eta.median_ratio), "{eta:?}");
}

/// The load as it would have been recorded, with the waits that this engine gave it.
fn recorded(load: &Load) -> String {
    let mut waited = vec![0.0; load.arrivals.len()];
    let number = |job: &Job| job.id.uuid().as_u128() as usize;
    let state = simulation::State {
        models: load.models.len(),
        tenants: load.tenants.clone(),
        workers: vec![worker(); 10],
        ..simulation::State::default()
    };
    simulation::Engine::new(Policy::Fair, state).unwrap().run(load.arrivals.iter().copied(), &mut |at_ms: f64, job: &Job, event: Event| {
        if matches!(event, Event::Begun { stage: Stage::Sampling, .. }) {
            waited[number(job)] = at_ms - load.arrivals[number(job)].at_ms;
        }
    });
    let lines = load.arrivals.iter().zip(&waited).map(|(arrival, waited)| Line {
        arrives_ms: arrival.at_ms,
        tenant: format!("tenant {}", arrival.job.tenant),
        weight: load.tenants[arrival.job.tenant].weight,
        lane: arrival.job.lane,
        model: load.models[arrival.job.model].clone(),
        steps: arrival.job.steps,
        billed_ms: arrival.job.billed.ms(),
        work_ms: Some(arrival.job.work.ms()),
        sampling_ms: arrival.job.device_ms.sampling,
        decoding_ms: arrival.job.device_ms.decoding,
        waited_ms: Some(*waited),
        release_rate_ms: None,
        at_once: None,
    });
    lines.map(|line| serde_json::to_string(&line).unwrap() + "\n").collect()
}

#[test]
fn what_was_recorded_is_replayed_as_it_was() {
    let load = Load { tenants: too_much().tenants, ..DEMAND.make() };
    let replayed = run(&experiment(Policy::Fair), &read_trace(recorded(&load).as_bytes(), DEMAND.overhead_ms).unwrap()).unwrap();
    let lanes = replayed.replayed;
    assert_eq!(lanes.iter().map(|lane| &*lane.of).collect::<Vec<_>>(), ["interactive", "batch"]);
    assert_eq!(lanes.iter().map(|lane| lane.jobs).sum::<usize>(), 5000);
    assert!(lanes[1].recorded.mean_s > 1.0, "{lanes:?}");
    for Replayed { of, simulated, recorded, .. } in lanes {
        let apart = (simulated.mean_s - recorded.mean_s).abs() + (simulated.p95_s - recorded.p95_s).abs();
        assert!(apart < 0.5, "{of}: {simulated:?}, {recorded:?}");
    }
}
