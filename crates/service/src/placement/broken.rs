//! Models that no worker can load although work waits for them.

use domain::{Stage, WorkerId, job::Device};
use std::collections::BTreeSet;
use store::{
    HeldModel, LiveWorker,
    queue::{OpenPhase, QueueState, UnloadableModel},
};

const STAGES: [Stage; 2] = [Stage::Sampling, Stage::Decoding];

/// Those that every worker has failed to load which does the stage and serves them, where the plan has nobody try again.
pub(super) fn unloadable(state: &QueueState, planned: &BTreeSet<(WorkerId, String)>) -> Vec<UnloadableModel> {
    let mut found = Vec::new();
    for stage in STAGES {
        let waits = state.jobs.iter().filter(|job| job.phase == OpenPhase::Waiting(stage)).map(|job| job.model.as_str());
        for model in waits.collect::<BTreeSet<_>>() {
            let serve = state.workers.iter().filter(|worker| !worker.is_draining && does(worker, stage) && worker.serves(model));
            let problems: Option<Vec<_>> = serve.map(|worker| Some((worker, problem(worker, model, planned)?))).collect();
            let Some((worker, problem)) = problems.and_then(|problems| problems.into_iter().next()) else { continue };
            let device = Device { kind: worker.device.clone(), memory_bytes: worker.memory_bytes };
            found.push(UnloadableModel { model: model.to_owned(), stage, worker: worker.id, device, problem });
        }
    }
    found
}

fn does(worker: &LiveWorker, stage: Stage) -> bool {
    let slots = match stage {
        Stage::Sampling => worker.slots.sampling,
        Stage::Decoding => worker.slots.decoding,
    };
    slots.all() > 0
}

/// `None`: a worker has the model, or may yet.
fn problem(worker: &LiveWorker, model: &str, planned: &BTreeSet<(WorkerId, String)>) -> Option<String> {
    let held = worker.held.as_ref()?.of(model)?;
    let is_tried = planned.contains(&(worker.id, model.to_owned()));
    held.failed.clone().filter(|_| HeldModel::is_broken(held) && !is_tried)
}
