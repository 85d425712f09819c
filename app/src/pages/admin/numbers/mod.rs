//! Numbers over time for the operator: how long jobs take and how they end, what waits and who works, and the log of all jobs.

pub mod latency;
mod load;
pub mod requests;
