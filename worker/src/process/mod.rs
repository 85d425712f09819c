//! The process around the work: its start, its signs of life, and its end.

pub mod health;
pub mod monitor;
pub mod pace;
pub mod presence;
pub mod shutdown;
pub mod start;
pub mod station;
pub mod warm_up;
pub mod watchdog;
