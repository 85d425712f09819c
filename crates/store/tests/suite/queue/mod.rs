//! The queue: who gets which job, what its holder may do, and what is left behind.

mod backend;
mod claims;
mod control;
mod deadlines;
mod demand;
mod failures;
mod fleet;
mod forecast;
mod garbage;
mod heartbeat;
mod leases;
mod own_order;
mod placement;
mod release;
mod requeue;
mod shares;
mod snapshot;
mod suspects;
