//! A job: where it stands, how it moves on, and what one may show of it.

mod avoid;
mod deadlines;
mod decision;
mod failed_attempt;
mod failure;
mod failure_class;
#[cfg(not(target_family = "wasm"))]
mod fallback;
mod layout;
mod limits;
mod stage;
mod state;
mod update;
mod view;
mod waiting;

pub use avoid::{AVOID_MS, Avoided, STARTED_SINCE_MS};
pub use deadlines::{Deadline, Deadlines};
pub use decision::{Attempt, OtherWorker, Setting, WORKERS_LOST_MAX, decide};
pub use failed_attempt::{Decision, FAILED_ATTEMPTS_KEPT, FailedAttempt, RetryPlace, ToldFailure, keep};
pub use failure::{Failure, FailureCode};
pub use failure_class::{AttemptFailure, Device, FailureClass};
#[cfg(not(target_family = "wasm"))]
pub use fallback::{Fallback, FallbackError, FallbackTexts, check_fallback, held, request_of_fallback};
pub use layout::{Layout, PlacedThing, ShotLayout};
pub use limits::{ATTEMPTS_MAX, LEASE_AHEAD_MAX_MS, LEASE_MAX_MS, PAUSE_MAX_MS, pause_ms};
pub use stage::Stage;
pub use state::{JobState, Lease, Lifecycle, TransitionError};
pub use update::JobUpdate;
pub use view::{JobView, StageTimes, Status};
pub use waiting::{NO_WORKER, WaitReason, Waiting};
