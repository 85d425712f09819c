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
    /// Jobs of another model wait or run, and what is known of this one says nothing of them.
    OtherModels,
}

impl Interval {
    pub(crate) const fn times(self, n: u64) -> Self {
        Self { p50_ms: self.p50_ms.saturating_mul(n), p90_ms: self.p90_ms.saturating_mul(n) }
    }

    pub(crate) const fn permille(self, part: u64) -> Self {
        Self { p50_ms: self.p50_ms.saturating_mul(part) / 1000, p90_ms: self.p90_ms.saturating_mul(part) / 1000 }
    }

    pub(crate) const fn shared_by(self, n: u64) -> Self {
        Self { p50_ms: self.p50_ms / n, p90_ms: self.p90_ms / n }
    }

    /// The same, begun so much later.
    #[must_use]
    pub const fn after_ms(self, ms: u64) -> Self {
        self.plus(Self { p50_ms: ms, p90_ms: ms })
    }

    pub(crate) const fn plus(self, other: Self) -> Self {
        Self { p50_ms: self.p50_ms.saturating_add(other.p50_ms), p90_ms: self.p90_ms.saturating_add(other.p90_ms) }
    }
}
