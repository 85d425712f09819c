//! Which models of this process are in memory, which should be, and what is to be done about it: the bookkeeping alone.
//!
//! A model whose memory is limited goes from absent over loading to warm and back. Jobs are taken of warm models that are to stay. One that is
//! to go waits for its running jobs; one that could not be loaded is tried again after a pause. Where memory is not limited, all stay warm.

mod entry;

use diffusion::Memory;
use domain::scheduling::fleet::memory_max_bytes;
use entry::{Entry, Phase};
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use store::{DesiredModel, ModelsReport, clock::Instant};
use tokio::sync::watch;

/// The models of this process. Cheap to clone.
#[derive(Clone)]
pub struct Residency {
    shared: Arc<Shared>,
}

struct Shared {
    state: Mutex<State>,
    /// Those of which jobs are taken, by name.
    claimable: watch::Sender<Vec<String>>,
    /// Told whenever there may be something to do, or to say.
    changed: watch::Sender<()>,
}

struct State {
    /// For all models together.
    memory_max_bytes: Option<u64>,
    models: BTreeMap<String, Entry>,
    /// What loading takes of those that should be here. `None`: nobody has said, and what is here stays.
    desired: Option<BTreeMap<String, Duration>>,
    is_closing: bool,
}

/// What is to be done next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    Load(String),
    Unload(String),
}

/// A job of a model that runs; until this is dropped, the model stays.
pub struct ModelUse {
    residency: Residency,
    model: String,
}

impl Residency {
    /// Of these models, each with the bytes that it is expected to take, those that fit alone into a device of `device_memory` bytes. Where none
    /// does, or that is not known, their memory is not limited.
    pub fn new(models: Vec<(String, Memory, u64)>, device_memory: Option<u64>) -> Self {
        let limit = device_memory.map(memory_max_bytes);
        let entries = models.into_iter().map(|(model, memory, bytes)| (model, Entry::new(memory, bytes)));
        let mut entries: BTreeMap<String, Entry> = entries.collect();
        let fits = |entry: &Entry| limit.is_none_or(|limit| entry.bytes() <= limit);
        let memory_max_bytes = limit.filter(|_| entries.values().any(fits));
        if memory_max_bytes.is_none() && limit.is_some() {
            tracing::warn!("no model fits into the memory of the device: all are loaded all the same");
        }
        if memory_max_bytes.is_some() {
            for (model, _) in entries.extract_if(.., |_, entry| !fits(entry)) {
                tracing::warn!(model.name = model, "a model does not fit into the memory of the device: no jobs of it are taken");
            }
        }
        let state = Mutex::new(State { memory_max_bytes, models: entries, desired: None, is_closing: false });
        let shared = Shared { state, claimable: watch::Sender::default(), changed: watch::Sender::default() };
        Self { shared: Arc::new(shared) }
    }

    /// Whether the memory is limited, and models come and go.
    pub fn is_limited(&self) -> bool {
        self.state().memory_max_bytes.is_some()
    }

    /// All that can be loaded, by name.
    pub fn servable(&self) -> Vec<String> {
        self.state().models.keys().cloned().collect()
    }

    /// Those of which jobs are taken, as that changes.
    pub fn claimable(&self) -> watch::Receiver<Vec<String>> {
        self.shared.claimable.subscribe()
    }

    /// Told whenever there may be something to do, or to say.
    pub fn changes(&self) -> watch::Receiver<()> {
        self.shared.changed.subscribe()
    }

    /// Of these, in this order, as many as fit are to be loaded now: they count as being loaded.
    pub fn begin_first(&self, order: &[String]) -> Vec<String> {
        let mut state = self.state();
        let mut first = Vec::new();
        for model in order {
            if state.has_room_for(model) && state.begin_load(model) {
                first.push(model.clone());
            }
        }
        first
    }

    /// These should be here, and no others. `None`: what is here stays.
    pub fn want(&self, desired: Option<&[DesiredModel]>) {
        let mut state = self.state();
        let before = state.desired.take();
        state.desired = desired
            .filter(|_| state.memory_max_bytes.is_some())
            .map(|desired| desired.iter().map(|desired| (desired.model.clone(), Duration::from_millis(desired.load_ms))).collect());
        let is_other = |before: &BTreeMap<String, Duration>, now: &BTreeMap<String, Duration>| !before.keys().eq(now.keys());
        let is_changed = match (&before, &state.desired) {
            (Some(before), Some(now)) => is_other(before, now),
            (before, now) => before.is_some() != now.is_some(),
        };
        if is_changed {
            self.tell(state);
        }
    }

    /// No load is begun any more: the process takes no more jobs.
    pub fn close(&self) {
        self.state().is_closing = true;
    }

    /// What is to be done now, which counts as begun. What goes comes first.
    pub fn next(&self) -> Option<Action> {
        let mut state = self.state();
        let action = state.next()?;
        match &action {
            Action::Load(model) => {
                state.begin_load(model);
            }
            Action::Unload(model) => state.set(model, Phase::Going),
        }
        self.tell(state);
        Some(action)
    }

