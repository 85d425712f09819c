//! One claimed job, from its lease to its files or to the reason why there are none.

pub mod decoding;
pub mod files;
pub mod job;
pub mod lease;
pub mod outcome;
pub mod progress;
pub mod publish;
pub mod running;
pub mod sampling;
pub mod station;
