//! What belongs to an account.

pub mod keys;
