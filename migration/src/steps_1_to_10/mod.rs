//! Steps that shipped long ago. A step is known by its file's name: moved it stays the same one, renamed it does not.

pub mod m0001_accounts;
pub mod m0002_jobs;
pub mod m0003_worker_health;
pub mod m0004_security;
pub mod m0005_open_work;
pub mod m0006_waiting;
pub mod m0007_sessions_by_user;
pub mod m0008_outbox;
pub mod m0009_memberships;
pub mod m0010_trace;
