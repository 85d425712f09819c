//! One file for each table: its columns, as `migration` lays them out.

mod account;
pub mod artifact;
pub mod idempotency_key;
pub mod inbox;
pub mod job;
pub mod model;
pub mod model_alias;
pub mod outbox;
pub mod preview;
pub mod setting;
pub mod stage_timing;
pub mod unreadable_row;
pub mod worker;

pub use account::{api_key, membership, session, tenant, tries, user};
