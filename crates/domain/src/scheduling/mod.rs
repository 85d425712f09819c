//! Who may enter the queue, where a job stands in it, and when it will be done.

mod admission;
mod eta;
mod snapshot;

pub use admission::{AdmissionError, OPEN_WORK_MAX, admit};
pub use eta::{Eta, Fleet, Interval, NoEta, StageCosts, WorkAhead, estimate};
pub use snapshot::{EXACT, Line, Mark, Place, QueueSnapshot, QueuedJob, RunningJob, Standing};
