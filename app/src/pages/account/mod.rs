//! What belongs to an account.

pub mod billing;
pub mod choose_plan;
pub mod delete;
pub mod keys;
pub mod limits;
pub mod linking;
pub mod overview;
pub mod plan;
pub mod requests;
pub mod second_factor;
pub mod security;
pub mod usage;
