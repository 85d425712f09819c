//! Models that no worker can load although work waits for them.

use domain::{Stage, Timestamp, WorkerId, job::Device};
use std::collections::{BTreeMap, BTreeSet};
use store::{
    HeldModel, LiveWorker,
    queue::{OpenPhase, QueueState, UnloadableModel},
};

const STAGES: [Stage; 2] = [Stage::Sampling, Stage::Decoding];
/// A worker that was not seen for so long does not come back: jobs wait for it no more.
pub(super) const MAY_COME_BACK_MS: i64 = 60 * 60_000;

/// A model that every worker has failed to load which does a stage and serves it.
pub(super) struct Found {
    pub(super) broken: UnloadableModel,
    /// One of them tries again, or the plan has it try.
    pub(super) is_tried: bool,
}

/// Since when which models could be loaded nowhere, as far as this server has seen it without a break.
#[derive(Default)]
pub(super) struct Broken {
    since: BTreeMap<(String, &'static str), Timestamp>,
}

impl Broken {
    /// The clock was put back by so much.
    pub(super) fn put_back(&mut self, ms: i64) {
        self.since.values_mut().for_each(|since| *since = since.plus_ms(-ms));
    }

    /// Those that nobody tries again and of which that has held for as long as a model is waited for: a worker that hangs, restarts or drains is
    /// not missed for a moment.
    pub(super) fn for_long(&mut self, found: Vec<Found>, wait_max_ms: u64, now: Timestamp) -> Vec<UnloadableModel> {
        let key = |broken: &UnloadableModel| (broken.model.clone(), broken.stage.as_str());
        let since = |broken: &UnloadableModel| self.since.get(&key(broken)).copied().unwrap_or(now);
        self.since = found.iter().map(|found| (key(&found.broken), since(&found.broken))).collect();
        let is_for_long = |found: &Found| !found.is_tried && now.ms_since(self.since[&key(&found.broken)]) >= wait_max_ms;
        found.into_iter().filter(is_for_long).map(|found| found.broken).collect()
    }
}

/// Those that a worker which takes jobs has failed to load, and every other of them and of `known`, the silent, the hanging and the draining
/// included: one that has not failed may be able to.
pub(super) fn unloadable(state: &QueueState, known: &[LiveWorker], planned: &BTreeSet<(WorkerId, String)>) -> Vec<Found> {
    let mut found = Vec::new();
    for stage in STAGES {
        let waits = state.jobs.iter().filter(|job| job.phase == OpenPhase::Waiting(stage)).map(|job| job.model.as_str());
        for model in waits.collect::<BTreeSet<_>>() {
            let serves = |worker: &&LiveWorker| worker.slots.of(stage).all() > 0 && worker.serves(model);
            let mut working = state.workers.iter().filter(|worker| !worker.is_draining).filter(serves);
            let Some((worker, problem)) = working.find_map(|worker| Some((worker, failed(worker, model)?.failed.clone()?))) else {
                continue;
            };
            let all = || state.workers.iter().chain(known).filter(serves);
            if all().any(|worker| failed(worker, model).is_none()) {
                continue;
            }
            let is_tried = all().any(|worker| {
                planned.contains(&(worker.id, model.to_owned())) || failed(worker, model).is_some_and(|held| !HeldModel::is_broken(held))
            });
            let device = Device { kind: worker.device.clone(), memory_bytes: worker.memory_bytes };
            let broken = UnloadableModel { model: model.to_owned(), stage, worker: worker.id, device, problem };
            found.push(Found { broken, is_tried });
        }
    }
    found
}

/// What a worker says of a model that it has failed to load. `None`: it has it, or may yet.
fn failed<'a>(worker: &'a LiveWorker, model: &str) -> Option<&'a HeldModel> {
    worker.held.as_ref()?.of(model).filter(|held| held.failed.is_some())
}
