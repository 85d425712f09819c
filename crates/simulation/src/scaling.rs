//! Scaling by a threshold, to compare with: a worker is added when too many jobs wait for each, and removed when it has been idle for a while.

use crate::{Engine, StateError, Worker};
use domain::Stage;

/// When workers come and go.
#[derive(Debug, Clone, PartialEq)]
pub struct Scaling {
    /// More are added when more jobs than this wait for each.
    pub waiting_per_worker: f64,
    pub workers_min: usize,
    pub workers_max: usize,
    /// How long it takes until an added worker takes jobs.
    pub cold_start_ms: f64,
    /// How long a worker is idle before it is removed.
    pub idle_ms: f64,
    /// How often is looked. Each time a tenth of the workers is added at most, and one at least.
    pub look_every_ms: f64,
    /// What is added.
    pub worker: Worker,
}

/// Looks at an engine again and again.
#[derive(Debug, Clone)]
pub struct Scaler {
    scaling: Scaling,
    next_look_ms: f64,
    /// Since when each worker has been idle.
    idle_since_ms: Vec<Option<f64>>,
}

impl Scaler {
    #[must_use]
    pub const fn new(scaling: Scaling) -> Self {
        Self { scaling, next_look_ms: 0.0, idle_since_ms: Vec::new() }
    }

    #[must_use]
    pub const fn next_look_ms(&self) -> f64 {
        self.next_look_ms
    }

    /// Adds and removes what is to be, as the engine is now.
    ///
    /// # Errors
    /// [`StateError`] when the worker to be added serves a model that the engine does not know.
    pub fn look(&mut self, engine: &mut Engine) -> Result<(), StateError> {
        let now_ms = engine.now_ms();
        self.next_look_ms = now_ms + self.scaling.look_every_ms;
        let used: Vec<_> = engine.device_use().collect();
        let mut up = used.iter().filter(|worker| worker.is_up).count();
        let waiting = engine.waiting(Stage::Sampling) + engine.waiting(Stage::Decoding);
        self.idle_since_ms.resize(used.len(), None);
        for (number, worker) in used.iter().enumerate() {
            let idle_since = &mut self.idle_since_ms[number];
            // One that starts is not idle.
            *idle_since = (worker.is_up && worker.has_started && worker.running == 0).then(|| idle_since.unwrap_or(now_ms));
            let is_over = idle_since.is_some_and(|since| now_ms - since >= self.scaling.idle_ms);
            if is_over && waiting == 0 && up > self.scaling.workers_min {
                engine.stop_worker(number);
                up -= 1;
            }
        }
        if waiting as f64 > self.scaling.waiting_per_worker * up as f64 {
            for _ in 0..(up / 10).max(1).min(self.scaling.workers_max.saturating_sub(up)) {
                engine.add_worker(Worker { available_at_ms: now_ms + self.scaling.cold_start_ms, ..self.scaling.worker.clone() })?;
            }
        }
        Ok(())
    }
}
