//! What belongs to an account.

pub mod keys;
pub mod plan;
pub mod usage;
