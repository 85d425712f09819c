//! Models whose jobs wait because what is pinned on the workers that are there leaves them no room.

use super::view::Look;
use domain::Stage;
use std::collections::{BTreeMap, BTreeSet};
use store::{HeldModel, LiveWorker};

/// Whether a worker samples, and whether it decodes: those that do the same have their models placed together, each with all pins.
type Stages = (bool, bool);

impl<'a> Look<'a> {
    /// Those of these models, with a stage, that a worker of this kind could load for it but for what is pinned there, where no worker of any kind
    /// that does the stage has one or room for it, and none of another kind is starting that may have.
    pub(super) fn crowded_out(&self, models: &BTreeSet<&'a str>) -> BTreeSet<(Stage, &'a str)> {
        let kept = self.kept();
        if kept.is_empty() {
            return BTreeSet::new();
        }
        let all = [Stage::Sampling, Stage::Decoding].into_iter().flat_map(|stage| models.iter().map(move |model| (stage, *model)));
        all.filter(|(stage, model)| self.is_crowded_out(*stage, model, &kept)).collect()
    }

    /// Models that stay where they are: those that are pinned on as many workers as have them, of those that do these stages.
    fn kept(&self) -> BTreeSet<(Stages, &'a str)> {
        let mut having: BTreeMap<(Stages, &'a str), usize> = BTreeMap::new();
        let pins = self.rules.iter().filter(|(model, rule)| rule.pinned_workers > 0 && self.offered.contains(*model));
        for (model, _) in pins {
            let has_it = |worker: &&LiveWorker| !worker.is_draining && held(worker, model).is_some_and(HeldModel::is_present);
            for worker in self.state.workers.iter().filter(has_it) {
                *having.entry((stages(worker), model.as_str())).or_default() += 1;
            }
        }
        let pinned = |model: &str| self.rules.get(model).map_or(0, |rule| rule.pinned_workers as usize);
        having.into_iter().filter(|((_, model), workers)| pinned(model) >= *workers).map(|(kept, _)| kept).collect()
    }

    /// One that could not be loaded somewhere is no reason to try elsewhere.
    fn is_crowded_out(&self, stage: Stage, model: &str, kept: &BTreeSet<(Stages, &str)>) -> bool {
        let does_it = |worker: &&LiveWorker| worker.slots.of(stage).all() > 0 && worker.serves(model);
        let staying = || self.state.workers.iter().filter(|worker| !worker.is_draining).filter(does_it);
        let has_failed = |worker: &LiveWorker| held(worker, model).is_some_and(|own| own.failed.is_some());
        staying().any(|worker| worker.device == self.device && fits(worker, model))
            && !staying().any(|worker| has_failed(worker) || has_room(worker, model, kept))
            && !self.comes_elsewhere(model)
    }

    /// Whether a worker of another kind is starting that may have room for a model.
    fn comes_elsewhere(&self, model: &str) -> bool {
        let may = |device: &str| {
            let mut of_kind = self.state.workers.iter().filter(|worker| worker.device == device).peekable();
            of_kind.peek().is_none() || of_kind.any(|worker| worker.serves(model) && fits(worker, model))
        };
        self.starting.iter().any(|starting| starting.device != self.device && may(&starting.device))
    }
}

fn stages(worker: &LiveWorker) -> Stages {
    (worker.slots.sampling.all() > 0, worker.slots.decoding.all() > 0)
}

fn held<'w>(worker: &'w LiveWorker, model: &str) -> Option<&'w HeldModel> {
    worker.held.as_ref()?.of(model)
}

/// Whether a worker whose memory is limited has enough for a model.
fn fits(worker: &LiveWorker, model: &str) -> bool {
    let max_bytes = worker.held.as_ref().and_then(|held| held.memory_max_bytes);
    held(worker, model).zip(max_bytes).is_some_and(|(own, max_bytes)| (1..=max_bytes).contains(&own.memory_bytes))
}

/// Whether a worker has a model, or room for it beside those that are kept.
fn has_room(worker: &LiveWorker, model: &str, kept: &BTreeSet<(Stages, &str)>) -> bool {
    let Some(held) = &worker.held else { return true };
    let (Some(own), Some(max_bytes)) = (held.of(model), held.memory_max_bytes) else { return held.of(model).is_some() };
    let others = held.models.iter().filter(|other| other.is_present() && kept.contains(&(stages(worker), other.model.as_str())));
    own.is_present() || others.map(|other| other.memory_bytes).fold(own.memory_bytes, u64::saturating_add) <= max_bytes
}
