//! What belongs to an account.

pub mod delete;
pub mod keys;
pub mod second_factor;
pub mod security;
