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
    /// Begin and end in late ones of the likely futures. `None`: it was followed into one alone.
    pub(crate) late: Option<Late>,
}

/// Moments of a job in milliseconds from now, later than in most of the futures that it was followed into.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Late {
    pub(crate) begins_ms: f64,
    pub(crate) ends_ms: f64,
}

impl Outlook {
    /// The same of a job that enters the queue so much later.
    pub(super) fn after_ms(self, ms: f64) -> Self {
        let late = self.late.map(|late| Late { begins_ms: late.begins_ms + ms, ends_ms: late.ends_ms + ms });
        Self { enters_ms: self.enters_ms + ms, begins_ms: self.begins_ms + ms, ends_ms: self.ends_ms + ms, late }
    }

    /// The same of a job whose model is loaded first, which takes so long.
    pub(super) fn loaded_in_ms(self, ms: f64) -> Self {
        Self { enters_ms: self.enters_ms, ..self.after_ms(ms) }
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
        let late_ms = self.late.map(|late| whole(late.ends_ms.max(self.ends_ms)));
        Forecast { lane, basis, ms: whole(self.ends_ms), late_ms }
    }

    /// Until a worker begins it.
    pub(crate) fn wait(self, lane: Lane) -> Forecast {
        let basis = if self.enters_ms * 2.0 > self.begins_ms { EtaBasis::Release } else { EtaBasis::Queue };
        let late_ms = self.late.map(|late| whole(late.begins_ms.max(self.begins_ms)));
        Forecast { lane, basis, ms: whole(self.begins_ms), late_ms }
    }
}

/// Milliseconds, rounded.
fn whole(ms: f64) -> u64 {
    ms.max(0.0).round() as u64
}
