//! One file for each table: its columns, as `migration` lays them out.

pub mod api_key;
pub mod artifact;
pub mod idempotency_key;
pub mod job;
pub mod preview;
pub mod session;
pub mod sign_in_failure;
pub mod stage_timing;
pub mod tenant;
pub mod user;
pub mod worker;
