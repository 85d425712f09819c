//! A live queue's models, tenants, jobs and workers in the simulator's terms.

use super::Costs;
use domain::{
    Stage, TenantId,
    scheduling::{Workload, fleet::ForeseenSwap},
};
use simulation::{Away, Device, ServedModel, StageMs, Tenant, Worker};
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
        let of_jobs = state.jobs.iter().chain(&state.held).map(|job| &job.model);
        for (number, model) in of_workers.chain(of_jobs).collect::<BTreeSet<_>>().into_iter().enumerate() {
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
            stands: None,
            has_entered: false,
            model: self.models.get(&open.model)?.0,
            steps: open.steps,
            work: open.work,
            billed: open.billed,
            device_ms: device_ms(costs, &open.model, open.workload())?,
            overhead_ms: OVERHEAD,
        })
    }

    /// By `swaps` a model comes that it would not serve, and others leave for a while; `now_ms` is the moment of that.
    pub fn worker(&self, live: &store::LiveWorker, speed: f64, (swaps, now_ms): (&[ForeseenSwap], f64)) -> Worker {
        // Of those that it has to load first, only those that it is to load: nobody knows when others come.
        let is_to_have = |model: &str| live.desired.iter().flatten().any(|desired| desired.model == model);
        let comes = |model: &str| live.has_warm(model) || live.loading_permille(model).is_some() || is_to_have(model);
        let of_swaps = || swaps.iter().filter(|swap| swap.worker == live.id);
        let comes_later = |model: &str| of_swaps().find(|swap| swap.model == model).map(|swap| (0, Some(swap.warm_in_ms)));
        let leaves = |model: &str| {
            let swap = of_swaps().find(|swap| swap.leaves.iter().any(|leaves| leaves == model));
            swap.map(|swap| (swap.begins_in_ms, swap.back_in_ms))
        };
        let away = |model: &str| {
            let (from_in_ms, until_in_ms) = comes_later(model).or_else(|| leaves(model))?;
            let until_ms = until_in_ms.map_or(f64::INFINITY, |in_ms| now_ms + in_ms as f64);
            Some(Away { from_ms: now_ms + from_in_ms as f64, until_ms })
        };
        let served = self.models.iter().filter(|(model, _)| live.serves(model) && (comes(model) || comes_later(model).is_some()));
        let served = served.map(|(model, (number, _))| {
            let away = away(model);
            // When it is back it has been loaded.
            let load_ms = if away.is_some() { 0.0 } else { live.load_left_ms(model) as f64 };
            ServedModel { away, ..ServedModel::loads_in(*number, load_ms) }
        });
        Worker {
            sampling: live.slots.sampling,
            decoding: live.slots.decoding,
            device: Device { speed, ..Device::default() },
            models: served.collect(),
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
    use store::{DesiredModel, HeldModel, HeldModels, HeldState, LiveWorker, WorkerSlots};
    use uuid::Uuid;

    fn says_nothing() -> LiveWorker {
        LiveWorker {
            id: WorkerId::from_uuid(Uuid::nil()),
            device: "cpu".to_owned(),
            slots: WorkerSlots::default(),
            memory_bytes: Some(100),
            models: None,
            held: None,
            desired: None,
            started_at: Timestamp::from_ms(0),
            is_draining: false,
        }
    }

    #[test]
    fn of_models_that_are_not_loaded_a_worker_serves_those_that_it_is_to_load() {
        let names = Names { models: BTreeMap::from([("a".to_owned(), (0, true)), ("b".to_owned(), (1, true))]), tenants: BTreeMap::new() };
        let says_nothing = says_nothing();
        let served = |live: &LiveWorker| {
            names.worker(live, 1.0, (&[], 0.0)).models.iter().map(|served| (served.model, served.load_ms)).collect::<Vec<_>>()
        };
        assert_eq!(served(&says_nothing), [(0, 0.0), (1, 0.0)]);
        let empty = LiveWorker { held: Some(HeldModels { memory_max_bytes: Some(95), models: Vec::new() }), ..says_nothing };
        assert_eq!(served(&empty), []);
        let wanted = DesiredModel { model: "b".to_owned(), reason: String::new(), load_ms: 700 };
        assert_eq!(served(&LiveWorker { desired: Some(vec![wanted]), ..empty }), [(1, 700.0)]);
    }
    #[test]
    fn a_model_that_is_to_be_swapped_in_is_served_from_then_on_and_what_it_replaces_until_then() {
        let names = Names { models: BTreeMap::from([("a".to_owned(), (0, true)), ("b".to_owned(), (1, true))]), tenants: BTreeMap::new() };
        let at = Timestamp::from_ms(0);
        let held = HeldModel {
            model: "a".to_owned(),
            memory_bytes: 60,
            state: HeldState::Warm,
            since: at,
            used_at: at,
            running: 0,
            load_ms: None,
            failed: None,
        };
        let live = LiveWorker { held: Some(HeldModels { memory_max_bytes: Some(95), models: vec![held] }), ..says_nothing() };
        let swap = ForeseenSwap {
            model: "b".to_owned(),
            worker: live.id,
            leaves: vec!["a".to_owned()],
            begins_in_ms: 200,
            warm_in_ms: 900,
            back_in_ms: Some(5000),
        };
        let worker = names.worker(&live, 1.0, (std::slice::from_ref(&swap), 1000.0));
        let away = |from_ms, until_ms| Some(Away { from_ms, until_ms });
        let served: Vec<_> = worker.models.iter().map(|served| (served.model, served.load_ms, served.away)).collect();
        assert_eq!(served, [(0, 0.0, away(1200.0, 6000.0)), (1, 0.0, away(1000.0, 1900.0))]);
        let for_good = ForeseenSwap { back_in_ms: None, ..swap };
        assert_eq!(names.worker(&live, 1.0, (&[for_good], 0.0)).models[0].away, away(200.0, f64::INFINITY));
    }
}
