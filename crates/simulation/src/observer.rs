//! What happens to jobs, told to whoever counts it.

use crate::Job;
use domain::Stage;

/// What has happened to a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// It has come, and is kept outside of the queue by the limits of its tenant.
    Throttled,
    /// It was throttled and has entered the queue.
    Released,
    /// A worker has claimed it for a stage.
    Begun {
        stage: Stage,
        worker: usize,
    },
    /// It makes room for an interactive job, between two steps.
    Paused,
    Resumed,
    /// Its latents are there, and it waits for decoding.
    Sampled,
    Ended,
}

pub trait Observer {
    /// In the order in which it happens.
    fn observe(&mut self, at_ms: f64, job: &Job, event: Event);
}

/// Nobody looks.
impl Observer for () {
    fn observe(&mut self, _: f64, _: &Job, _: Event) {}
}

impl<F: FnMut(f64, &Job, Event)> Observer for F {
    fn observe(&mut self, at_ms: f64, job: &Job, event: Event) {
        self(at_ms, job, event);
    }
}
