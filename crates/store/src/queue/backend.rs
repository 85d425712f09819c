//! The queue as an apalis `Backend`: apalis' workers, monitor and layers drive it, our rows stay the truth.

use crate::Claimed;

/// What apalis hands to a handler: the claimed job.
pub type StageTask = apalis_core::task::Task<Claimed>;

/// One stage's queue for one worker process.
pub struct StageBackend;
