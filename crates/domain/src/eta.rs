//! When a job will have ended, as far as it is known.

use serde::{Deserialize, Serialize};

/// A duration as likely (`p50_ms`) and as a bound that nine of ten jobs keep (`p90_ms`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interval {
    pub p50_ms: u64,
    pub p90_ms: u64,
}

/// Time from now until the job has ended.
pub type Eta = Interval;

/// Why there is no estimate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum NoEta {
    /// The job has ended, or nobody asked.
    NotAsked,
    /// No worker is alive for one of the stages.
    NoWorker,
    /// No job of this kind has been timed yet.
    NotMeasured,
    /// Jobs of a model that was not timed yet wait or run, and nothing is known of how long they take.
    OtherModels,
    /// The operator keeps it from being begun.
    Paused,
}
