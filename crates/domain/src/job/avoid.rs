//! Who failed a job, so that its retry is left to others for a while.

use crate::{Timestamp, WorkerId};

/// For how long a retry is left to other workers than the one that failed it, in milliseconds. Bounded, so that
/// a job never waits for a worker that does not come.
pub const AVOID_MS: i64 = 30_000;

/// For as long as this a retry is left to workers that were there when it failed: one that has started since may be the
/// one that failed it, started again. In milliseconds.
pub const STARTED_SINCE_MS: i64 = 600_000;

/// Who failed a job's last attempt. Known until its stage is done, also while others try it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Avoided {
    pub worker: WorkerId,
    /// The end of the pause after the failure.
    pub from: Timestamp,
}
