//! What holds whatever comes.

use super::*;
use proptest::prelude::*;

fn jobs() -> impl Strategy<Value = Vec<Arrival>> {
    let one = (0_u64..400, 0_usize..3, any::<bool>(), 0_usize..2, 1_u32..30, 0_u64..3000, 0_u64..2000, 0_u64..50);
    prop::collection::vec(one, 1..80).prop_map(|all| {
        let mut now = 0.0;
        let jobs = all.into_iter().enumerate().map(|(n, (later, tenant, is_batch, model, steps, sampling, decoding, overhead))| {
            now += later as f64 / 3.0;
            let lane = if is_batch { Lane::Batch } else { Lane::Interactive };
            let device_ms = StageMs { sampling: sampling as f64 / 7.0, decoding: decoding as f64 / 7.0 };
            let overhead_ms = StageMs { sampling: overhead as f64, decoding: overhead as f64 / 2.0 };
            let work = VideoTime::from_ms(sampling + 1);
            let (id, stands, has_entered) = (id(n as u128), None, false);
            at(now, Job { id, tenant, lane, stands, has_entered, model, steps, work, billed: work, device_ms, overhead_ms })
        });
        jobs.collect()
    })
}

fn fleet() -> impl Strategy<Value = Vec<Worker>> {
    let one = (1_usize..6, 1_usize..6, 1_usize..3, 1_u32..4, 0_u32..3, 0_u32..400, 0_u32..2);
    prop::collection::vec(one, 0..4).prop_map(|all| {
        let more = all.into_iter().map(|(sampling, reserved, decoding, speed, gain, available, model)| Worker {
            sampling: StageSlots::new(sampling, reserved),
            decoding: decoding.into(),
            device: Device { speed: f64::from(speed) / 2.0, batch_gain: f64::from(gain) / 3.0 },
            models: vec![ServedModel::loads_in(model as usize, f64::from(available))],
            available_at_ms: f64::from(available),
            claim_ms: 0.0,
        });
        let both = Worker { models: vec![ServedModel::loaded(0), ServedModel::loaded(1)], ..worker(3, 1) };
        std::iter::once(both).chain(more).collect()
    })
}

fn tenants() -> Vec<Tenant> {
    let gate = |rate: Option<u64>, at_once| ReleaseGate::new(rate.map(VideoTime::from_ms), at_once);
    vec![tenant(1, 1), Tenant { gate: gate(Some(90_000), None), ..tenant(2, 5) }, Tenant { gate: gate(None, Some(2)), ..tenant(3, 2) }]
}

/// Counts what runs where, and checks that it can.
struct Counts {
    workers: Vec<Worker>,
    /// Of each worker and stage: jobs with a slot, and those of them that are paused.
    running: Vec<[i64; 2]>,
    paused: Vec<i64>,
    at: BTreeMap<JobId, (usize, Stage)>,
    ended: Vec<JobId>,
}

impl Observer for Counts {
    fn observe(&mut self, _: f64, job: &Job, event: Event) {
        match event {
            Event::Begun { stage, worker } => {
                assert!(self.workers[worker].models.iter().any(|served| served.model == job.model));
                self.running[worker][number(stage)] += 1;
                assert!(self.at.insert(job.id, (worker, stage)).is_none());
            }
            Event::Sampled | Event::Ended => {
                let (worker, stage) = self.at.remove(&job.id).unwrap();
                self.running[worker][number(stage)] -= 1;
                assert_eq!(stage == Stage::Decoding, event == Event::Ended);
                self.ended.extend((event == Event::Ended).then_some(job.id));
            }
            Event::Paused => self.paused[self.at[&job.id].0] += 1,
            Event::Resumed => self.paused[self.at[&job.id].0] -= 1,
            Event::Throttled | Event::Released => {}
        }
        assert!(self.running.iter().flatten().chain(&self.paused).all(|n| *n >= 0));
    }
}

proptest! {
    #[test]
    fn every_job_ends_once_and_devices_do_what_was_asked(jobs in jobs(), fleet in fleet(), policy in prop_oneof![Just(Policy::Fair), Just(Policy::Fifo), Just(Policy::RoundRobin)]) {
        let state = State { models: 2, tenants: tenants(), workers: fleet.clone(), ..State::default() };
        let mut engine = Engine::new(policy, state).unwrap();
        let (running, paused) = (vec![[0; 2]; fleet.len()], vec![0; fleet.len()]);
        let mut counts = Counts { workers: fleet.clone(), running, paused, at: BTreeMap::new(), ended: Vec::new() };
        engine.run(jobs.iter().copied(), &mut counts);
        counts.ended.sort();
        prop_assert_eq!(counts.ended, jobs.iter().map(|arrival| arrival.job.id).collect::<Vec<_>>());
        prop_assert_eq!((engine.open(), engine.waiting), (0, [0, 0]));
        let asked: f64 = jobs.iter().map(|arrival| arrival.job.device_ms.sampling + arrival.job.device_ms.decoding).sum();
        let done: f64 = engine.device_use().map(|used| used.work_ms).sum();
        prop_assert!((done - asked).abs() < 1e-3, "{done} of {asked}");
        for worker in &engine.workers {
            prop_assert_eq!(worker.occupancy.running(), 0);
        }
    }

    /// A clone goes on as the original does.
    #[test]
    fn a_clone_goes_the_same_way(jobs in jobs(), fleet in fleet(), until in 0_usize..80) {
        let state = State { models: 2, tenants: tenants(), workers: fleet, ..State::default() };
        let mut engine = Engine::new(Policy::Fair, state).unwrap();
        let (before, behind) = jobs.split_at(until.min(jobs.len()));
        for arrival in before {
            engine.advance(arrival.at_ms, &mut ());
            engine.submit(arrival.job, &mut ());
        }
        let (mut one, mut other) = (History::default(), History::default());
        engine.clone().run(behind.iter().copied(), &mut one);
        engine.run(behind.iter().copied(), &mut other);
        prop_assert_eq!(one.0, other.0);
    }
}
