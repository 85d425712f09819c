//! Models whose jobs wait because what is pinned on the workers that are there leaves them no room.

use super::view::Look;
use std::collections::BTreeSet;
use store::{HeldModel, LiveWorker};

impl<'a> Look<'a> {
    /// Those of these models that a worker of this kind could load but for what is pinned there, where no worker of any kind has one or room for it.
    pub(super) fn crowded_out(&self, models: &BTreeSet<&'a str>) -> BTreeSet<&'a str> {
        let kept = self.kept();
        if kept.is_empty() {
            return BTreeSet::new();
        }
        models.iter().copied().filter(|model| self.is_crowded_out(model, &kept)).collect()
    }

    /// Models that stay wherever they are: those that are pinned on as many workers as have them.
    fn kept(&self) -> BTreeSet<&'a str> {
        let having = |model: &str| {
            let has_it = |worker: &&LiveWorker| !worker.is_draining && held(worker, model).is_some_and(HeldModel::is_present);
            self.state.workers.iter().filter(has_it).count()
        };
        let pins = self.rules.iter().filter(|(model, rule)| rule.pinned_workers > 0 && self.offered.contains(*model));
        pins.filter(|(model, rule)| rule.pinned_workers as usize >= having(model)).map(|(model, _)| model.as_str()).collect()
    }

    /// One that could not be loaded somewhere is no reason to try elsewhere.
    fn is_crowded_out(&self, model: &str, kept: &BTreeSet<&str>) -> bool {
        let staying = || self.state.workers.iter().filter(|worker| !worker.is_draining && worker.serves(model));
        let has_failed = |worker: &LiveWorker| held(worker, model).is_some_and(|own| own.failed.is_some());
        staying().any(|worker| worker.device == self.device && fits(worker, model))
            && !staying().any(|worker| has_failed(worker) || has_room(worker, model, kept))
    }
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
fn has_room(worker: &LiveWorker, model: &str, kept: &BTreeSet<&str>) -> bool {
    let Some(held) = &worker.held else { return true };
    let (Some(own), Some(max_bytes)) = (held.of(model), held.memory_max_bytes) else { return held.of(model).is_some() };
    let others = held.models.iter().filter(|other| other.is_present() && kept.contains(other.model.as_str()));
    own.is_present() || others.map(|other| other.memory_bytes).fold(own.memory_bytes, u64::saturating_add) <= max_bytes
}
