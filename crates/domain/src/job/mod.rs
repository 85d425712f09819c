//! A job: where it stands, how it moves on, and what one may show of it.

mod failure;
mod limits;
mod state;
mod update;
mod view;

pub use failure::{Failure, FailureCode};
pub use limits::{ATTEMPTS_MAX, AVOID_MS, LEASE_AHEAD_MAX_MS, LEASE_MAX_MS, PAUSE_MAX_MS, STARTED_SINCE_MS, pause_ms};
pub use state::{JobState, Lease, Lifecycle, Stage, TransitionError};
pub use update::JobUpdate;
pub use view::{JobView, StageTimes, Status};
