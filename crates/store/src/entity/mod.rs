//! One file for each table: its columns, as `migration` lays them out.

pub mod api_key;
pub mod artifact;
pub mod idempotency_key;
pub mod job;
pub mod outbox;
pub mod preview;
pub mod session;
pub mod setting;
pub mod stage_timing;
pub mod tenant;
pub mod tries;
pub mod unreadable_row;
pub mod user;
pub mod worker;
