//! What a plan goes by: workers with their models, what waits for each, what loading takes, and what the operator says.

use super::{
    arrivals::Arrivals,
    is_placed,
    served::{Served, Stages},
};
use crate::{costs::Costs, scaling::Starting};
use domain::{
    Catalog, JobId, Stage, Timestamp, WorkerId,
    billing::Lane,
    scheduling::{
        Workload,
        fleet::{
            self, DemandView, FleetView, LargeDemand, LoadedModel, ModelCost, ModelDemand, ModelPolicy, ModelState, NEVER_IDLE_MS,
            PlacementPolicy, StartingWorker, WorkerView,
        },
    },
};
use std::collections::{BTreeMap, BTreeSet};
use store::{
    HeldModel, HeldState, LiveWorker, LoadCost, ModelRule,
    queue::{OpenJob, OpenPhase, QueueState},
};

/// A job of a model that was never measured.
const UNMEASURED_MS: f64 = 1000.0;
/// Milliseconds of a device for a second of video, of a model that was never measured.
const UNMEASURED_PACE: u64 = 1000;
/// How fast weights are loaded that never were, in bytes a millisecond: a gigabyte a second.
pub(super) const LOADED_PER_MS: u64 = 1_000_000;

/// What was read for a plan.
pub(super) struct Known<'a> {
    pub(super) state: &'a QueueState,
    pub(super) costs: &'a Costs,
    pub(super) catalog: &'a Catalog,
    pub(super) learned: &'a [LoadCost],
    pub(super) rules: &'a BTreeMap<String, ModelRule>,
    pub(super) arrivals: &'a Arrivals,
    /// What jobs that wait need of the memory of a device, in bytes.
    pub(super) needs: &'a BTreeMap<JobId, u64>,
    /// Workers that were asked for.
    pub(super) starting: &'a [Starting],
    pub(super) wait_max_ms: u64,
}

/// Workers that do the same stages, whose models are planned together: one that only decodes is of no use to who waits for a sampler.
pub(super) struct Group<'a> {
    stages: Stages,
    pub(super) workers: Vec<&'a LiveWorker>,
}

impl<'a> Group<'a> {
    /// Of the workers whose memory is limited.
    pub(super) fn all(workers: &'a [LiveWorker]) -> Vec<Self> {
        let mut groups: BTreeMap<Stages, Vec<&LiveWorker>> = BTreeMap::new();
        for worker in workers.iter().filter(|worker| is_placed(worker)) {
            groups.entry((worker.slots.sampling.all() > 0, worker.slots.decoding.all() > 0)).or_default().push(worker);
        }
        groups.into_iter().map(|(stages, workers)| Self { stages, workers }).collect()
    }

    fn does(&self, stage: Stage) -> bool {
        match stage {
            Stage::Sampling => self.stages.0,
            Stage::Decoding => self.stages.1,
        }
    }

    fn devices(&self) -> BTreeSet<&'a str> {
        self.workers.iter().map(|worker| worker.device.as_str()).collect()
    }
}

/// The input of a plan, but for what follows what and the time.
pub(super) struct View {
    pub(super) fleet: FleetView,
    pub(super) demand: DemandView,
    pub(super) costs: fleet::Costs,
    pub(super) policy: PlacementPolicy,
}

impl View {
    /// Of the workers of one group; notes which models are served there.
    pub(super) fn of(known: &Known<'_>, group: &Group<'_>, served: &mut Served) -> Self {
        for worker in group.workers.iter().filter(|worker| !worker.is_draining) {
            for held in worker.held.iter().flat_map(|held| &held.models).filter(|held| held.state == HeldState::Warm) {
                served.note_warm(group.stages, &held.model, known.state.now);
            }
        }
        for model in known.served_besides(group) {
            served.note_warm(group.stages, model, known.state.now);
        }
        let running = known.running();
        let of_worker = |worker: &LiveWorker| running.get(&worker.id).map_or(&[][..], Vec::as_slice);
        let workers: Vec<WorkerView> = group.workers.iter().map(|worker| known.worker(worker, of_worker(worker))).collect();
        let fleet = FleetView { starting: known.starting_beside(&workers), workers };
        Self { fleet, demand: known.demand(group, served), costs: known.load_costs(group), policy: known.policy() }
    }

