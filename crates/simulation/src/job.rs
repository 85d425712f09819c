//! A job as the simulator knows it: whose it is, where it waits, and how long a device is busy with it.

use domain::{JobId, Stage, VideoTime, billing::Lane, scheduling::Tag};

/// Milliseconds of each stage.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct StageMs {
    pub sampling: f64,
    pub decoding: f64,
}

impl StageMs {
    #[must_use]
    pub const fn of(self, stage: Stage) -> f64 {
        match stage {
            Stage::Sampling => self.sampling,
            Stage::Decoding => self.decoding,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Job {
    /// Of two that finish at the same virtual time, the one with the lesser id is next.
    pub id: JobId,
    /// Which of the engine's tenants.
    pub tenant: usize,
    pub lane: Lane,
    /// Where it stands in its line, as one with a deadline knows before. `None`: behind the last of its tenant.
    pub stands: Option<Tag>,
    /// Its release rate and its tenant's limit have let it in already.
    pub has_entered: bool,
    /// Which of the engine's models.
    pub model: usize,
    /// Denoising steps: a batch job is paused between two of them.
    pub steps: u32,
    /// By which shares of the queue count it.
    pub work: VideoTime,
    /// By which release rates count it.
    pub billed: VideoTime,
    /// How long a device of speed 1 takes that has nothing else to do.
    pub device_ms: StageMs,
    /// How long the job has its slot beyond that, without the device: claiming, uploading, handing over.
    pub overhead_ms: StageMs,
}

/// A job that comes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Arrival {
    pub at_ms: f64,
    pub job: Job,
}
