//! A live queue's models, tenants, jobs and workers in the simulator's terms.

use super::Costs;
use domain::{Stage, TenantId, scheduling::Workload};
use simulation::{Device, ServedModel, StageMs, Tenant, Worker};
use std::collections::{BTreeMap, BTreeSet};
use store::queue::{Limits, OpenJob, OpenPhase, QueueState};

/// What a stage takes besides its device: to be claimed, to store what it made, to be told.
pub(super) const OVERHEAD: StageMs = StageMs { sampling: 10.0, decoding: 10.0 };

/// By what numbers the simulator knows models and tenants.
pub(super) struct Names {
    /// And whether workers serve both stages of it.
    pub models: BTreeMap<String, (usize, bool)>,
    pub tenants: BTreeMap<TenantId, OfTenant>,
}

pub(super) struct OfTenant {
    pub number: usize,
    pub limits: Limits,
    /// Of its jobs, how many are in the queue or with a worker.
    pub in_queue: u64,
}

impl Names {
    pub fn of(state: &QueueState) -> Self {
        let mut models: BTreeMap<String, (usize, bool)> = BTreeMap::new();
        let of_workers = state.workers.iter().flat_map(|worker| worker.models.iter().flatten());
        for (number, model) in of_workers.chain(state.jobs.iter().map(|job| &job.model)).collect::<BTreeSet<_>>().into_iter().enumerate() {
            let serves = |stage: Stage| {
                state.workers.iter().filter(|worker| !worker.is_draining).any(|worker| {
                    let slots = if stage == Stage::Sampling { worker.slots.sampling } else { worker.slots.decoding };
                    slots.all() > 0 && worker.serves(model)
                })
            };
            models.insert(model.clone(), (number, serves(Stage::Sampling) && serves(Stage::Decoding)));
        }
        let mut tenants: BTreeMap<TenantId, OfTenant> = BTreeMap::new();
        for (number, limits) in state.tenants.iter().enumerate() {
            tenants.insert(limits.tenant, OfTenant { number, limits: *limits, in_queue: 0 });
        }
        for job in state.jobs.iter().filter(|job| job.phase != OpenPhase::Throttled) {
            if let Some(of_tenant) = tenants.get_mut(&job.tenant) {
                of_tenant.in_queue += 1;
            }
        }
        Self { models, tenants }
    }

    /// `None`: its model was never measured, or its tenant is gone.
    pub fn job(&self, open: &OpenJob, costs: &Costs) -> Option<simulation::Job> {
        Some(simulation::Job {
            id: open.id,
            tenant: self.tenants.get(&open.tenant)?.number,
            lane: open.lane,
            goes_first: false,
            model: self.models.get(&open.model)?.0,
            steps: open.steps,
            work: open.work,
            billed: open.billed,
            device_ms: device_ms(costs, &open.model, open.workload())?,
            overhead_ms: OVERHEAD,
        })
    }

    pub fn worker(&self, live: &store::LiveWorker, speed: f64) -> Worker {
        // Of those that it has to load first, only those that it is to load: nobody knows when others come.
        let is_to_have = |model: &str| live.desired.iter().flatten().any(|desired| desired.model == model);
        let comes = |model: &str| live.has_warm(model) || live.loading_permille(model).is_some() || is_to_have(model);
        let served = self.models.iter().filter(|(model, _)| live.serves(model) && comes(model));
        Worker {
            sampling: live.slots.sampling,
            decoding: live.slots.decoding,
            device: Device { speed, ..Device::default() },
            models: served.map(|(model, (number, _))| ServedModel { model: *number, load_ms: live.load_left_ms(model) as f64 }).collect(),
            available_at_ms: 0.0,
            claim_ms: 0.0,
        }
    }
}

pub(super) const fn tenant(limits: &Limits) -> Tenant {
    Tenant { id: limits.tenant, weight: limits.weight, gate: limits.gate, free_at: limits.free_at }
}

pub(super) fn device_ms(costs: &Costs, model: &str, workload: Workload) -> Option<StageMs> {
    costs.of_stages(model, None, workload).map(|costs| StageMs { sampling: costs.sampling_ms, decoding: costs.decoding_ms })
}

/// How many times as fast a kind of device is as the mean of all kinds, by the first jobs that are there.
pub(super) fn speed(jobs: &[OpenJob], costs: &Costs, device: &str) -> f64 {
    const LOOKED_AT: usize = 16;
    let all_ms = |costs: domain::scheduling::StageCosts| costs.sampling_ms + costs.decoding_ms;
    let ratios: Vec<f64> = jobs
        .iter()
        .take(LOOKED_AT)
        .filter_map(|open| {
            let mean = costs.of_stages(&open.model, None, open.workload())?;
            let own = costs.of_stages(&open.model, Some(device), open.workload())?;
            Some((all_ms(mean) / all_ms(own)).ln())
        })
        .collect();
    if ratios.is_empty() { 1.0 } else { (ratios.iter().sum::<f64>() / ratios.len() as f64).exp() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{Timestamp, WorkerId};
    use store::{DesiredModel, HeldModels, LiveWorker, WorkerSlots};
    use uuid::Uuid;

    #[test]
    fn of_models_that_are_not_loaded_a_worker_serves_those_that_it_is_to_load() {
        let names = Names { models: BTreeMap::from([("a".to_owned(), (0, true)), ("b".to_owned(), (1, true))]), tenants: BTreeMap::new() };
        let says_nothing = LiveWorker {
            id: WorkerId::from_uuid(Uuid::nil()),
            device: "cpu".to_owned(),
            slots: WorkerSlots::default(),
            memory_bytes: Some(100),
            models: None,
            held: None,
            desired: None,
            started_at: Timestamp::from_ms(0),
            is_draining: false,
        };
        let served =
            |live: &LiveWorker| names.worker(live, 1.0).models.iter().map(|served| (served.model, served.load_ms)).collect::<Vec<_>>();
        assert_eq!(served(&says_nothing), [(0, 0.0), (1, 0.0)]);
        let empty = LiveWorker { held: Some(HeldModels { memory_max_bytes: Some(95), models: Vec::new() }), ..says_nothing };
        assert_eq!(served(&empty), []);
        let wanted = DesiredModel { model: "b".to_owned(), reason: String::new(), load_ms: 700 };
        assert_eq!(served(&LiveWorker { desired: Some(vec![wanted]), ..empty }), [(1, 700.0)]);
    }
}