    /// What loading a model on a kind of device is expected to take.
    pub(super) fn load_ms(&self, model: &str, device: &str) -> u64 {
        self.costs.of(model, device).map_or(0, |cost| cost.load_ms)
    }
}

impl Known<'_> {
    /// Models that jobs wait for and for each stage of the group a worker has warm that takes jobs, in the group or not: one that is warm on a
    /// sampler alone is not served for who decodes as well.
    fn served_besides(&self, group: &Group<'_>) -> BTreeSet<&str> {
        let waiting = self.state.jobs.iter().filter(|open| matches!(open.phase, OpenPhase::Waiting(stage) if group.does(stage)));
        let is_served = |model: &str, stage: Stage| {
            let takes = |worker: &&LiveWorker| !worker.is_draining && worker.slots.of(stage).all() > 0;
            self.state.workers.iter().filter(takes).any(|worker| worker.has_warm(model))
        };
        let mut models: BTreeSet<&str> = waiting.map(|open| open.model.as_str()).collect();
        models.retain(|model| [Stage::Sampling, Stage::Decoding].into_iter().all(|stage| !group.does(stage) || is_served(model, stage)));
        models
    }

    /// Those that are starting with a device of a kind that is there: they can load what the others of their kind can.
    fn starting_beside(&self, workers: &[WorkerView]) -> Vec<StartingWorker> {
        let servable = |device: &str| {
            let of_kind = workers.iter().filter(|worker| worker.device_kind == device);
            of_kind.flat_map(|worker| worker.servable.iter().cloned()).collect::<BTreeSet<_>>()
        };
        let starting = self.starting.iter().map(|starting| StartingWorker {
            device_kind: starting.device.clone(),
            ready_in_ms: starting.ready_in_ms,
            servable: servable(&starting.device).into_iter().collect(),
        });
        starting.filter(|starting| !starting.servable.is_empty()).collect()
    }

    /// The jobs that run, by worker.
    fn running(&self) -> BTreeMap<WorkerId, Vec<&OpenJob>> {
        let mut running: BTreeMap<WorkerId, Vec<&OpenJob>> = BTreeMap::new();
        for open in &self.state.jobs {
            if let OpenPhase::Running { worker, .. } = open.phase {
                running.entry(worker).or_default().push(open);
            }
        }
        running
    }

    /// `running`: its jobs.
    fn worker(&self, worker: &LiveWorker, running: &[&OpenJob]) -> WorkerView {
        let held = worker.held.clone().unwrap_or_default();
        // What models may take, and the part of it that they may not.
        let by_models = || held.memory_max_bytes.unwrap_or(0).saturating_mul(1000).div_ceil(fleet::MEMORY_MAX_PERMILLE);
        let memory_total_bytes = worker.memory_bytes.unwrap_or_else(by_models);
        let left_ms = self.left_ms(worker, running);
        let can_load = |held: &&HeldModel| !matches!(held.state, HeldState::Failed { .. });
        // What one that only decodes runs is decoded.
        let slots = if worker.slots.sampling.all() > 0 { worker.slots.sampling } else { worker.slots.decoding };
        WorkerView {
            worker: worker.id,
            device_kind: worker.device.clone(),
            memory_total_bytes,
            models: held.models.iter().filter(|held| held.is_present()).map(|held| loaded(held, &left_ms)).collect(),
            servable: held.models.iter().filter(can_load).map(|held| held.model.clone()).collect(),
            failed: held.models.iter().filter(|held| held.failed.is_some()).map(|held| held.model.clone()).collect(),
            slots_free: slots.all().saturating_sub(running.len()).try_into().unwrap_or(u32::MAX),
            draining: worker.is_draining,
        }
    }

    /// Models with what is left to do of the longest of these jobs of theirs, in milliseconds.
    fn left_ms<'a>(&self, worker: &LiveWorker, running: &[&'a OpenJob]) -> BTreeMap<&'a str, f64> {
        let (device, mut left_ms) = (BTreeSet::from([worker.device.as_str()]), BTreeMap::<&str, f64>::new());
        for open in running {
            let OpenPhase::Running { stage, done_permille, .. } = open.phase else { continue };
            let all_ms = self.work_ms(&open.model, &device, open.workload(), stage);
            let longest = left_ms.entry(&open.model).or_default();
            *longest = longest.max(all_ms * f64::from(1000 - done_permille.min(1000)) / 1000.0);
        }
        left_ms
    }

    /// A stage of a job on the fastest of these kinds of devices, in milliseconds.
    fn work_ms(&self, model: &str, devices: &BTreeSet<&str>, workload: Workload, stage: Stage) -> f64 {
        let of = |device: Option<&str>| {
            let costs = self.costs.of_stages(model, device, workload)?;
            Some(if stage == Stage::Sampling { costs.sampling_ms } else { costs.decoding_ms })
        };
        devices.iter().filter_map(|device| of(Some(device))).min_by(f64::total_cmp).unwrap_or(UNMEASURED_MS)
    }

    /// Whether a worker has a device of so many bytes, or does not say.
    fn is_large_enough(worker: &LiveWorker, bytes: u64) -> bool {
        worker.memory_bytes.is_none_or(|memory| memory >= bytes)
    }

    /// The most that a job of the model needs of which a worker of the group has as much; 0: no job needs more than others, or it is warm
    /// on such a worker outside of all groups, and stays so.
    fn large_bytes(&self, group: &Group<'_>, model: &str) -> u64 {
        let waits = |open: &&OpenJob| open.model == model && matches!(open.phase, OpenPhase::Waiting(stage) if group.does(stage));
        let has_it = |worker: &LiveWorker| !worker.is_draining && worker.serves(model);
        let can_load = |worker: &LiveWorker| worker.held.as_ref().and_then(|held| held.of(model)).is_some_and(|held| !held.is_broken());
        let may = |bytes: &u64| {
            let fits = |worker: &LiveWorker| has_it(worker) && Self::is_large_enough(worker, *bytes);
            let is_elsewhere = self.state.workers.iter().any(|worker| !is_placed(worker) && fits(worker) && worker.has_warm(model));
            !is_elsewhere && group.workers.iter().any(|worker| fits(worker) && can_load(worker))
        };
        self.state.jobs.iter().filter(waits).filter_map(|open| self.needs.get(&open.id)).copied().filter(may).max().unwrap_or(0)
    }

    /// For each model what waits for a large device.
    fn large(&self, group: &Group<'_>, served: &mut Served) -> BTreeMap<&str, u64> {
        let waiting = self.state.jobs.iter().filter(|open| self.needs.contains_key(&open.id)).map(|open| open.model.as_str());
        let models: BTreeSet<&str> = waiting.collect();
        let large: BTreeMap<&str, u64> = models.into_iter().map(|model| (model, self.large_bytes(group, model))).collect();
        for (model, bytes) in &large {
            if group.workers.iter().any(|worker| !worker.is_draining && Self::is_large_enough(worker, *bytes) && worker.has_warm(model)) {
                served.note_warm_on_large(group.stages, model, self.state.now);
            }
        }
        large
    }

    fn demand(&self, group: &Group<'_>, served: &mut Served) -> DemandView {
        let (large, now) = (self.large(group, served), self.state.now);
        let (devices, mut demand, mut oldest) = (group.devices(), BTreeMap::<&str, ModelDemand>::new(), BTreeMap::<&str, Timestamp>::new());
        let stages =
            |first: Stage| [Stage::Sampling, Stage::Decoding].into_iter().filter(move |stage| *stage == first || first == Stage::Sampling);
        let all_ms = |model: &str, workload: Workload, first: Stage| -> f64 {
            stages(first).filter(|stage| group.does(*stage)).map(|stage| self.work_ms(model, &devices, workload, stage)).sum()
        };
        for open in &self.state.jobs {
            let OpenPhase::Waiting(stage) = open.phase else { continue };
            if !group.does(stage) {
                continue;
            }
            // Of what waits, none is nothing.
            let work_ms = (all_ms(&open.model, open.workload(), stage) as u64).max(1);
            let of_model = demand.entry(&open.model).or_default();
            of_model.jobs += 1;
            match open.lane {
                Lane::Interactive => of_model.interactive_ms += work_ms,
                Lane::Batch => of_model.batch_ms += work_ms,
            }
            let since = served.waits_since(open, stage);
            oldest.entry(&open.model).and_modify(|oldest| *oldest = (*oldest).min(since)).or_insert(since);
            let needs_bytes = large.get(&*open.model).copied().unwrap_or(0);
            if self.needs.get(&open.id).is_some_and(|bytes| *bytes <= needs_bytes) {
                let wait_ms = now.ms_since(served.unserved_on_large_since(group.stages, &open.model, since));
                let before = of_model.large.unwrap_or(LargeDemand { needs_bytes, queued_ms: 0, oldest_wait_ms: 0 });
                let (queued_ms, oldest_wait_ms) = (before.queued_ms.saturating_add(work_ms), before.oldest_wait_ms.max(wait_ms));
                of_model.large = Some(LargeDemand { needs_bytes, queued_ms, oldest_wait_ms });
            }
        }
        for (model, workload) in self.arrivals.lately() {
            demand.entry(model).or_default().arrived_ms += (all_ms(model, workload, Stage::Sampling) as u64).max(1);
        }
        let models = demand.into_iter().map(|(model, demand)| {
            let since = oldest.get(model).map(|oldest| served.unserved_since(group.stages, model, *oldest));
            ModelDemand { model: model.to_owned(), oldest_wait_ms: since.map(|since| now.ms_since(since)), ..demand }
        });
        DemandView { models: models.collect() }
    }

    fn load_costs(&self, group: &Group<'_>) -> fleet::Costs {
        let mut costs = fleet::Costs::default();
        for device in group.devices() {
            let mut bytes: BTreeMap<&str, u64> = BTreeMap::new();
            for worker in group.workers.iter().filter(|worker| worker.device == device) {
                for held in worker.held.iter().flat_map(|held| &held.models) {
                    let most = bytes.entry(&held.model).or_default();
                    *most = (*most).max(held.memory_bytes);
                }
            }
            for (model, memory_bytes) in bytes {
                let learned = self.learned.iter().find(|cost| cost.model == model && cost.device == device);
                let measured = learned.and_then(|cost| cost.memory_bytes).filter(|bytes| *bytes > 0);
                // Of what nobody knows the size, no device has room.
                let Some(memory_bytes) = Some(memory_bytes).filter(|bytes| *bytes > 0).or(measured) else { continue };
                let pace = self.catalog.by_id(model).and_then(|model| self.costs.pace(model, device));
                costs.set(
                    model,
                    device,
                    ModelCost {
                        load_ms: learned.and_then(|cost| cost.load_ms).unwrap_or(memory_bytes / LOADED_PER_MS),
                        unload_ms: learned.and_then(|cost| cost.unload_ms).unwrap_or(0),
                        memory_bytes,
                        device_ms_per_video_second: pace.map_or(UNMEASURED_PACE, |pace| (pace as u64).max(1)),
                    },
                );
            }
        }
        costs
    }

    fn policy(&self) -> PlacementPolicy {
        let policy = |rule: &ModelRule| ModelPolicy {
            pinned_workers: rule.pinned_workers,
            keep_warm_ms: rule.keep_warm_ms.unwrap_or(NEVER_IDLE_MS),
        };
        let models = self.rules.iter().map(|(model, rule)| (model.clone(), policy(rule))).collect();
        PlacementPolicy { models, wait_max_ms: self.wait_max_ms, ..PlacementPolicy::default() }
    }
}

fn loaded(held: &HeldModel, left_ms: &BTreeMap<&str, f64>) -> LoadedModel {
    LoadedModel {
        model: held.model.clone(),
        memory_bytes: held.memory_bytes,
        // One that waits for its jobs to go is planned anew with what waits now: it may be taken back.
        state: match held.state {
            HeldState::Loading { permille } => ModelState::Loading { permille },
            _ => ModelState::Warm,
        },
        since: held.since,
        used_at: held.used_at,
        running: held.running,
        running_left_ms: left_ms.get(&*held.model).copied().unwrap_or(0.0) as u64,
    }
}
