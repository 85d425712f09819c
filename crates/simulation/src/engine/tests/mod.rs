//! Cases that can be computed by hand, and what holds whatever comes.

mod always;
mod devices;
mod limits;

use super::*;
use domain::{
    JobId, TenantId, VideoTime,
    billing::Lane,
    scheduling::{ReleaseGate, StageSlots},
};
use std::collections::BTreeMap;
use uuid::Uuid;

fn id(n: u128) -> JobId {
    JobId::from_uuid(Uuid::from_u128(n))
}

fn tenant(n: u128, weight: u32) -> Tenant {
    Tenant::new(TenantId::from_uuid(Uuid::from_u128(n)), weight)
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

fn worker(sampling: usize, decoding: usize) -> Worker {
    Worker {
        sampling: sampling.into(),
        decoding: decoding.into(),
        device: Device::default(),
        models: vec![ServedModel::loaded(0)],
        available_at_ms: 0.0,
        claim_ms: 0.0,
    }
}

fn engine(workers: Vec<Worker>, tenants: Vec<Tenant>) -> Engine {
    let models = workers.iter().flat_map(|worker| &worker.models).map(|served| served.model + 1).max().unwrap_or(1);
    Engine::new(Policy::Fair, State { models, workers, tenants, ..State::default() }).unwrap()
}

fn alone(worker: Worker) -> Engine {
    engine(vec![worker], vec![tenant(1, 1)])
}

const fn at(at_ms: f64, job: Job) -> Arrival {
    Arrival { at_ms, job }
}

/// What happened, by job, in the order in which it did.
#[derive(Default)]
struct History(BTreeMap<JobId, Vec<(f64, Event)>>);

impl Observer for History {
    fn observe(&mut self, at_ms: f64, job: &Job, event: Event) {
        self.0.entry(job.id).or_default().push((at_ms, event));
    }
}

impl History {
    fn of(engine: &mut Engine, arrivals: &[Arrival]) -> Self {
        let mut history = Self::default();
        engine.run(arrivals.iter().copied(), &mut history);
        assert_eq!(engine.open(), 0, "all have ended");
        history
    }

    /// When it happened first to a job, to the microsecond.
    fn when(&self, n: u128, wanted: Event) -> f64 {
        let found = self.0[&id(n)].iter().find(|(_, event)| *event == wanted);
        let (at_ms, _) = found.unwrap_or_else(|| panic!("{wanted:?} of {n}: {:?}", self.0[&id(n)]));
        (at_ms * 1000.0).round() / 1000.0
    }

    fn ended<const N: usize>(&self, jobs: [u128; N]) -> [f64; N] {
        jobs.map(|n| self.when(n, Event::Ended))
    }

    fn begun(&self, n: u128) -> f64 {
        let found = self.0[&id(n)].iter().find(|(_, event)| matches!(event, Event::Begun { stage: Stage::Sampling, .. }));
        found.unwrap().0
    }
}
