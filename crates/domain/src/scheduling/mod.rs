//! Who may enter the queue, and when a job will be done.

mod admission;
mod eta;

pub use admission::{AdmissionError, OPEN_WORK_MAX, admit};
pub use eta::{Eta, Fleet, Interval, NoEta, StageCosts, WorkAhead, estimate};
