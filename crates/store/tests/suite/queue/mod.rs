//! The queue: who gets which job, what its holder may do, and what is left behind.

mod backend;
mod claims;
mod deadlines;
mod failures;
mod fallback;
mod forecast;
mod garbage;
mod heartbeat;
mod leases;
mod operated;
mod own_order;
mod release;
mod shares;
mod snapshot;
mod suspects;
