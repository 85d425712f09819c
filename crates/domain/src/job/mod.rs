//! A job: where it stands, how it moves on, and what one may show of it.

mod failure;
mod state;
mod update;
mod view;

pub use failure::{Failure, FailureCode};
pub use state::{ATTEMPTS_MAX, AVOID_MS, JobState, LEASE_AHEAD_MAX_MS, LEASE_MAX_MS, Lease, Lifecycle, PAUSE_MAX_MS, Stage, TransitionError};
pub use update::JobUpdate;
pub use view::{JobView, StageTimes, Status};
