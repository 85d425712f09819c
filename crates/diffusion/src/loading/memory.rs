//! The parts of models that are loaded, shared by all models of a process and kept within a budget.

use std::any::Any;
use std::cell::Cell;
use std::collections::HashMap;
use std::ops::Deref;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::budget::{Budget, PartId};
use super::weights::LoadError;

type Value = Arc<dyn Any + Send + Sync>;
type Measure = dyn Fn() -> u64 + Send + Sync;
type Load<T> = dyn Fn() -> Result<T, LoadError> + Send + Sync;

thread_local! {
    static LOADING: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

/// How long calls on this thread have waited for parts to be loaded, by themselves or by others, since it began.
#[must_use]
pub fn loading_on_this_thread() -> Duration {
    LOADING.get()
}

/// What the models of a process keep loaded. Cheap to clone; all clones are the same memory.
///
/// A part is loaded when it is first used. Before that, parts that have not been used for the longest time are unloaded, of
/// whichever model, until the new one fits.
#[derive(Clone)]
pub struct Memory {
    loaded: Arc<Mutex<Loaded>>,
    /// Whose parts are made with this.
    model: ModelId,
}

/// A model, among all models of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ModelId(u64);

struct Loaded {
    budget: Budget,
    values: HashMap<PartId, Value>,
    /// All that there are, loaded or not.
    parts: HashMap<PartId, Known>,
    next: u64,
}

struct Known {
    model: ModelId,
    measure: Arc<Measure>,
}

impl Memory {
    /// At most `limit` bytes of weights; `None` keeps whatever was loaded. What a call uses at one time is loaded even if
    /// it exceeds the limit, and latents and intermediate results are not counted.
    pub fn new(limit: Option<u64>) -> Self {
        let loaded = Loaded { budget: Budget::new(limit), values: HashMap::new(), parts: HashMap::new(), next: 0 };
        Self { loaded: Arc::new(Mutex::new(loaded)), model: ModelId(0) }
    }

    /// The same memory for one more model: parts that are made with it, and its clones, are told from those of others.
    pub fn of_new_model(&self) -> Self {
        let mut loaded = self.lock();
        loaded.next += 1;
        Self { loaded: Arc::clone(&self.loaded), model: ModelId(loaded.next) }
    }

    /// Bytes that all parts of the model would take, loaded or not, as their files say.
    pub fn model_bytes(&self) -> u64 {
        let measures: Vec<Arc<Measure>> = {
            let loaded = self.lock();
            loaded.parts.values().filter(|known| known.model == self.model).map(|known| Arc::clone(&known.measure)).collect()
        };
        // Files are read for it, for which nobody else has to wait.
        measures.iter().map(|measure| measure()).sum()
    }

    /// Bytes of the parts of the model that are loaded.
    pub fn loaded_model_bytes(&self) -> u64 {
        let loaded = self.lock();
        loaded.of_model(self.model).filter(|part| loaded.values.contains_key(part)).map(|part| loaded.budget.bytes_of(part)).sum()
    }

    /// Unloads the parts of the model that no call uses. `false`: some are in use, and stay.
    pub fn unload_model(&self) -> bool {
        let mut guard = self.lock();
        let parts: Vec<PartId> = guard.of_model(self.model).collect();
        let idle: Vec<PartId> = parts.iter().copied().filter(|part| guard.budget.forget_idle(*part)).collect();
        let unloaded: Vec<Option<Value>> = idle.iter().map(|part| guard.values.remove(part)).collect();
        let is_all = parts.iter().all(|part| !guard.budget.holds(*part));
        drop(guard);
        drop(unloaded);
        is_all
    }

    /// Bytes of the parts that are loaded or being loaded.
    pub fn loaded_bytes(&self) -> u64 {
        self.lock().budget.bytes()
    }

    fn new_part(&self, measure: Arc<Measure>) -> PartId {
        let mut loaded = self.lock();
        loaded.next += 1;
        let part = PartId(loaded.next);
        loaded.parts.insert(part, Known { model: self.model, measure });
        part
    }

    /// Makes room for a part that a call begins to use; the part, if it is loaded.
    fn begin(&self, part: PartId, bytes: u64) -> Option<Value> {
        let mut guard = self.lock();
        let Loaded { budget, values, .. } = &mut *guard;
        let unloaded: Vec<Option<Value>> = budget.begin(part, bytes).iter().map(|other| values.remove(other)).collect();
        let value = values.get(&part).cloned();
        // Giving gigabytes back takes its time, for which nobody else has to wait.
        drop(guard);
        drop(unloaded);
        value
    }

    fn keep(&self, part: PartId, value: Value) {
        self.lock().values.insert(part, value);
    }

    fn end(&self, part: PartId) {
        self.lock().budget.end(part);
    }

    fn forget(&self, part: PartId) {
        let mut guard = self.lock();
        guard.budget.forget(part);
        let value = guard.values.remove(&part);
        drop(guard);
        drop(value);
    }

    /// The part is no more.
    fn drop_part(&self, part: PartId) {
        self.lock().parts.remove(&part);
        self.forget(part);
    }

    fn lock(&self) -> MutexGuard<'_, Loaded> {
        self.loaded.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Loaded {
    fn of_model(&self, model: ModelId) -> impl Iterator<Item = PartId> {
        self.parts.iter().filter(move |(_, known)| known.model == model).map(|(part, _)| *part)
    }
}

/// A part of a model: loaded when first used, unloaded when its memory is needed, loaded again when used again.
pub(crate) struct Part<T> {
    id: PartId,
    memory: Memory,
    measure: Arc<Measure>,
    load: Box<Load<T>>,
    /// Bytes, measured before the first load. Held while the part is loaded: whoever comes meanwhile waits for that load.
    bytes: Mutex<Option<u64>>,
}

impl<T: Send + Sync + 'static> Part<T> {
    /// `measure` tells how many bytes `load` will keep.
    pub fn new(
        memory: &Memory,
        measure: impl Fn() -> u64 + Send + Sync + 'static,
        load: impl Fn() -> Result<T, LoadError> + Send + Sync + 'static,
    ) -> Self {
        let (measure, load): (Arc<Measure>, _) = (Arc::new(measure), Box::new(load));
        Self { id: memory.new_part(Arc::clone(&measure)), memory: memory.clone(), measure, load, bytes: Mutex::new(None) }
    }

    /// The part, loaded; it stays so until the answer is dropped.
    ///
    /// # Errors
    /// As loading has them; the next call tries again.
    pub fn get(&self) -> Result<InUse<T>, LoadError> {
        let begun = Instant::now();
        let mut bytes = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        let loaded = self.memory.begin(self.id, *bytes.get_or_insert_with(|| (self.measure)()));
        let held = Use { part: self.id, memory: self.memory.clone() };
        if let Some(value) = loaded.and_then(|value| value.downcast::<T>().ok()) {
            return Ok(InUse { value, _held: held });
        }
        let read = (self.load)();
        LOADING.set(LOADING.get() + begun.elapsed());
        match read {
            Ok(value) => {
                let value = Arc::new(value);
                self.memory.keep(self.id, value.clone());
                Ok(InUse { value, _held: held })
            }
            Err(error) => {
                self.memory.forget(self.id);
                *bytes = None; // another file may lie there by the next call
                Err(error)
            }
        }
    }
}

impl<T> Drop for Part<T> {
    fn drop(&mut self) {
        self.memory.drop_part(self.id);
    }
}

/// A loaded part, not unloaded before this is dropped.
pub(crate) struct InUse<T> {
    value: Arc<T>,
    /// Dropped after `value`, so that a part which is not in use is nowhere but in the memory.
    _held: Use,
}

impl<T> Deref for InUse<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

/// A use of a part, ended when dropped.
struct Use {
    part: PartId,
    memory: Memory,
}

impl Drop for Use {
    fn drop(&mut self) {
        self.memory.end(self.part);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    use super::*;

    /// A part of 10 bytes that counts how often it was loaded.
    fn part(memory: &Memory, loads: &Arc<AtomicUsize>) -> Part<usize> {
        let loads = Arc::clone(loads);
        Part::new(memory, || 10, move || Ok(loads.fetch_add(1, Ordering::SeqCst)))
    }

    #[test]
    fn a_part_is_loaded_when_first_used_and_once() {
        let (memory, loads) = (Memory::new(None), Arc::default());
        let part = part(&memory, &loads);
        assert_eq!(memory.loaded_bytes(), 0);
        assert_eq!((*part.get().unwrap(), *part.get().unwrap(), memory.loaded_bytes()), (0, 0, 10));
        drop(part);
        assert_eq!(memory.loaded_bytes(), 0);
    }

    #[test]
    fn threads_that_ask_at_one_moment_share_one_load() {
        let (memory, loads, start) = (Memory::new(None), Arc::default(), Barrier::new(8));
        let part = part(&memory, &loads);
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    start.wait();
                    assert_eq!(*part.get().unwrap(), 0);
                });
            }
        });
        assert_eq!(loads.load(Ordering::SeqCst), 1);
    }

    #[test]
    fn a_part_is_unloaded_for_another_but_not_while_it_is_in_use() {
        let (memory, loads) = (Memory::new(Some(15)), Arc::default());
        let (first, second) = (part(&memory, &loads), part(&memory, &loads));
        let in_use = first.get().unwrap();
        drop(second.get().unwrap());
        assert_eq!(memory.loaded_bytes(), 20);
        drop(in_use);
        drop(second.get().unwrap());
        assert_eq!((memory.loaded_bytes(), loads.load(Ordering::SeqCst)), (10, 2));
        drop(first.get().unwrap());
        assert_eq!((memory.loaded_bytes(), loads.load(Ordering::SeqCst)), (10, 3));
    }

    #[test]
    fn a_model_is_counted_and_unloaded_by_itself_but_for_what_is_in_use() {
        let (memory, loads) = (Memory::new(None), Arc::default());
        let [a, b] = [(); 2].map(|()| memory.of_new_model());
        let (first, second, other) = (part(&a, &loads), part(&a, &loads), part(&b, &loads));
        assert_eq!((a.model_bytes(), a.loaded_model_bytes(), b.model_bytes()), (20, 0, 10));
        let in_use = first.get().unwrap();
        for part in [&second, &other] {
            drop(part.get().unwrap());
        }
        assert_eq!((a.loaded_model_bytes(), b.loaded_model_bytes(), memory.loaded_bytes()), (20, 10, 30));
        assert!(!a.unload_model());
        assert_eq!((a.loaded_model_bytes(), memory.loaded_bytes()), (10, 20));
        drop(in_use);
        assert!(a.unload_model());
        assert_eq!((a.loaded_model_bytes(), b.loaded_model_bytes(), memory.loaded_bytes()), (0, 10, 10));
        assert_eq!(*first.get().unwrap(), 3, "it is loaded again when it is used again");
        drop((first, second));
        assert_eq!((a.model_bytes(), memory.loaded_bytes()), (0, 10));
    }

    #[test]
    fn what_was_unloaded_is_nowhere_any_more() {
        let memory = Memory::new(None).of_new_model();
        let kept = Arc::new(());
        let held = Arc::clone(&kept);
        let part = Part::new(&memory, || 1, move || Ok(Arc::clone(&held)));
        drop(part.get().unwrap());
        assert_eq!(Arc::strong_count(&kept), 3);
        assert!(memory.unload_model());
        assert_eq!(Arc::strong_count(&kept), 2, "the one here, and the one that it is loaded from");
    }

    #[test]
    fn a_load_that_failed_is_tried_again_and_takes_no_room() {
        let (memory, tries) = (Memory::new(Some(10)), AtomicUsize::new(0));
        let fail = move || match tries.fetch_add(1, Ordering::SeqCst) {
            0 => Err(LoadError::Configuration { problem: "no".into() }),
            try_number => Ok(try_number),
        };
        let part = Part::new(&memory, || 10, fail);
        assert!(part.get().is_err());
        assert_eq!(memory.loaded_bytes(), 0);
        assert_eq!(*part.get().unwrap(), 1);
    }
}
