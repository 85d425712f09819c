//! A job: where it stands, how it moves on, and what one may show of it.

mod failure;
mod state;
mod view;

pub use failure::{Failure, FailureCode};
pub use state::{ATTEMPTS_MAX, JobState, Lease, Lifecycle, Stage, TransitionError};
pub use view::{JobView, StageTimes, Status};
