//! The process around the work: its start, its signs of life, and its end.

pub mod converge;
pub mod metrics;
pub mod monitor;
pub mod presence;
pub mod start;
pub mod warm_up;