    /// It is loaded, which took so long.
    pub fn loaded(&self, model: &str, took: Duration) {
        let mut state = self.state();
        if let Some(entry) = state.models.get_mut(model) {
            entry.warm_up(took);
        }
        self.tell(state);
    }

    /// It could not be loaded, and is tried again after a pause.
    pub fn not_loaded(&self, model: &str, problem: String) {
        let mut state = self.state();
        if let Some(entry) = state.models.get_mut(model) {
            entry.fail(problem);
        }
        self.tell(state);
    }

    /// The device ran out of memory while it was loaded: it is tried again with more room, after a pause.
    pub fn ran_out_of_memory(&self, model: &str, problem: String) {
        let mut state = self.state();
        let max_bytes = state.memory_max_bytes.unwrap_or(0);
        if let Some(entry) = state.models.get_mut(model) {
            entry.run_out_of_memory(problem, max_bytes);
        }
        self.tell(state);
    }

    /// It is not in memory any more.
    pub fn unloaded(&self, model: &str) {
        let mut state = self.state();
        state.set(model, Phase::Absent);
        self.tell(state);
    }

    /// A job of a model begins. `None`: the model has gone since the job was claimed. One that is not known here fails by itself.
    pub fn begin(&self, model: &str) -> Option<ModelUse> {
        let mut state = self.state();
        if let Some(entry) = state.models.get_mut(model) {
            if !matches!(entry.phase, Phase::Warm) {
                return None;
            }
            entry.running += 1;
        }
        Some(ModelUse { residency: self.clone(), model: model.to_owned() })
    }

    /// What is said of the models at a sign of life.
    pub fn report(&self) -> ModelsReport {
        let state = self.state();
        let models = state.models.iter().map(|(model, entry)| {
            let expected = state.desired.as_ref().and_then(|desired| desired.get(model)).copied();
            entry.report(model, state.stays(model), expected)
        });
        ModelsReport { memory_max_bytes: state.memory_max_bytes, models: models.collect() }
    }

    /// Whether any is being loaded or is to go.
    pub fn is_changing(&self) -> bool {
        let state = self.state();
        state.models.iter().any(|(model, entry)| entry.is_present() && !(matches!(entry.phase, Phase::Warm) && state.stays(model)))
    }

    fn tell(&self, state: MutexGuard<'_, State>) {
        let claimable = state.claimable();
        drop(state);
        self.shared.claimable.send_if_modified(|known| {
            let is_new = *known != claimable;
            *known = claimable;
            is_new
        });
        self.shared.changed.send_replace(());
    }

    /// No method leaves it half changed, so a panic elsewhere does not spoil it.
    fn state(&self) -> MutexGuard<'_, State> {
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Whether a model stays once it is here.
    fn stays(&self, model: &str) -> bool {
        self.desired.as_ref().is_none_or(|desired| desired.contains_key(model))
    }

    fn claimable(&self) -> Vec<String> {
        let taken = |(model, entry): (&String, &Entry)| (matches!(entry.phase, Phase::Warm) && self.stays(model)).then(|| model.clone());
        self.models.iter().filter_map(taken).collect()
    }

    fn next(&self) -> Option<Action> {
        let goes = |(model, entry): &(&String, &Entry)| matches!(entry.phase, Phase::Warm) && entry.running == 0 && !self.stays(model);
        if let Some((model, _)) = self.models.iter().find(goes) {
            return Some(Action::Unload(model.clone()));
        }
        let desired = self.desired.as_ref().filter(|_| !self.is_closing)?;
        let model = desired.keys().find(|model| self.models.get(*model).is_some_and(Entry::may_load) && self.has_room_for(model))?;
        Some(Action::Load(model.clone()))
    }

    fn has_room_for(&self, model: &str) -> bool {
        let Some(limit) = self.memory_max_bytes else { return true };
        let used: u64 = self.models.values().filter(|entry| entry.is_present()).map(Entry::bytes).sum();
        self.models.get(model).is_some_and(|entry| used.saturating_add(entry.bytes()) <= limit)
    }

    /// `false`: it is not known here.
    fn begin_load(&mut self, model: &str) -> bool {
        let Some(entry) = self.models.get_mut(model) else { return false };
        entry.phase = Phase::Loading;
        entry.since = Instant::now();
        true
    }

    fn set(&mut self, model: &str, phase: Phase) {
        if let Some(entry) = self.models.get_mut(model) {
            entry.phase = phase;
        }
    }
}

impl Drop for ModelUse {
    fn drop(&mut self) {
        let mut state = self.residency.state();
        if let Some(entry) = state.models.get_mut(&self.model) {
            entry.running = entry.running.saturating_sub(1);
            entry.used_at = Instant::now();
        }
        self.residency.tell(state);
    }
}

#[cfg(test)]
mod tests;
