//! The queue: who gets which job, what its holder may do, and what is left behind.

mod backend;
mod claims;
mod failures;
mod forecast;
mod garbage;
mod heartbeat;
mod leases;
mod placement;
mod release;
mod shares;
mod snapshot;
mod suspects;
