//! Answers that may be a second old: what every estimate is made of, and changes slowly.

use std::{
    collections::HashMap,
    future::Future,
    hash::Hash,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

const GOOD_FOR: Duration = Duration::from_secs(1);

pub(crate) struct Recent<K, V> {
    answers: Mutex<HashMap<K, (Instant, V)>>,
}

impl<K, V> Default for Recent<K, V> {
    fn default() -> Self {
        Self { answers: Mutex::default() }
    }
}

impl<K: Eq + Hash, V: Copy> Recent<K, V> {
    /// The answer to `key`, asked for anew when the last one is too old.
    ///
    /// # Errors
    /// That of `ask`.
    pub(crate) async fn get<E, F: Future<Output = Result<V, E>>>(&self, key: K, ask: impl FnOnce() -> F) -> Result<V, E> {
        if let Some((_, answer)) = self.lock().get(&key).filter(|(since, _)| since.elapsed() < GOOD_FOR) {
            return Ok(*answer);
        }
        let answer = ask().await?;
        let mut answers = self.lock();
        answers.retain(|_, (since, _)| since.elapsed() < GOOD_FOR);
        answers.insert(key, (Instant::now(), answer));
        Ok(answer)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<K, (Instant, V)>> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
