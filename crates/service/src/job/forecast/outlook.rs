//! What lies before a job.

use domain::{
    billing::Lane,
    scheduling::{EtaBasis, Forecast},
};

/// Moments of a job, in milliseconds from now; 0 of those that lie behind it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Outlook {
    /// It enters the queue.
    pub(crate) enters_ms: f64,
    /// A worker begins it.
    pub(crate) begins_ms: f64,
    pub(crate) ends_ms: f64,
}

impl Outlook {
    /// The same of a job that enters the queue so much later.
    pub(super) fn after_ms(self, ms: f64) -> Self {
        Self { enters_ms: self.enters_ms + ms, begins_ms: self.begins_ms + ms, ends_ms: self.ends_ms + ms }
    }

    /// The same of a job that has begun.
    pub(super) fn begun(self) -> Self {
        Self { enters_ms: 0.0, begins_ms: 0.0, ..self }
    }

    /// Until it has ended.
    pub(crate) fn forecast(self, lane: Lane) -> Forecast {
        let basis = if self.enters_ms * 2.0 > self.ends_ms {
            EtaBasis::Release
        } else if self.begins_ms * 2.0 > self.ends_ms {
            EtaBasis::Queue
        } else {
            EtaBasis::Work
        };
        Forecast { lane, basis, ms: whole(self.ends_ms) }
    }

    /// Until a worker begins it.
    pub(crate) fn wait(self, lane: Lane) -> Forecast {
        let basis = if self.enters_ms * 2.0 > self.begins_ms { EtaBasis::Release } else { EtaBasis::Queue };
        Forecast { lane, basis, ms: whole(self.begins_ms) }
    }
}

/// Milliseconds, rounded.
fn whole(ms: f64) -> u64 {
    ms.max(0.0).round() as u64
}
